"""The parts of the page "Lookup": its settings, and one file a view."""

from embedviz.ui.lookups.mistakes import mistakes
from embedviz.ui.lookups.one_hot import one_hot
from embedviz.ui.lookups.positions import positions
from embedviz.ui.lookups.rows import rows
from embedviz.ui.lookups.settings import table_settings, view
from embedviz.ui.lookups.sizes import sizes

__all__ = ["mistakes", "one_hot", "positions", "rows", "sizes", "table_settings", "view"]
