"""The view "memory" of the page "Layers"."""

from embedviz import ui


def memory(page: ui.Frame) -> None:
    """Placeholder."""
