"""Vocabulary: where do all tokens lie?"""

from dataclasses import replace
from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.ui.components.cloud import cloud
from embedviz.ui.messages import stop_at_error
from embedviz.vocabulary import token_map
from embedviz.vocabulary.vocabulary import classes_of
from pages.vocabulary import files, finding
from pages.vocabulary.contrast import contrast
from pages.vocabulary.finding import Find
from pages.vocabulary.guide import GUIDES
from pages.vocabulary.map import HEIGHT, found_map, marks_of
from pages.vocabulary.settings import MapSettings, axis_fields, isolate, map_settings
from pages.vocabulary.source import lead, source_field, tokens_of


def vocabulary(find: Find, page: ui.Frame) -> None:
    """Show the map of all tokens, and beside it what `find` finds."""
    sheet = page.settings()
    with sheet:
        source = source_field()
    page.lead(lead(source))
    atlas(map_settings(page, sheet, source), find, page.view)


@ui.part
def atlas(chosen: MapSettings, find: Find, view: str) -> None:
    """The map, and beside it what is looked for."""
    tokens = tokens_of(chosen.spec)
    with ui.slide(brief=True):
        contrast(chosen.spec, tokens)
        wide, side = st.columns([2.75, 1], gap="small")
    with side, st.container(gap="xsmall"), stop_at_error():
        ends = axis_fields(tokens) if chosen.view.method == "axis" else (0, 0)
        found = find(chosen.spec, tokens)
        alone = isolate(found)
        finding.listed(view, found, tokens, with_axis=chosen.view.method == "axis")
    drawn = token_map.fitted(replace(chosen.view, only=alone, ends=ends), len(alone) or len(tokens))
    with wide, st.container(gap="xsmall"):
        shown = found_map(chosen, drawn)
        cloud.cloud(shown, key="cloud", height=HEIGHT, on_pick=finding.pick_from("cloud", tokens))
        cloud.marks(marks_of(shown, chosen, drawn, found, tokens), tokens)
        cloud.texts(tokens, classes_of(tokens))
    with side:
        files.downloads(chosen, shown, tokens)
    files.program(chosen, drawn, found, tokens)


VIEWS = {"neighbours": partial(vocabulary, finding.neighbours), "position": partial(vocabulary, finding.position)}

ui.page("vocabulary", _("A whole vocabulary"), VIEWS, GUIDES, lead=None)
