"""What stands on a page as PyTorch code that runs as it is, as a notebook, and as rows of numbers to take along."""
