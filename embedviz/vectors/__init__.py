"""The embedding backend: it turns settings and tables into vectors, and compares, projects and batches vectors."""
