"""The page Positions: what is added to a token vector?"""
