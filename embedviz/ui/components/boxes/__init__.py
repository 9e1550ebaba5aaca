"""Tokens in boxes."""
