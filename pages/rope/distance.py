"""The view "distance"."""

from embedviz.ui.shell import Frame


def distance(page: Frame) -> None:
    """Show it."""
