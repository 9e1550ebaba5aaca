"""The strips of each pair of copies."""
