"""The view "longer"."""

from embedviz.ui.shell import Frame


def longer(page: Frame) -> None:
    """Show it."""
