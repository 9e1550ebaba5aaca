"""Next word: what is order for? A trained model answers a question that only the order of the words decides."""

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui import LiveView
from pages.next_word.guide import GUIDES
from pages.next_word.who import who

VIEWS = (LiveView(page="next_word", name="", guide=GUIDES[""], draw=who, lead=None),)

if __name__ == "__main__":
    ui.page(_("What order is for"), VIEWS)
