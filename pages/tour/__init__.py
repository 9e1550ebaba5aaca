"""The page Tour: from text to input embeddings, step by step."""
