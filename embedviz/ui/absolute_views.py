"""The six pictures of the page "Positions"."""

from functools import partial

import numpy as np
import streamlit as st

from embedviz import absolute
from embedviz import export_positions as export
from embedviz.absolute import KINDS, MAX_POSITIONS, Settings
from embedviz.checkpoints import CHECKPOINTS
from embedviz.errors import EmbedvizError, Unavailable
from embedviz.figures.panels import Curve, Curves, Heat, panels
from embedviz.lookup import pytorch_error
from embedviz.positions import sinusoidal
from embedviz.takeaway import of_positions
from embedviz.ui import absolute_words as words
from embedviz.ui.absolute_adding import adding
from embedviz.ui.alternatives import extent
from embedviz.ui.cards import cards
from embedviz.ui.fields import whole_number
from embedviz.ui.literal import literal
from embedviz.ui.plot import show
from embedviz.ui.program import program
from embedviz.ui.unavailable import unavailable

_HEIGHT = "clamp(18rem, calc(100vh - 23rem), 40rem)"
_URL = {"bind": "query-params"}


def _kind(column) -> str:
    with column:
        return st.segmented_control("Table", KINDS, default=KINDS[0], required=True, key="kind", **_URL)


def table_view(settings: Settings) -> None:
    """The table, with one position or one dimension picked out as a line."""
    first, second, third = st.columns([2, 1.5, 1], vertical_alignment="bottom")
    kind = _kind(first)
    with second:
        along = st.segmented_control(
            "As a line", ("Position", "Dimension"), default="Position", required=True, key="along", **_URL
        )
    rows = absolute.table(kind, settings)
    with third:
        at = whole_number(along, 0, rows.shape[along == "Dimension"] - 1, 1, key=f"picked_{along.lower()}")
    cards(words.about_table(kind, settings), key="about")
    line = rows[at] if along == "Position" else rows[:, at]
    picked = {"row": at} if along == "Position" else {"column": at}
    other = "dimension" if along == "Position" else "position"
    parts = [
        Heat(f"{kind}: {rows.shape[0]} × {rows.shape[1]}", rows, "dimension", "position", **picked),
        Curves(f"{along} {at}", [Curve(f"{along} {at}", np.arange(len(line)), line)], other, "value"),
    ]
    alt = (
        f"Table of {rows.shape[0]} positions by {rows.shape[1]} dimensions, numbers {extent(rows)}. "
        f"{along} {at}: {extent(line)}."
    )
    show(panels(parts, (1.5, 1)), key="table", alt=alt, height=_HEIGHT)
    program(
        export.pytorch_line(settings, kind, along, at), "A table of positions", rows=partial(of_positions, settings)
    )


def pairs_view(settings: Settings) -> None:
    """Wavelengths, and a shift as a rotation."""
    last = settings.output_dim // 2 - 1
    left, right, _ = st.columns([1, 1, 3], vertical_alignment="bottom")
    with left:
        k = whole_number("Shift (positions)", 1, MAX_POSITIONS, 5, key="shift")
    with right:
        number = whole_number("Pair", 0, last, min(4, last), key="pair_number")
    found = absolute.shift(settings, k)
    cards(words.about_pairs(found, settings, k, number), key="about")
    waves = absolute.wavelengths(settings)
    rows = absolute.pair(absolute.table("sinusoidal", settings), number, settings.layout)
    turned = absolute.pair(found.turned, number, settings.layout)[0]
    parts = [
        Curves(
            "Wavelength of every dimension",
            [Curve("wavelength", np.arange(len(waves)), waves)],
            "dimension",
            "positions",
            log=True,
        ),
        Curves(f"Pair {number}: sine and cosine", _circle(rows, turned, k), "cosine", "sine", square=True),
    ]
    alt = (
        f"Wavelengths from {waves.min():.3g} to {waves.max():.6g} positions. Pair {number} on a circle: from position "
        f"0 to {k} it turns from ({rows[0, 1]:.3f}, {rows[0, 0]:.3f}) to ({turned[1]:.3f}, {turned[0]:.3f})."
    )
    show(panels(parts, (1.6, 1)), key="pairs", alt=alt, height=_HEIGHT)
    program(export.pytorch_shift(settings, k), "A shift is a rotation")


def _circle(rows: np.ndarray, turned: np.ndarray, k: int) -> list[Curve]:
    """The pair of every position on the unit circle, with hands at positions 0 and k."""
    round_ = np.linspace(0, 2 * np.pi, 90)
    hands = [
        Curve(
            f"position {name}",
            np.array([0, hand[1]]),
            np.array([0, hand[0]]),
            f"var(--token-{n})",
            "lines+markers+text",
            ["", str(name)],
        )
        for n, (name, hand) in enumerate(((0, rows[0]), (k, turned)))
    ]
    every = Curve("position", rows[:, 1], rows[:, 0], "var(--faint)", "markers")
    return [Curve("circle", np.cos(round_), np.sin(round_), "var(--grid)"), every, *hands]


