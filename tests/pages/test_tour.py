"""The page "Tour", run without a browser."""
