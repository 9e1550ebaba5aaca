"""The page Lookup: what does an embedding layer do?"""
