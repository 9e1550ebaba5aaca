"""The pages. Each has one folder, which holds everything that only this page shows."""
