"""The page Tokenizers: where does each of them cut a text?"""
