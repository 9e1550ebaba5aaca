"""Vocabulary: where do all tokens lie?"""

from dataclasses import replace

import streamlit as st

from embedviz import ui
from embedviz.texts import _
from embedviz.ui import cloud, exporting, finding, mapping, presenting
from embedviz.ui.controls import whose
from embedviz.vocabulary import classes_of


@ui.part
def atlas(chosen: mapping.Settings) -> None:
    """The map, and beside it what is looked for."""
    tokens = mapping.tokens_of(chosen.spec)
    wide, side = st.columns([1.6 if presenting.is_on() else 2.75, 1], gap="small")
    with side, st.container(gap="xsmall"):
        kind = finding.view()
        ends = mapping.axis_fields(tokens) if chosen.view.method == "axis" else (0, 0)
        found = finding.finding(kind, chosen.spec, tokens)
        alone = mapping.isolate(found)
        finding.listed(kind, found, tokens, with_axis=chosen.view.method == "axis")
    view = replace(chosen.view, only=alone, ends=ends)
    with wide, st.container(gap="xsmall"):
        shown = mapping.found_map(chosen, view)
        cloud.cloud(shown, key="cloud", height=mapping.HEIGHT, on_pick=finding.pick_from("cloud", tokens))
        cloud.marks(mapping.marks_of(shown, chosen, view, found, tokens), tokens)
        cloud.texts(tokens, classes_of(tokens))
    with side:
        exporting.downloads(chosen, shown, found, tokens)
    exporting.code(chosen, view, found, tokens)


with st.container(gap="xsmall"):
    title, *settings = st.columns([2.6, 1.2, 0.9, 0.8, 1.35, 0.85], vertical_alignment="bottom")
    chosen = mapping.settings(settings)
    with title:
        ui.title(_("A whole vocabulary"), _("{whose} Drag, zoom, point, click.", whose=whose(chosen.spec.source)))
    atlas(chosen)
