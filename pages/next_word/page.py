"""Next word: what is order for? A trained model answers a question that only the order of the words decides."""

from embedviz import ui
from embedviz.base.i18n import _
from pages.next_word.next_word import NEXT_WORD

VIEWS = (NEXT_WORD,)

if __name__ == "__main__":
    ui.page(_("What order is for"), VIEWS)
