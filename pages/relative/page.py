"""Relative: what does attention do with a distance?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.positions import SCHEMES
from embedviz.ui.fields import view_of
from pages.relative.guide import GUIDES
from pages.relative.settings import lengths, sentence_and_more
from pages.relative.t5_view import t5_field
from pages.relative.views import VIEWS

page = ui.frame()
with page.views:
    view = view_of(_("Show"), VIEWS, key="relative")
lead = ""
if view not in ("t5", "lengths", "schemes"):
    lead = _("Positions in {n} ways, one of which is to leave them out; all matrices are untrained.", n=len(SCHEMES))
page.title(_("Where it stands, or how far away"), GUIDES[view], lead)
if view == "t5":
    needed = t5_field(page)
else:
    needed = () if view == "schemes" else lengths(page) if view == "lengths" else sentence_and_more(page, view)
with page.body:
    VIEWS[view](*needed)
