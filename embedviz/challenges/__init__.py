"""Challenges: tasks that a reader does on a view, and that the app checks on what the reader has made."""
