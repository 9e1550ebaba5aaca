"""Next word: what is order for? A trained model answers a question that only the order of the words decides."""

from embedviz import ui
from embedviz.base.i18n import _
from pages.next_word.guide import GUIDES
from pages.next_word.who import who

ui.page("next_word", _("What order is for"), {"": who}, GUIDES, lead=None)
