"""Figures of what a model does: its layers, heads, answers and training."""
