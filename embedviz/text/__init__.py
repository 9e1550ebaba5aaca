"""Text and what is made of it: tokens of four tokenizers, ready samples, a small grammar, and how a token is shown."""
