"""The page's view: a map of all tokens, and beside it what is looked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, paragraph
from embedviz.ui import Card, Guide, LiveView
from embedviz.ui.components.cloud import cloud
from embedviz.ui.messages import stop_at_error
from embedviz.vocabulary.linear_map import Map
from embedviz.vocabulary.vocabulary import Vocabulary, classes_of
from embedviz.vocabulary.word_map import word_map
from pages.vocabulary import contrast, files, token_search
from pages.vocabulary.map import axis_names, map_or_pca, marks_of
from pages.vocabulary.settings import MapSettings, axis_fields, colour_field, ids_shown_alone, map_settings
from pages.vocabulary.source import lead, source_field, tokens_of


def vocabulary(frame: ui.Frame) -> None:
    """Show a map of all tokens, and beside it what is looked for."""
    sheet = frame.settings()
    with sheet:
        source = source_field()
    if source is not None:
        try:
            chosen = map_settings(frame, sheet, source)
        except BaseException:
            frame.say()
            raise
        atlas(frame, chosen)
        return
    with sheet:
        colour = colour_field(["id", "length"], "id")
    words(frame, colour)


@ui.part_of_page
def words(frame: ui.Frame, colour: str) -> None:
    """The map of words that comes with the app, and beside it the neighbours of one."""
    known = word_map()
    wide, side = _places(paragraph([lead(None), contrast.nearness_on_word_map()]), is_random=False)
    with side, stop_at_error(), _claims(frame) as claims:
        result = token_search.on_word_map(known)
        claims.extend(token_search.claim(result, known.tokens))
        token_search.show_lists(result, known.tokens, rem=22.8)
    with wide.container(key="word_map"):
        _show(known.points, marks_of(known.points, colour, result, known.tokens), known.tokens, rem=21.3)


@ui.part_of_page
def atlas(frame: ui.Frame, chosen: MapSettings) -> None:
    """The map of a table, and beside it what is looked for."""
    with _claims(frame) as claims:
        tokens, is_axis = tokens_of(chosen.spec), chosen.view.method == "axis"
        about = [lead(chosen.spec.origin), contrast.nearness(chosen.spec, tokens), contrast.without_rows(tokens)]
        wide, side = _places(paragraph(about), is_random=chosen.spec.source == "random")
        with side, stop_at_error():
            ends = axis_fields(tokens) if is_axis else (0, 0)
            result = token_search.in_table(chosen.spec, tokens)
            alone = ids_shown_alone(result)
            claims.extend(token_search.claim(result, tokens))
            token_search.show_lists(result, tokens, rem=31.2 + 4.8 * is_axis)
    view = replace(chosen.view, only=alone, ends=ends)
    with wide:
        drawn, shown = map_or_pca(chosen.spec, view)
        lit = replace(result, lit=[]) if alone else result
        marks = marks_of(drawn, chosen.colour, lit, tokens, axis_names(drawn, shown, tokens))
        _show(drawn, marks, tokens, rem=22.6)
    with side:
        files.downloads(chosen, drawn, tokens)
    files.program(chosen, view, result, tokens)


@contextmanager
def _claims(frame: ui.Frame) -> Iterator[list[Card]]:
    """Collect what is claimed, and say it at the end, whatever stops the page.

    A headline is said once in a run: if another one goes out with the first, the browser takes neither.
    """
    claims: list[Card] = []
    try:
        yield claims
    finally:
        frame.say(*claims)


def _places(sentence: str, *, is_random: bool) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Show what nearness means here, and return the places of the map and of what stands beside it."""
    with ui.slide():
        contrast.sentence_and_switch(sentence, is_random=is_random)
        wide, side = st.columns([2.75, 1], gap="small")
    return wide.container(gap="xsmall"), side.container(gap="xsmall")


def _show(drawn: Map, marks: cloud.Marks, tokens: Vocabulary, rem: float) -> None:
    """Draw the map. rem: how much room what is above and below takes; page.css knows it too."""
    height = f"clamp(20rem, calc(100vh - {rem}rem), 60rem)"
    cloud.cloud(drawn, key="cloud", height=height, on_pick=token_search.pick_from("cloud", tokens))
    cloud.marks(marks, tokens)
    cloud.texts(tokens, classes_of(tokens))


VOCABULARY = LiveView(
    page="vocabulary",
    name="",
    guide=Guide(
        N_("Each dot is a token. Type one, and lines lead to the three whose vectors are nearest to it."),
        N_("In a trained model near often means used alike. In a table of random numbers it means nothing."),
        "vocabulary vector subwords neighbour cosine distance pca variance layout",
    ),
    has_claim=True,
    draw=vocabulary,
    examples=(
        {},
        {"tokenizer": "words"},
        {"tokenizer": "words", "token": "hough"},
        {"tokenizer": "words", "colour": "kind", "map": "axis"},
        {"token": "("},
        {"source": "trained"},
        {"source": "trained", "token": "a"},
        {"source": "trained", "token": "("},
        {"source": "trained", "map": "axis", "token": "cat dog", "alone": "true"},
        {"source": "trained", "map": "x", "colour": "x"},
    ),
)
