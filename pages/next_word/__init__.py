"""The page Next word: what is order for?"""
