"""Two sentences and the lines between copies."""
