"""Positions: what is added to a token vector?"""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.fields import view_of
from pages.positions import views
from pages.positions.settings import table_settings

page = ui.frame()
page.title(
    _("A vector for each position"), _("Learned, sines and cosines, or simply p/L: what is added to the tokens.")
)
with page.views:
    view = view_of(_("Show"), views.VIEWS, key="view")
settings = table_settings(page)
with page.body:
    ui.part(views.draw)(view, settings)
