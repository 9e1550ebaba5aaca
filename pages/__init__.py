"""The pages: one folder each, with all that only this page shows."""
