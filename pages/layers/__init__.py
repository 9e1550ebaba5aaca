"""The page Layers: what do the layers of a trained model make of two orders, and where is order remembered?"""
