"""Lists of tokens."""
