"""The view "turn": a query and a key as hands of clocks, pair by pair."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.base.numbers import in_print
from embedviz.figures.schemes import clocks as figure
from embedviz.positions.rope_pairs import MAX_POSITION, MAX_SHIFT, Clocks, clocks
from embedviz.programs.rope import pytorch_clocks
from embedviz.ui.inputs.fields import BOUND
from pages.rope import pair_words as words

_HEIGHT = "clamp(20rem, calc(100vh - 24rem), 44rem)"


def turn(page: ui.Frame) -> None:
    """Show the clocks, and sliders for where the two tokens stand. Both tokens move there once when the page comes."""
    query, key, both = page.inputs.columns([1, 1, 1.4])
    query_at = query.slider(_("Position of the query"), 0, MAX_POSITION, 12, key="query_at", **BOUND)
    key_at = key.slider(_("Position of the key"), 0, MAX_POSITION, 8, key="key_at", **BOUND)
    with both, ui.on_every_slide("both"):
        said = {"help": _("How many tokens stand before these two.")}
        both_at = st.slider(_("Move both by"), 0, MAX_SHIFT, 0, key="both_at", **said, **BOUND)
    found = clocks(query_at, key_at, both_at)
    ui.cards(words.about_clocks(found), key="about_clocks")
    with ui.slide(brief=True):
        ui.show(figure.clocks(_drawn(found)), key="clocks", alt=words.clocks_in_words(found), height=_HEIGHT)
    ui.aside(words.about_hands())
    ui.aside(words.about_real_models())
    ui.program(pytorch_clocks(query_at, key_at, both_at), _("Pairs that turn"))


def _drawn(clocks: Clocks) -> list[figure.Clock]:
    return [
        figure.Clock(
            _("Pair {n}", n=n),
            clocks.queries[:, n],
            clocks.keys[:, n],
            words.beside_clock(clocks, n),
            f"<b>{n}:</b> {in_print(float(clocks.angles[n]), '.0f')}°",  # below it, in large type and on a phone
        )
        for n in range(len(clocks.shares))
    ]
