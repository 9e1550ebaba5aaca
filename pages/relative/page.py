"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.relative.settings import lengths, sentence_and_more
from pages.relative.views import VIEWS

page = ui.frame()
page.title(
    _("Where it stands, or how far away"), _("Nine ways to tell attention, on one sentence, with random matrices.")
)
with page.views:
    view = view_of(_("Show"), VIEWS, key="relative")
needed = () if view == "schemes" else lengths(page) if view == "lengths" else sentence_and_more(page, view)
with page.body:
    VIEWS[view](*needed)
