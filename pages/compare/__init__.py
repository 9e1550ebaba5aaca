"""The page Compare: where does word order enter?"""
