"""Attacks on a real server (make test-faults): it stays up, others notice nothing, its memory comes back."""
