"""The view "base"."""

from embedviz.ui.shell import Frame


def base(page: Frame) -> None:
    """Show it."""
