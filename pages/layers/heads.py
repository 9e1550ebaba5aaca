"""The view "heads" of the page "Layers"."""

from embedviz import ui


def heads(page: ui.Frame) -> None:
    """Placeholder."""
