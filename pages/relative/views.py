"""The four pictures of the page "Relative", and its table of schemes."""

import numpy as np
import streamlit as st

from embedviz.attention.layer import make_layer
from embedviz.attention.lengths import reaches
from embedviz.attention.one_head import N_HEADS, SHIFTS, ByDistance, Sentence, all_scores, by_distance, shift_test
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, translated
from embedviz.base.numbers import three_digits
from embedviz.base.options import label_of
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, distance_charts, shift_chart
from embedviz.figures.score_grid import ScorePanel, score_grid
from embedviz.figures.strips import strips
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import Scheme
from embedviz.programs import relative as export
from embedviz.text.visible import in_figure
from embedviz.ui import presenting
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards import cards
from embedviz.ui.components.plot import show
from embedviz.ui.components.table import table
from embedviz.ui.messages import show_error
from embedviz.ui.program import program
from pages.relative import words

_GRID = "clamp(22rem, calc(100vh - 22.2rem), 46rem)"
_LINES = "clamp(15rem, calc(100vh - 30rem), 32rem)"
_CHARTS = "clamp(22rem, calc(100vh - 21rem), 44rem)"
_STRIPS = "clamp(14rem, calc(100vh - 31rem), 26rem)"
_CODE = 380
# GPT-2's sizes, for the costs.
_TOKENS, _DIMS, _HEADS = 1024, 768, 12
_USEFUL = tuple(scheme for scheme in SCHEMES.values() if scheme.good_for)


def scores(sentence: Sentence) -> None:
    """One score matrix a scheme."""
    found = all_scores(sentence)
    cards(words.about_scores(found, sentence), key="about_scores")
    panels = [
        ScorePanel(words.title(name), translated(words.CHANGES[SCHEMES[name].kind]), found[name]) for name in found
    ]
    tokens = sentence.tokens
    largest = "; ".join(f"{panel.title} {_largest(panel.scores)}" for panel in panels)
    alt = _(
        "{n_panels} score matrices of {n} by {n} tokens. Largest score: {largest}.",
        n_panels=len(panels),
        n=len(tokens),
        largest=largest,
    )
    figure = score_grid(panels, tokens.ids, tokens.texts, is_large=presenting.is_on())
    show(figure, key="grid", alt=alt, height=_GRID)
    program(export.pytorch_scores(sentence), _("Scores of nine schemes"), height=_CODE)


def _largest(values: np.ndarray) -> str:
    return _("none") if np.isnan(values).any() else f"{np.abs(values).max():.2f}"


def shift(sentence: Sentence) -> None:
    """The same phrase later: the largest change of its scores."""
    found = shift_test(sentence)
    cards(words.about_shift(found, sentence), key="about_shift")
    lines = _lines(found)
    changes = [f"{words.title(name)} {_change(np.nanmax(values, initial=0))}" for name, values in found.items()]
    alt = _(
        "Largest change of a score when the phrase stands {first} to {last} tokens later: {changes}",
        first=SHIFTS[0],
        last=SHIFTS[-1],
        changes="; ".join(changes),
    )
    show(shift_chart(SHIFTS, lines), key="shift", alt=alt, height=_LINES)
    rows = [[line.name.replace("<br>", ", "), *map(_change, line.values)] for line in lines]
    columns = [_("k tokens later"), *map(str, SHIFTS)]
    table(
        columns,
        rows,
        key="changes",
        label=_("Largest change of a score"),
        numbers=range(1, len(columns)),
        is_aside=True,
    )
    program(export.pytorch_shift(sentence), _("The same phrase later"), height=_CODE)


def _lines(found: dict[str, np.ndarray]) -> list[Line]:
    """A line a scheme; those that are 0 throughout share one."""
    still = [name for name, values in found.items() if not values.any()]
    moving = [name for name in found if name not in still]
    colours = theme.token_colours(range(len(moving) + 1))
    lines = [Line(words.title(name), found[name], colours[n]) for n, name in enumerate(moving)]
    if not still:
        return lines
    titles = [words.title(name) for name in still]
    name = "<br>".join(", ".join(titles[n : n + 3]) for n in range(0, len(titles), 3))
    return [*lines, Line(name, np.zeros(len(SHIFTS), np.float32), theme.INK)]


def _change(value: float) -> str:
    return _("no row") if np.isnan(value) else three_digits(value)


def distance(sentence: Sentence, reach: int) -> None:
    """What four schemes make of a distance."""
    found = by_distance(sentence, reach)
    cards(words.about_distance(found, sentence), key="about_distance")
    alt = _(
        "Four charts over the distance from −{reach} to {reach}: RoPE falls from 1 to {left:.2f}; of "
        "ALiBi's {n_heads} straight lines that of head {head} falls to {alibi:.3g}; T5's buckets up to "
        "{buckets:.0f}, with their logarithm; Shaw's steps, {shaw}, flat beyond 16.",
        reach=reach,
        left=found.rope[-1],
        n_heads=N_HEADS,
        head=sentence.head + 1,
        alibi=found.alibi[sentence.head][-1],
        buckets=found.buckets.max(),
        shaw=extent(found.shaw),
    )
    charts = _charts(found, sentence)
    show(distance_charts(found.steps, charts, is_large=presenting.is_on()), key="distance", alt=alt, height=_CHARTS)
    program(export.pytorch_distance(sentence, reach), _("What schemes make of a distance"), height=_CODE)


