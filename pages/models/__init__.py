"""The page Models: which positions do models of today have?"""
