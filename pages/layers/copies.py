"""The view "copies" of the page "Layers": how alike copies of a token are, at the input and after each layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, ngettext, translated
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.figures.figure import Figure
from embedviz.layers.copies import CopySimilarity, copy_similarity
from embedviz.programs.layers import pytorch_copies
from embedviz.programs.next_word import pytorch_states
from embedviz.text.tokens import words_first
from embedviz.text.visible import in_figure
from embedviz.ui import presenting
from embedviz.ui.inputs import bringing
from embedviz.ui.inputs.fields import BOUND, one_of, whole_number
from embedviz.ui.inputs.options import OPTIONS
from embedviz.ui.inputs.readers import of_another_kind, reader_and_texts, say_how_to_get_one, waiting
from embedviz.ui.inputs.reading import MOST_SHIFTED, Both, Reader, placed, read_both, rows
from embedviz.ui.messages import literal, stop_at_error
from embedviz.vectors.forward import Forward
from pages.layers import words

MOST = 10  # lines that have room for a name
_N_NUMBERS = 32  # of each vector, on the strips
_MOST_LAYERS = 200  # that a model may have
_IN_A_HALL = 3  # pairs of strips, each of which has a slide; special tokens have none
_ROUNDING = 1e-5  # of a vector's length: copies that are not farther apart differ by rounding alone
_SAME = 5e-4  # lines that differ by less are one line on the screen
_HEIGHT = "clamp(17rem, calc(100vh - 30rem), 44rem)"


def copies(page: ui.Frame) -> None:
    """Show how alike copies are with positions off and on, and how alike the two sentences are."""
    say_how_to_get_one(page.messages)
    with page.settings():
        bringing.offer()
        measure = one_of(_("Measure"), OPTIONS["measure"], key="measure")
        n = whole_number(_("All + n: by how many places"), 1, MOST_SHIFTED, 200, key="n", below=page.messages)
    _copies(measure, n)


@dataclass(frozen=True)
class Followed:
    """What a model makes of both sentences. without: of them with positions off, where the model can be run so.

    unrelated: what it makes of a sentence that has nothing to do with them, after the same change of positions as B.
    """

    of: Reader
    both: Both
    unrelated: Forward | None
    found: CopySimilarity
    without: CopySimilarity | None

    @property
    def n_layers(self) -> int:
        """How many layers the model has."""
        return len(self.found.other_cosines) - 1


@ui.part
def _copies(measure: str, n: int) -> None:
    of, texts = reader_and_texts()
    with stop_at_error():
        change, shift, at, other = _controls(of, texts, n)
    with stop_at_error(), waiting(of):
        shown = [_followed(each, texts, change, shift) for each in (of, other) if each]
    followed = shown[0]
    at = min(at, followed.n_layers)
    cards = words.about_copies(of, followed.both, followed.found, followed.unrelated, shift)
    ui.findings(cards, key="about_copies")
    with ui.slide("copies", brief=True):
        ui.finding(cards[0])
        figure = copies_figure(shown, measure, at)
        alt = words.copies_in_words(followed.both, followed.found, measure)
        ui.show(figure, key="copies", alt=alt, height=_HEIGHT, on_pick=partial(_pick, followed))
    if len(followed.found.pairs) > MOST:
        ui.aside(_("The first {most} of {n} copies are drawn.", most=MOST, n=len(followed.found.pairs)))
    with ui.slide("strips", alone=True):
        _strips(followed, at)
    text = program(followed)
    ui.program(text, _("Two orders, layer by layer"), height=380, rows=partial(rows, followed.both))


def _pick(followed: Followed, _trace: int, layer: int, _y: int) -> None:
    """Take the layer whose point was clicked. For callbacks."""
    st.session_state["at"] = min(max(layer, 0), followed.n_layers)


def _strips(followed: Followed, at: int) -> None:
    """The vectors of each pair of copies at one layer, and their difference."""
    both, found = followed.both, followed.found
    drawn = list(range(len(found.pairs)))
    if presenting.is_on():
        drawn = [n for n in drawn if len({*both.a.tokens.spans[found.pairs[n][0]]}) > 1][:_IN_A_HALL]
    states = [each.hidden_states[at] for each in (both.a, both.b)]  # (T, D)
    unrelated = found.other_distances[at]
    ui.vector_strips(
        (both.a.tokens, both.b.tokens),
        tuple(np.ascontiguousarray(each[:, :_N_NUMBERS]) for each in states),
        [found.pairs[n] for n in drawn],
        found.distances[drawn, at],
        head=words.after(at) if presenting.is_on() else words.about_strips(at, _N_NUMBERS, states[0].shape[1]),
        label=words.strips_in_words(found, at),
        least=_ROUNDING * float(np.linalg.norm(states[0], axis=1).mean()),
        unrelated=None if np.isnan(unrelated) else float(unrelated),
        key="layer_strips",
    )


def _followed(of: Reader, texts: list[str], change: str, shift: int) -> Followed:
    both = read_both(of, texts, change, shift)
    text = of.unrelated(texts)
    unrelated = of.read(text, both.changes[1], shift) if text else None
    off = read_both(of, texts, "off") if of.can_move and change != "off" else None
    found = copy_similarity(both.a, both.b, unrelated)
    return Followed(of, both, unrelated, found, copy_similarity(off.a, off.b) if off else None)


def program(followed: Followed) -> str:
    """The PyTorch that prints the cosines."""
    of, both, unrelated = followed.of, followed.both, followed.unrelated
    read = [*both.placements]
    if unrelated:
        read.append((unrelated, placed(both.changes[1], len(unrelated.tokens), both.shift, both.swap)))
    if not of.run:
        a, b, *third = read
        return pytorch_copies(of.name, a, b, followed.found.pairs, *third)
    a, b, *third = ((each.tokens.texts, placement) for each, placement in read)
    return pytorch_states(of.run, a, b, followed.found.pairs, *third)


def _controls(of: Reader, texts: list[str], n: int) -> tuple[str, int, int, Reader | None]:
    """What is done to the positions; by how many places they are shifted: n, or as many as the model has room; the
    layer whose strips are drawn, which a click on the lines picks too; and the model that is drawn beside this one.
    """
    row, right = st.columns([7, 3], vertical_alignment="bottom")
    if presenting.is_on():
        left, middle = st.container(), row
    else:
        left, middle = row.columns([3, 1], vertical_alignment="bottom")
    with left, ui.on_every_slide("change"):
        offered = list(OPTIONS["change"]) if of.can_move else ["trained"]
        change = one_of(_("Positions"), offered, key="change", label_visibility="collapsed")
    at = whole_number(_("Layer"), 0, _MOST_LAYERS, 1, key="at", place=middle)
    other = of_another_kind(of)
    with right:
        is_beside = bool(other) and st.toggle(_("Beside {model}", model=literal(other.title)), key="beside", **BOUND)
    longest = max(map(of.n_tokens, (*texts, of.unrelated(texts))))
    most = min(each.most_shifted(longest) for each in (of, other if is_beside else None) if each)
    return change, max(0, min(n, most)), at, other if is_beside else None


def copies_figure(shown: Sequence[Followed], measure: str, at: int = 0) -> Figure:
    """A chart for each model, with a line for each pair of copies, or one if they cannot be told apart; and one with
    positions off. measure: "cosine" or "distance". at: the layer whose strips are drawn.
    """
    name = translated(OPTIONS["measure"][measure])
    titles = [each.of.title if len(shown) > 1 else "" for each in shown]
    charts = [Chart(title, _all_lines(each, measure), name) for title, each in zip(titles, shown, strict=True)]
    values = [line.values for chart in charts for line in chart.lines]
    lowest = min((float(each.min()) for each in values), default=1.0)
    ends = (min(0.9, float(np.floor(10 * lowest) / 10)), 1.0) if measure == "cosine" else (0.0, None)
    return stage_charts(charts, *ends, at=at)


def _all_lines(each: Followed, measure: str) -> list[Line]:
    found, without = each.found, each.without
    lines = _lines(each.both, found.pairs, _values(found, measure))
    if without and without.pairs:
        off = _values(without, measure)
        flat, end = off.mean(axis=0), in_print(off[:, -1].mean(), ".3f")
        name = _("positions off {end}", end=end) if _is_one(off) else _("off, mean {end}", end=end)
        lines.append(Line(name, flat, theme.INK, 2, "dash"))
    if measure == "distance" and not np.isnan(found.other_distances).any():
        name = _("other tokens {end:.1f}", end=found.other_distances[-1])
        lines.append(Line(name, found.other_distances, theme.FAINT, 2, "dot"))
    return lines


def _values(likeness: CopySimilarity, measure: str) -> np.ndarray:
    return likeness.cosines if measure == "cosine" else likeness.distances


def _lines(both: Both, pairs: list[tuple[int, int]], values: np.ndarray) -> list[Line]:
    if not len(values):
        return []
    if _is_one(values):
        n = len(values)
        name = ngettext("{n} copy {end:.3f}", "all {n} copies {end:.3f}", n, end=values[0, -1])
        return [Line(name, values[0], theme.INK, 3)]
    texts, colours = both.a.tokens.texts, theme.token_colours(words_first(both.a.tokens, both.b.tokens))
    return [
        Line(f"{in_figure(texts[i])} {in_print(row[-1], '.3f')}", row, colours[both.a.tokens.ids[i]])
        for (i, _j), row in zip(pairs[:MOST], values, strict=False)
    ]


def _is_one(values: np.ndarray) -> bool:
    """Whether the lines of these values, (P, n_layers + 1), cannot be told apart."""
    return float(np.ptp(values, axis=0).max()) < _SAME
