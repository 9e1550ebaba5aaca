"""The views of the page "Relative": four pictures. The other views are in files of their own."""

import numpy as np
import streamlit as st

from embedviz.attention.layer import make_layer
from embedviz.attention.lengths import reaches
from embedviz.attention.one_head import N_HEADS, SHIFTS, ByDistance, Sentence, all_scores, by_distance, shift_test
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, translated
from embedviz.base.numbers import three_digits
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, distance_charts, shift_chart
from embedviz.figures.schemes.reach_strips import strips
from embedviz.figures.schemes.score_grid import ScorePanel, score_grid
from embedviz.positions import SCHEMES
from embedviz.programs import relative as export
from embedviz.text.visible import in_figure
from embedviz.ui import presenting
from embedviz.ui.alt_text import extent
from embedviz.ui.components.cards import cards
from embedviz.ui.components.plot import show
from embedviz.ui.components.table import table
from embedviz.ui.messages import show_error
from embedviz.ui.program import program
from pages.relative import length_words, words
from pages.relative.schemes import table_of_schemes
from pages.relative.t5_view import learned_by_t5

_GRID = "clamp(22rem, calc(100vh - 22.2rem), 46rem)"
_LINES = "clamp(15rem, calc(100vh - 30rem), 32rem)"
_CHARTS = "clamp(22rem, calc(100vh - 21rem), 44rem)"
_STRIPS = "clamp(14rem, calc(100vh - 31rem), 26rem)"
_CODE = 380


def scores(sentence: Sentence) -> None:
    """Show one score matrix for each scheme."""
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
    if not presenting.is_on():
        st.caption(words.as_computed_here())
    program(export.pytorch_scores(sentence), _("Scores of {n} schemes", n=len(SCHEMES)), height=_CODE)


def _largest(values: np.ndarray) -> str:
    return _("none") if np.isnan(values).any() else f"{np.abs(values).max():.2f}"


def shift(sentence: Sentence) -> None:
    """Show the largest change of a phrase's scores when the phrase stands later in the text."""
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
    )
    program(export.pytorch_shift(sentence), _("The same phrase later"), height=_CODE)


def _lines(found: dict[str, np.ndarray]) -> list[Line]:
    """Make one line for each scheme. Schemes whose line is 0 throughout share one line."""
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
    """Show what four schemes make of a distance."""
    found = by_distance(sentence, reach)
    cards(words.about_distance(found, sentence), key="about_distance")
    alt = _(
        "Four charts over the distance from −{reach} to {reach}. RoPE: an all-ones vector goes up and down from 1 to "
        "{left:.2f}, the sentence's own query and key have scores {own}, and random ones a mean {mean} with a spread "
        "{spread}. Of ALiBi's {n_heads} straight lines that of head {head} falls to {alibi:.3g}. T5's biases {t5}, one "
        "a bucket, of which there are {buckets}. Shaw's steps, {shaw}, flat beyond 16.",
        reach=reach,
        left=found.rope[-1],
        own=extent(found.rope_own),
        mean=extent(found.rope_mean),
        spread=extent(found.rope_spread),
        n_heads=N_HEADS,
        head=sentence.head + 1,
        alibi=found.alibi[sentence.head][-1],
        t5=extent(found.t5),
        buckets=len(np.unique(found.buckets)),
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
    first, last = (in_figure(sentence.tokens.texts[n]) for n in (0, -1))
    spread = _("random pairs, mean ± spread")
    rope = [
        Line(spread, found.rope_mean + found.rope_spread, theme.FAINT, 1.5, "dot"),
        Line(spread, found.rope_mean - found.rope_spread, theme.FAINT, 1.5, "dot"),
        Line(_("random pairs, mean"), found.rope_mean, theme.FAINT, 1.5),
        Line(_("query of {first}, key of {last}", first=first, last=last), found.rope_own, orange, 2, "dash"),
        Line(_("all-ones vector, relative to distance 0"), found.rope, blue),
    ]
    return [
        Chart(
            _("RoPE: ones, own (dashed), random (dots)"),
            rope,
            _("score"),
        ),
        Chart(
            _("ALiBi: one slope per head, head {head} in colour", head=sentence.head + 1),
            heads,
            _("added to the score"),
        ),
        Chart(
            _("T5: one untrained bias a bucket, head {head}", head=sentence.head + 1),
            [Line("T5", found.t5, blue, shape="hvh")],
            _("added to the score"),
        ),
        Chart(_("Shaw: the query of {first}, clipped at 16", first=first), shaw, _("added to the score")),
    ]


def longer(trained: int, used: int, output_dim: int) -> None:
    """Show what happens when a model was trained on short texts and is used on long ones."""
    try:
        make_layer("rope", output_dim, N_HEADS, 0)
        found = reaches(trained, used, output_dim)
    except EmbedvizError as error:
        show_error(error)
        return
    cards(length_words.about_lengths(found, trained, used), key="about_lengths")
    names = [words.title(reach.name) for reach in found]
    states = np.stack([reach.states for reach in found])
    rows = [length_words.length_row(reach, trained) for reach in found]
    said = " ".join(f"{row[0]}: {row[1]}." for row in rows)
    alt = _("Trained on {trained} tokens, used on {used}. {said}", trained=trained, used=used, said=said)
    show(strips(names, states, [*map(translated, length_words.STATES)], trained), key="strips", alt=alt, height=_STRIPS)
    table(
        [_("Scheme"), _("Positions, or distances back"), _("Past the trained length")],
        rows,
        key="reaches",
        label=_("Lengths"),
    )
    program(export.pytorch_lengths(trained, used, output_dim), _("Longer than in training"), height=_CODE)


VIEWS = {
    "scores": scores,
    "shift": shift,
    "distance": distance,
    "t5": learned_by_t5,
    "lengths": longer,
    "schemes": table_of_schemes,
}
