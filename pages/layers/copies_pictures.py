"""The pictures of the view "copies": a line for each pair of copies, and their vectors after one layer."""

from collections.abc import Sequence

import numpy as np

from embedviz import ui
from embedviz.base.i18n import _, ngettext, translated
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.figures.figure import Figure
from embedviz.layers.copies import CopySimilarity
from embedviz.text.tokens import words_first
from embedviz.text.visible import in_figure
from embedviz.ui import OPTIONS
from embedviz.ui.inputs.model_runs import PairOutput
from pages.layers import words
from pages.layers.followed import Followed

MOST = 10  # lines that have room for a name
_N_NUMBERS = 32  # of each vector, on the strips
_IN_A_HALL = 2  # pairs of strips, none of them of special tokens
_ROUNDING = 1e-5  # of a vector's length: copies that are not farther apart differ by rounding alone
_SAME = 5e-4  # lines that differ by less are one line on the screen


def copies_figure(states: Sequence[Followed], measure: str, at: int = 0) -> Figure:
    """A chart for each model, with a line for each pair of copies, or one if they cannot be told apart; and one with
    positions off. measure: "cosine" or "distance". at: the layer whose strips are drawn.
    """
    name = translated(OPTIONS["measure"][measure])
    titles = [each.model.title if len(states) > 1 else "" for each in states]
    charts = [
        Chart(title, _all_lines(each, measure), name, names_lowest=measure == "cosine")
        for title, each in zip(titles, states, strict=True)
    ]
    values = [line.values for chart in charts for line in chart.lines]
    lowest = min((float(each.min()) for each in values), default=1.0)
    ends = (min(0.9, float(np.floor(10 * lowest) / 10)), 1.0) if measure == "cosine" else (0.0, None)
    return stage_charts(charts, *ends, at=at)


def _all_lines(states: Followed, measure: str) -> list[Line]:
    shown, without = states.similarity, states.without
    lines = _lines(states.both, shown.pairs, _values(shown, measure))
    if without and without.pairs:
        off = _values(without, measure)
        flat, end = off.mean(axis=0), in_print(off[:, -1].mean(), ".3f")
        name = _("positions off {end}", end=end) if _is_one(off) else _("off, mean {end}", end=end)
        lines.append(Line(name, flat, theme.INK, 2, "dash"))
    if measure == "distance" and not np.isnan(shown.other_distances).any():
        name = _("other tokens {end:.1f}", end=shown.other_distances[-1])
        lines.append(Line(name, shown.other_distances, theme.FAINT, 2, "dot"))
    return lines


def _values(likeness: CopySimilarity, measure: str) -> np.ndarray:
    return likeness.cosines if measure == "cosine" else likeness.distances


def _lines(both: PairOutput, pairs: list[tuple[int, int]], values: np.ndarray) -> list[Line]:
    if not len(values):
        return []
    if _is_one(values):
        n = len(values)
        name = ngettext("{n} copy {end:.3f}", "all {n} copies {end:.3f}", n, end=values[0, -1])
        return [Line(name, values[0], theme.INK, 3)]
    texts, colours = both.a.tokens.texts, theme.token_colours(words_first(both.a.tokens, both.b.tokens))
    names = [f"{in_figure(text)} ({n})" if texts.count(text) > 1 else in_figure(text) for n, text in enumerate(texts)]
    return [
        Line(f"{names[i]} {in_print(row[-1], '.3f')}", row, colours[both.a.tokens.ids[i]])
        for (i, _j), row in zip(pairs[:MOST], values, strict=False)
    ]


def _is_one(values: np.ndarray) -> bool:
    """Whether the lines of these values, (P, n_layers + 1), cannot be told apart."""
    return float(np.ptp(values, axis=0).max()) < _SAME


def strips(followed: Followed, layer: int) -> None:
    """The vectors of each pair of copies after one layer, and their difference."""
    n_dims = followed.both.a.hidden_states.shape[-1]
    _draw_strips(followed, layer, range(len(followed.similarity.pairs)), words.about_strips(layer, _N_NUMBERS, n_dims))


def strips_of_words(followed: Followed, layer: int) -> None:
    """The same of the first pairs that are no special tokens, as a hall has time for them."""
    spans, pairs = followed.both.a.tokens.spans, followed.similarity.pairs
    drawn = [n for n, (i, _j) in enumerate(pairs) if len({*spans[i]}) > 1][:_IN_A_HALL]
    _draw_strips(followed, layer, drawn, words.after(layer))


def _draw_strips(followed: Followed, layer: int, drawn: Sequence[int], head: str) -> None:
    both, similarity = followed.both, followed.similarity
    states = [sentence.hidden_states[layer] for sentence in (both.a, both.b)]  # (T, D)
    unrelated = similarity.other_distances[layer]
    ui.vector_strips(
        (both.a.tokens, both.b.tokens),
        (np.ascontiguousarray(states[0][:, :_N_NUMBERS]), np.ascontiguousarray(states[1][:, :_N_NUMBERS])),
        [similarity.pairs[n] for n in drawn],
        similarity.distances[[*drawn], layer].tolist(),
        head=head,
        label=words.strips_in_words(similarity, layer),
        least=_ROUNDING * float(np.linalg.norm(states[0], axis=1).mean()),
        unrelated=None if np.isnan(unrelated) else float(unrelated),
        key="layer_strips",
    )
