"""The parts of the page "Batches": its settings, and one file a view."""

from embedviz.ui.batching.padding import padding_view
from embedviz.ui.batching.settings import batch, loader, view, with_text
from embedviz.ui.batching.shapes import shape_view
from embedviz.ui.batching.sliding import window_view

__all__ = ["batch", "loader", "padding_view", "shape_view", "view", "window_view", "with_text"]
