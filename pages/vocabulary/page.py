"""Vocabulary: where do all tokens lie?"""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.ui import LiveView
from embedviz.ui.components.cloud import cloud
from embedviz.ui.messages import stop_at_error
from embedviz.vocabulary.linear_map import Map
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of
from embedviz.vocabulary.word_map import word_map
from pages.vocabulary import contrast, files, finding
from pages.vocabulary.guide import GUIDES
from pages.vocabulary.map import axis_names, found_map, marks_of
from pages.vocabulary.settings import MapSettings, axis_fields, colour_field, isolate, map_settings
from pages.vocabulary.source import lead, source_field, tokens_of


def vocabulary(page: ui.Frame) -> None:
    """Show a map of all tokens, and beside it what is looked for."""
    sheet = page.settings()
    with sheet:
        source = source_field()
    page.lead(lead(source))
    if source is not None:
        atlas(map_settings(page, sheet, source))
        return
    with sheet:
        colour = colour_field(["id", "length"], "id")
    words(colour)


@ui.part
def words(colour: str) -> None:
    """The map of words that comes with the app, and beside it the neighbours of one."""
    known = word_map()
    wide, side = _places(contrast.of_word_map(), is_random=False)
    with side, stop_at_error():
        found = finding.on_word_map(known)
        finding.listed(found, known.tokens, taken=22.8)
    with wide.container(key="word_map"):
        _show(known.points, marks_of(known.points, colour, found, known.tokens), known.tokens, taken=21.3)


@ui.part
def atlas(chosen: MapSettings) -> None:
    """The map of a table, and beside it what is looked for."""
    tokens, is_axis = tokens_of(chosen.spec), chosen.view.method == "axis"
    said = paragraph([contrast.said(chosen.spec, tokens), contrast.without_rows(tokens)])
    wide, side = _places(said, is_random=chosen.spec.source == "random")
    with side, stop_at_error():
        ends = axis_fields(tokens) if is_axis else (0, 0)
        found = finding.in_table(chosen.spec, tokens)
        alone = isolate(found)
        finding.listed(found, tokens, taken=31.2 + 4.8 * is_axis)
    view = replace(chosen.view, only=alone, ends=ends)
    with wide:
        drawn, shown = found_map(chosen.spec, view)
        lit = replace(found, lit=[]) if alone else found
        marks = marks_of(drawn, chosen.colour, lit, tokens, axis_names(drawn, shown, tokens))
        _show(drawn, marks, tokens, taken=22.6)
    with side:
        files.downloads(chosen, drawn, tokens)
    files.program(chosen, view, found, tokens)


def _places(said: str, *, is_random: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Show what nearness means here, and return the places of the map and of what stands beside it."""
    with ui.slide(brief=True):
        contrast.contrast(said, is_random=is_random)
        wide, side = st.columns([2.75, 1], gap="small")
    return wide.container(gap="xsmall"), side.container(gap="xsmall")


def _show(drawn: Map, marks: cloud.Marks, tokens: Vocabulary, taken: float) -> None:
    """Draw the map. taken: how much room what is above and below takes, in rem; page.css knows it too."""
    height = f"clamp(20rem, calc(100vh - {taken}rem), 60rem)"
    cloud.cloud(drawn, key="cloud", height=height, on_pick=finding.pick_from("cloud", tokens))
    cloud.marks(marks, tokens)
    cloud.texts(tokens, classes_of(tokens))


VIEWS = (LiveView(page="vocabulary", name="", guide=GUIDES[""], draw=vocabulary, lead=None),)

if __name__ == "__main__":
    ui.page(_("A vocabulary as a map"), VIEWS)
