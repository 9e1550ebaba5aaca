"""Tokenizers: where does each of them cut a text?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.programs.tokenizers import pytorch_tokenizers
from embedviz.text.segmentation import segment
from pages.tokenizers.guide import GUIDE
from pages.tokenizers.segments import segments
from pages.tokenizers.settings import FIELD, needs, prefix_space_field, text_field, text_picker, tokenizers_field
from pages.tokenizers.words import about_segmentation

page = ui.frame()
page.title(_("One text, several ways to cut it"), GUIDE)
with page.views, st.container(horizontal=True, vertical_alignment="center"):
    chosen = tokenizers_field()
    prefix_space = prefix_space_field()
with page.inputs:
    area, ready = st.columns([3.2, 1])
with area:
    text = text_field()
with ready:
    text_picker(text)
with page.messages:
    needs(text, chosen)

if not chosen:
    st.stop()
with page.body:
    found = segment(text, chosen, prefix_space)
    segments(found, field=translated(FIELD), key="segments")
    ui.cards(about_segmentation(found), key="findings")
    ui.program(pytorch_tokenizers(found.text, chosen, prefix_space), _("One text, several ways to cut it"))
