"""The tokens of a sentence as chips."""
