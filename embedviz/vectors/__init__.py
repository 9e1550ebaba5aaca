"""The embedding backend: settings and tables to vectors, and what vectors are compared, projected and batched for."""
