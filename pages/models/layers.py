"""The view "layers"."""

from embedviz.ui.shell import Frame


def layers(page: Frame) -> None:
    """Show it."""
