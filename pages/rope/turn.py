"""The view "Pairs turn" of the page "RoPE": a query and a key as hands of clocks, pair by pair."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.base.numbers import in_print
from embedviz.figures.figure import Figure
from embedviz.figures.schemes import clocks as clock_charts
from embedviz.positions.rope_pairs import MAX_POSITION, MAX_SHIFT, Clocks, clocks
from embedviz.programs.schemes.rope import pytorch_clocks
from embedviz.ui import BOUND, Guide, Picture, Program, View, lessons, presenting
from embedviz.ui.inputs.fields import give_way
from pages.rope import pair_words as words

_MOVED = 30  # positions
_HEIGHT = ui.picture_height(1.2)


class Places(NamedTuple):
    """Where the query and the key stand, and by how many positions both are moved."""

    query_at: int
    key_at: int
    both_at: int


class TurnedPairs(NamedTuple):
    """The pairs of the query and the key at their places, as clocks."""

    places: Places
    clocks: Clocks


def fields(frame: ui.Frame, _settings: None) -> Places:
    """Where the two tokens stand. Both tokens move there once when the page comes."""
    query, key, both = frame.inputs.columns([1, 1, 1.4])
    query_at = query.slider(_("Position of the query"), 0, MAX_POSITION, 12, key="query_at", **BOUND)
    key_at = key.slider(_("Position of the key"), 0, MAX_POSITION, 8, key="key_at", **BOUND)
    with both, ui.on_every_slide("both"):
        help_ = _("How many tokens stand before these two.")
        # They move once by themselves, but not in a hall, nor before the question of a lesson.
        usual = 0 if presenting.is_on() or lessons.is_on() else _MOVED
        give_way("both_at", usual)
        both_at = st.slider(_("Move both by"), 0, MAX_SHIFT, usual, key="both_at", help=help_, **BOUND)
    return Places(query_at, key_at, both_at)


def figure(result: TurnedPairs) -> Figure:
    """A clock for each pair, with the query and the key as its hands, and above them the score, if both moved."""
    pairs = result.clocks
    drawn = [
        clock_charts.Clock(
            _("Pair {n}", n=n),
            pairs.queries[:, n],
            pairs.keys[:, n],
            words.beside_clock(pairs, n),
            f"<b>{n}:</b> {in_print(float(pairs.angles[n]), '.0f')}°",  # below it, in large type and on a phone
            pairs.unmoved[n] if pairs.moved_by else None,
        )
        for n in range(len(pairs.shares))
    ]
    return clock_charts.clocks(drawn, words.scores(pairs) if pairs.moved_by else "")


def pictures(result: TurnedPairs) -> list[Picture]:
    """The clocks; below them, for readers, how they are made."""
    alt = words.clocks_in_words(result.clocks)
    return [
        Picture(partial(ui.show, figure(result), key="clocks", alt=alt, height=_HEIGHT)),
        Picture(partial(ui.reader_caption, words.about_hands()), None, only_for="reader"),
    ]


TURN = View(
    page="rope",
    name="turn",
    guide=Guide(
        N_("Each clock is a pair of dimensions: one hand is the query, the other the key. Move both tokens: pale hands "
           "show where they were."),
        N_("When both tokens move, both hands turn alike: the angle stays, and with it the score. So the score "
           "depends on how far apart they are, not on where they stand."),
        "rope pair query key score relative partial",
    ),
    fields=fields,
    compute=lambda places: TurnedPairs(places, clocks(*places)),
    findings=lambda result: words.about_clocks(result.clocks),
    pictures=pictures,
    note=lambda _result: words.about_real_models(),
    program=lambda result: Program(pytorch_clocks(*result.places), _("Pairs that turn")),
)  # fmt: skip
