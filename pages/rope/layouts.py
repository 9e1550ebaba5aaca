"""The view "layouts"."""

from embedviz.ui.shell import Frame


def layouts(page: Frame) -> None:
    """Show it."""
