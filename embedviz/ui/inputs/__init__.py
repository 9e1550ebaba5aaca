"""What a visitor sets: sentences, settings, sources, models and their runs."""
