"""The map of a vocabulary."""
