"""Visitors whose edits were slowed down: `server/pace.py` writes it here, and `ui/turns.py` reads it to tell them."""

HEADER = "X-Embedviz-Connection"  # the server sets this header itself and ignores a value from outside
slowed: dict[str, float] = {}  # by the value of that header, when the visitor was last slowed down, by time.monotonic
