"""The page Training: what do the two tables learn?"""
