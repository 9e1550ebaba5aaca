"""Lookup: what does an embedding layer do?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.lookup.guide import GUIDES
from pages.lookup.mistakes import mistakes
from pages.lookup.one_hot import one_hot
from pages.lookup.positions import positions
from pages.lookup.rows import rows
from pages.lookup.settings import table_settings
from pages.lookup.sizes import sizes

OF_THE_TABLE = {"rows": rows, "one-hot": one_hot, "mistakes": mistakes}
VIEWS = OF_THE_TABLE | {"positions": positions, "sizes": sizes}

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="show")
page.title(_("An embedding layer is a lookup"), GUIDES[view])
if view in OF_THE_TABLE:
    typed, *sizes_and_seed = table_settings(page)
    with page.body:
        OF_THE_TABLE[view](typed, *sizes_and_seed)
else:
    with page.body:
        VIEWS[view]()
