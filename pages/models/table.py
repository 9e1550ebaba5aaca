"""The view "table"."""

from embedviz.ui.shell import Frame


def table(page: Frame) -> None:
    """Show it."""
