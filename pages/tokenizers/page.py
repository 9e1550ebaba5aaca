"""Tokenizers: where does each of them cut a text?"""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, translated
from embedviz.programs.tokenizers import pytorch_tokenizers
from embedviz.text.segmentation import segment
from pages.tokenizers.segments import segments
from pages.tokenizers.settings import FIELD, needs, prefix_space_field, text_field, text_picker, tokenizers_field
from pages.tokenizers.words import about_segmentation

page = st.container(gap="xsmall")
with page:
    title, pick, names, space = st.columns([2.2, 1.3, 2.2, 1], vertical_alignment="bottom")
with title:
    ui.title(_("One text, several ways to cut it"), _("A token is a run of bytes with an ID. Point at one."))
with names:
    chosen = tokenizers_field()
with space:
    prefix_space = prefix_space_field()
with page:
    text = text_field()
    needs(text, chosen)
with pick:
    text_picker(text)

if not chosen:
    st.stop()
with page:
    found = segment(text, chosen, prefix_space)
    segments(found, field=translated(FIELD), key="segments")
    ui.cards(about_segmentation(found), key="findings")
    ui.program(pytorch_tokenizers(found.text, chosen, prefix_space), _("One text, several ways to cut it"))
