"""Attacks on a real server, in `make test-faults`: it stays up, others notice nothing, memory returns to where it was."""
