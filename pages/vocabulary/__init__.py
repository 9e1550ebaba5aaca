"""The page Vocabulary: where do all tokens lie?"""
