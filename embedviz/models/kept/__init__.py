"""What is kept of models, on disk and in memory."""
