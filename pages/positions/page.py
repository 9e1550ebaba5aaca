"""Positions: what is added to a token vector?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.positions import views
from pages.positions.guide import GUIDES
from pages.positions.settings import table_settings

page = ui.frame()
with page.views:
    view = view_of(_("Show"), views.VIEWS, key="view")
page.title(_("A vector for each position"), GUIDES[view])
settings = table_settings(page, view)
with page.body:
    ui.part(views.draw)(view, settings)
