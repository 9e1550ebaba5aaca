"""The view "copies" of the page "Layers": how alike copies of a token are, at the input and after each layer."""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, ngettext, translated
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line
from embedviz.figures.figure import Figure
from embedviz.figures.stages import stage_charts
from embedviz.layers.copies import Alike, alike
from embedviz.programs.layers import pytorch_copies
from embedviz.programs.next_word import pytorch_states
from embedviz.text.visible import in_figure
from embedviz.ui import sentences
from embedviz.ui.fields import one_of, whole_number
from embedviz.ui.messages import stop_at_error
from embedviz.ui.options import OPTIONS
from pages.layers import words
from pages.layers.chosen import (
    MOST_SHIFTED,
    Both,
    Reader,
    placed,
    positions_after,
    read_both,
    reader,
    rows,
    say_how_to_get_one,
    two_sentences,
    waiting,
)

MOST = 10  # lines that have room for a name
_SAME = 5e-4  # lines that differ by less are one line on the screen
_HEIGHT = "clamp(17rem, calc(100vh - 24rem), 44rem)"


def copies(page: ui.Frame) -> None:
    """Show how alike copies are with positions off and on, and how alike the two sentences are."""
    say_how_to_get_one(page.messages)
    with page.settings():
        measure = one_of(_("Measure"), OPTIONS["measure"], key="measure")
        n = whole_number(_("All + n: by how many places"), 1, MOST_SHIFTED, 200, key="n", below=page.messages)
    _copies(measure, n)


@ui.part
def _copies(measure: str, n: int) -> None:
    left, right, model = sentences.columns([3, 3, 2.4])
    of = reader(model)
    texts = two_sentences((left, right), of)
    with stop_at_error(of.name):
        change, shift = _change(of, texts, n)
    picture, beside = st.columns([3, 1.3])
    with picture, stop_at_error(of.name), waiting(of):
        both = read_both(of, texts, change, shift)
        off = read_both(of, texts, "off") if of.scheme != "alibi" else None
    found, without = alike(both.a, both.b), alike(off.a, off.b) if off else None
    with picture, ui.slide("copies"):
        figure = copies_figure(both, found, None if change == "off" else without, measure)
        ui.show(figure, key="copies", alt=words.copies_in_words(both, found, measure), height=_HEIGHT)
    with beside:
        ui.cards(words.about_copies(of, both, found, change, shift), key="about_copies")
    ui.program(program(of, both, found), _("Two orders, layer by layer"), height=380, rows=partial(rows, both))


def program(of: Reader, both: Both, found: Alike) -> str:
    """The PyTorch that prints the cosines."""
    if not of.run:
        return pytorch_copies(of.name, *both.each(positions_after), found.pairs)
    a, b = ((each.tokens.texts, placement) for each, placement in both.each(placed))
    return pytorch_states(of.run, a, b, found.pairs)


def _change(of: Reader, texts: list[str], n: int) -> tuple[str, int]:
    """What is done to the positions, and by how many places they are shifted: n, or as many as the model has room."""
    with ui.on_every_slide("change"):
        offered = ["trained"] if of.scheme == "alibi" else list(OPTIONS["change"])
        change = one_of(_("Positions"), offered, key="change", label_visibility="collapsed")
    return change, max(0, min(n, of.most_shifted(max(map(of.n_tokens, texts)))))


def copies_figure(both: Both, found: Alike, without: Alike | None, measure: str) -> Figure:
    """A line for each pair of copies, or one if they cannot be told apart; and one with positions off, if it is given.

    measure: "cosine" or "distance".
    """
    values = {"cosine": found.cosines, "distance": found.distances}[measure]  # (P, n_layers + 1)
    lines = _lines(both, found.pairs, values)
    if without and len(without.pairs):
        flat = {"cosine": without.cosines, "distance": without.distances}[measure].mean(axis=0)
        lines.append(Line(_("positions off {end}", end=in_print(flat[-1], ".3f")), flat, theme.INK, 2, "dash"))
    if measure == "distance" and not np.isnan(found.other_distances).any():
        name = _("other tokens {end:.1f}", end=found.other_distances[-1])
        lines.append(Line(name, found.other_distances, theme.FAINT, 2, "dot"))
    drawn = np.concatenate([line.values for line in lines]) if lines else np.ones(1)
    ends = (min(0.9, float(np.floor(10 * drawn.min()) / 10)), 1.0) if measure == "cosine" else (0.0, None)
    return stage_charts([Chart("", lines, translated(OPTIONS["measure"][measure]))], *ends)


def _lines(both: Both, pairs: list[tuple[int, int]], values: np.ndarray) -> list[Line]:
    if not len(values):
        return []
    if np.ptp(values, axis=0).max() < _SAME:
        n = len(values)
        name = ngettext("{n} copy {end:.3f}", "all {n} copies {end:.3f}", n, end=values[0, -1])
        return [Line(name, values[0], theme.INK, 3)]
    texts, colours = both.a.tokens.texts, theme.token_colours([*both.a.tokens.ids, *both.b.tokens.ids])
    return [
        Line(f"{in_figure(texts[i])} {in_print(row[-1], '.3f')}", row, colours[both.a.tokens.ids[i]])
        for (i, _j), row in zip(pairs[:MOST], values, strict=False)
    ]
