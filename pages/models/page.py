"""Models: which positions do published models have, and which layers of one at hand read them?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.models.measured import MEASURED
from pages.models.models import MODELS

VIEWS = (MODELS, MEASURED)

if __name__ == "__main__":
    ui.page(_("Published models"), VIEWS)
