"""One self-attention layer and what a position scheme does in it: scores, outputs, costs, longer texts."""
