"""Text and its tokens: four tokenizers, ready samples, a small grammar, and how a token is shown."""
