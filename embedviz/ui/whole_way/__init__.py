"""The whole way of two sentences through a model: what is computed, and what is said of it."""
