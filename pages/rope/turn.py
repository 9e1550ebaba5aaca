"""The view "turn"."""

from embedviz.ui.shell import Frame


def turn(page: Frame) -> None:
    """Show it."""