def _charts(found: ByDistance, sentence: Sentence) -> list[Chart]:
    blue, orange = (theme.token_colours(range(2))[n] for n in range(2))
    heads = [
        Line(
            _("head {n}", n=n + 1), values, blue if n == sentence.head else theme.FAINT, 3 if n == sentence.head else 1
        )
        for n, values in enumerate(found.alibi)
    ]
    shaw = [Line("Shaw", found.shaw, blue, shape="hvh")]
    first = in_figure(sentence.tokens.texts[0])
    return [
        Chart(_("RoPE: a vector and itself, turned apart"), [Line(_("share left"), found.rope, blue)], _("share left")),
        Chart(
            _("ALiBi: a slope a head, head {head} in colour", head=sentence.head + 1), heads, _("added to the score")
        ),
        Chart(
            _("T5: bucket of a distance, and the formula"),
            [
                Line(_("formula"), found.formula, orange, 1.5, "dot"),
                Line(_("bucket"), found.buckets, blue, shape="hvh"),
            ],
            _("bucket"),
        ),
        Chart(_("Shaw: the query of {first}, clipped at 16", first=first), shaw, _("added to the score")),
    ]


def longer(trained: int, used: int, output_dim: int) -> None:
    """Trained on short texts, used on long ones."""
    try:
        make_layer("rope", output_dim, N_HEADS, 0)
        found = reaches(trained, used, output_dim)
    except EmbedvizError as error:
        show_error(error)
        return
    cards(words.about_lengths(found, trained, used), key="about_lengths")
    names = [words.title(reach.name) for reach in found]
    states = np.stack([reach.states for reach in found])
    rows = [words.length_row(reach, trained) for reach in found]
    said = " ".join(f"{row[0]}: {row[1]}." for row in rows)
    alt = _("Trained on {trained} tokens, used on {used}. {said}", trained=trained, used=used, said=said)
    show(strips(names, states, [*map(translated, words.STATES)], trained), key="strips", alt=alt, height=_STRIPS)
    table(
        [_("Scheme"), _("Positions, or distances back"), _("Past the trained length")],
        rows,
        key="reaches",
        label=_("Lengths"),
        is_aside=True,
    )
    program(export.pytorch_lengths(trained, used, output_dim), _("Longer than in training"), height=_CODE)


def table_of_schemes() -> None:
    """What each is good for, who uses it, what it costs, and where to see it."""
    rows = [_scheme_row(scheme) for scheme in _USEFUL]
    columns = [
        _("Scheme"),
        _("Changes"),
        _("Good for"),
        _("Paper"),
        _("Used by"),
        _("Parameters"),
        "×",
        "+",
        _("See it"),
    ]
    if presenting.is_on():
        shown = (0, 1, 2, 5, 6, 7)  # what a hall can take in
        columns, rows = [columns[n] for n in shown], [[row[n] for n in shown] for row in rows]
        table(columns, rows, key="schemes", label=_("Schemes"), numbers=(3, 4, 5))
    else:
        actions = [label_of("relative")(scheme.seen_in) if scheme.seen_in else "" for scheme in _USEFUL]
        table(columns, rows, key="schemes", label=_("Schemes"), numbers=(5, 6, 7), actions=actions, on_choose=_go)
    st.caption(
        _(
            "Parameters, and multiplications (×) and additions (+) beside those without positions, of one "
            "layer over {n_tokens:,} tokens of {n_dims} dimensions with {n_heads} heads, as this page "
            "computes it. Absolute: the first two. A mask is not counted.",
            n_tokens=_TOKENS,
            n_dims=_DIMS,
            n_heads=_HEADS,
        )
    )
    program(export.pytorch_costs(_TOKENS, _DIMS, _HEADS, _TOKENS), _("Parameters of the schemes"), height=_CODE)


def _scheme_row(scheme: Scheme) -> list[str]:
    price = scheme.cost(_TOKENS, _DIMS, _HEADS, _TOKENS)
    numbers = (price.parameters, price.multiplications, price.additions)
    used_by = ", ".join(scheme.used_by)
    return [
        translated(scheme.title),
        translated(words.CHANGES[scheme.kind]),
        translated(scheme.good_for),
        scheme.paper,
        used_by,
        *(f"{number:,}" if number < 1e6 else f"{number / 1e6:,.1f} M" for number in numbers),
    ]


def _go() -> None:
    row = getattr(st.session_state.get("schemes"), "chosen", None)
    if type(row) is int and 0 <= row < len(_USEFUL):
        st.session_state["relative"] = _USEFUL[row].seen_in


VIEWS = {
    "scores": scores,
    "shift": shift,
    "distance": distance,
    "lengths": longer,
    "schemes": table_of_schemes,
}
