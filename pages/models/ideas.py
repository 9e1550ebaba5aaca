"""The view "ideas"."""

from embedviz.ui.shell import Frame


def ideas(page: Frame) -> None:
    """Show it."""
