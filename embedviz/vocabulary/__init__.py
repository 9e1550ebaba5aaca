"""All tokens of a tokenizer at once: a list to search, points on a map, and files for other programs."""
