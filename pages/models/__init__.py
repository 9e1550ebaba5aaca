"""The page Models: which positions do published models have?"""