def similarity_view(settings: Settings) -> None:
    """Every position with every other, against distance, and as a path."""
    kind = _kind(st.container())
    found = absolute.similarity(absolute.table(kind, settings))
    cards(words.about_similarity(kind, found, settings.source), key="about")
    steps = np.arange(len(found.mean))
    path = Curve("path", found.path[:, 0], found.path[:, 1], "var(--token-0)", "lines+markers")
    parts = [
        Heat("Cosine of two positions", found.cosines, "position", "position"),
        Curves(
            "Against distance",
            [
                Curve("smallest", steps, found.low, "var(--faint)", dash="dot"),
                Curve("largest", steps, found.high, "var(--faint)", dash="dash"),
                Curve("mean", steps, found.mean, "var(--token-0)"),
            ],
            "distance",
            "cosine",
        ),
        Curves(
            "The positions in two dimensions",
            [path],
            f"PC 1 ({found.explained[0]:.0%})",
            f"PC 2 ({found.explained[1]:.0%})",
        ),
    ]
    alt = (
        f"Cosines of {len(steps)} positions: mean at distance 1 {found.mean[min(1, len(steps) - 1)]:.3f}, at the "
        f"largest distance {found.mean[-1]:.3f}. Two principal components carry {found.explained.sum():.0%} of the "
        "variance."
    )
    show(panels(parts, (1.1, 1, 1), "70rem"), key="similarity", alt=alt, height=_HEIGHT)
    program(export.pytorch_similarity(settings, kind), "Similar positions", rows=partial(of_positions, settings))


def side_by_side(settings: Settings) -> None:
    """Three tables of one size on one scale."""
    tables = {kind: absolute.table(kind, settings) for kind in KINDS}
    lengths = {kind: _lengths(rows) for kind, rows in tables.items()}
    cards(words.about_kinds(lengths, settings), key="about")
    parts = [Heat(kind, rows, "dimension", "position") for kind, rows in tables.items()]
    alt = "Three tables on one scale. " + "; ".join(f"{kind}: numbers {extent(rows)}" for kind, rows in tables.items())
    show(panels(parts, (1, 1, 1), "70rem"), key="kinds", alt=f"{alt}.", height=_HEIGHT)
    program(export.pytorch_side_by_side(settings), "Tables side by side", rows=partial(of_positions, settings))


def _lengths(rows: np.ndarray) -> tuple[float, float]:
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    return float(lengths.min()), float(lengths.max())


def past_the_end(settings: Settings) -> None:
    """A length that may pass the end of the learned table."""
    end = settings.context_length
    if settings.source in CHECKPOINTS:
        title, last = CHECKPOINTS[settings.source].title, settings.rows_of_source - 1
        st.info(f"The table of {title} goes on to row {last:,}; here it is cut, to see what an end does.")
    most = min(2 * end, MAX_POSITIONS)
    length = st.slider("Length of the text (tokens)", 1, most, min(end + 16, most), key="length", **_URL)
    error = pytorch_error(end, settings.output_dim, range(length))
    cards(words.about_end(length, settings, error), key="about")
    learned = np.full((length, settings.output_dim), np.nan, np.float32)
    kept = min(length, end)
    learned[:kept] = absolute.table("learned", settings)[:kept]
    goes_on = sinusoidal.table(length, settings.output_dim, base=settings.base, layout=settings.layout)
    parts = [
        Heat("learned", learned, "dimension", "position"),
        Heat("sinusoidal", goes_on, "dimension", "position"),
    ]
    alt = (
        f"Learned rows for {kept} of {length} positions, numbers {extent(learned[:kept])}; sinusoidal rows for all "
        f"{length}, numbers {extent(goes_on)}."
    )
    show(panels(parts, (1, 1)), key="end", alt=alt, height=_HEIGHT)
    program(export.pytorch_past_the_end(settings, length), "Past the end of a table")


VIEWS = {
    "Table": table_view,
    "Pairs": pairs_view,
    "Similarity": similarity_view,
    "Side by side": side_by_side,
    "Past the end": past_the_end,
    "Adding": adding,
}


def draw(name: str, settings: Settings) -> None:
    """The view of this name; a message if the settings do not fit."""
    try:
        VIEWS[name](settings)
    except Unavailable as error:
        unavailable(error, settings.source)
    except EmbedvizError as error:
        st.error(literal(str(error)), icon=":material/error:")
