"""The view "part"."""

from embedviz.ui.shell import Frame


def part(page: Frame) -> None:
    """Show it."""
