"""Vectors of one's own: what a file may hold, how it is read within bounds, and the source that it becomes."""
