"""Visitors who were slowed down and have not been told yet: the server's edge knows it, the page says it."""

HEADER = "X-Embedviz-Connection"  # which the server sets itself, whatever came from outside
slowed: dict[str, float] = {}  # by that header: when last, of time.monotonic
