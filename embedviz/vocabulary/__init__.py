"""All tokens of a tokenizer at once: as a list to search, as points on a map, as files of other programs."""
