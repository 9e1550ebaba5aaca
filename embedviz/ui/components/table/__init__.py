"""A table of text."""
