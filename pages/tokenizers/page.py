"""Tokenizers: where does each of them cut a text?"""

from embedviz import ui
from embedviz.base.i18n import _
from pages.tokenizers.tokenizers import TOKENIZERS

VIEWS = (TOKENIZERS,)

if __name__ == "__main__":
    ui.page(_("One text, several ways to cut it"), VIEWS)
