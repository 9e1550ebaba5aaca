"""The page Attention: what does one layer make of two orders?"""
