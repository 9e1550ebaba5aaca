"""Models: which positions do published models have?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.models.models import MODELS

VIEWS = (MODELS,)

if __name__ == "__main__":
    ui.page(_("Published models"), VIEWS)
