"""The page Relative: what does attention do with a distance?"""
