"""Tokenizers: where does each of them cut a text?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.programs.inputs import pytorch_tokenizers
from embedviz.ui import LiveView, challenges
from embedviz.ui.messages import stop
from pages.tokenizers import settings
from pages.tokenizers.guide import GUIDES
from pages.tokenizers.segments import segments
from pages.tokenizers.words import about_segmentation


def tokenizers(page: ui.Frame) -> None:
    """Show a text as each tokenizer cuts it, and what follows."""
    with page.inputs:
        area, ready, named = st.columns([2.6, 1, 1])
    with area:
        text = settings.text_field()
    with ready:
        settings.text_picker(text)
    with named:
        model = settings.model_field()
    with page.views, st.container(horizontal=True, vertical_alignment="center"):
        chosen = settings.tokenizers_field(model)
        prefix_space = settings.prefix_space_field()
        special_tokens = settings.special_tokens_field(chosen)
    with page.messages:
        settings.needs(text, chosen)
    found = settings.cut(text, chosen, prefix_space, special_tokens, below=named)
    if not found:
        stop()
    with ui.slide(brief=True):
        segments(found, field=translated(settings.FIELD), key="segments")
    ui.cards(about_segmentation(found), key="findings")
    names = [each.tokens.tokenizer for each in found.cuts]
    program = pytorch_tokenizers(found.text, names, prefix_space, special_tokens)
    ui.program(program, _("One text, several ways to cut it"))
    challenges.check("two-cuts", found)


VIEWS = (LiveView(page="tokenizers", name="", guide=GUIDES[""], draw=tokenizers),)

if __name__ == "__main__":
    ui.page(_("One text, several ways to cut it"), VIEWS)
