"""The page Batches: how does a text become batches of inputs and targets?"""
