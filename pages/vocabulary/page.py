"""Vocabulary: where do all tokens lie?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.vocabulary.atlas import VOCABULARY

VIEWS = (VOCABULARY,)

if __name__ == "__main__":
    ui.page(_("A vocabulary as a map"), VIEWS)
