"""Tokenizers: where does each of them cut a text?"""

import streamlit as st

from embedviz import ui
from embedviz.segmentation import program, segment
from embedviz.texts import _
from embedviz.ui import tokenizers
from embedviz.ui.segments import segments

page = st.container(gap="xsmall")
with page:
    title, pick, names, space = st.columns([2.2, 1.3, 2.2, 1], vertical_alignment="bottom")
with title:
    ui.title(_("One text, several ways to cut it"), _("A token is a run of bytes with an ID. Point at one."))
with names:
    chosen = tokenizers.chosen()
with space:
    prefix_space = tokenizers.prefix_space()
with page:
    text = tokenizers.text_field()
    tokenizers.needs(text, chosen)
with pick:
    tokenizers.text_picker(text)

if not chosen:
    st.stop()
with page:
    found = segment(text, chosen, prefix_space)
    segments(found, field=tokenizers.FIELD, key="segments")
    ui.cards(tokenizers.findings(found), key="findings")
    ui.program(program(found.text, chosen, prefix_space), _("One text, several ways to cut it"))
