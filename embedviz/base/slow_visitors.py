"""Visitors whose edits were slowed down: `server/pace.py` writes it here, and `ui/turns.py` reads it to tell them."""

HEADER = "X-Embedviz-Connection"  # which the server sets itself, whatever came from outside
slowed: dict[str, float] = {}  # by that header: when last, of time.monotonic
