"""The view "choose"."""

from embedviz.ui.shell import Frame


def choose(page: Frame) -> None:
    """Show it."""
