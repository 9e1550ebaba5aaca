"""The views below the strips, of which one is drawn: a map, the distances, all numbers, and the program."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.distances import distance_matrices
from embedviz.figures.heatmaps import sum_heatmaps
from embedviz.figures.scatter import sum_scatter
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.rows import of_comparison
from embedviz.ui import alt_text, presenting
from embedviz.ui.fields import BOUND, view_of
from embedviz.ui.program import take_along
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.projection import scene
from pages.compare.proof import about_pairs

_HEIGHT = "clamp(22rem, calc(100vh - 12rem), 44rem)"


def plane(comparison: Comparison, option: DeltaGenerator) -> None:
    """All vectors in two or three principal components, with an arrow for each added position."""
    with option:
        axes = st.segmented_control(
            _("Axes"), ["2-D", "3-D"], default="2-D", required=True, key="axes", label_visibility="collapsed", **BOUND
        )
    points = scene(comparison, 3 if axes == "3-D" else 2)
    figure = sum_scatter(points, comparison.ids, comparison.texts)
    ui.show(figure, key=f"scatter{axes[0]}", alt=alt_text.points(points), height=_HEIGHT)


def distances(comparison: Comparison, _option: DeltaGenerator) -> None:
    """The distance of each token of A from each of B, and what pairs are."""
    if not presenting.is_on():
        ui.cards(about_pairs(comparison), key="about_pairs")
    if not comparison.shared.size:
        return
    figure = distance_matrices(
        comparison.before.distances,
        comparison.after.distances,
        comparison.shared,
        comparison.ids,
        comparison.texts,
        positions=comparison.positions_apart,
    )
    ui.show(figure, key="distances", alt=alt_text.distances(comparison), height=_HEIGHT)


def numbers(comparison: Comparison, option: DeltaGenerator) -> None:
    """Every number of every vector: token + position = input."""
    with option:
        by = view_of(_("Rows"), ["sentence", "token"], key="by")
    parts = [(x.token_embeddings, x.positional_embeddings, x.input_embeddings) for x in (comparison.a, comparison.b)]
    figure = sum_heatmaps(*parts, comparison.ids, comparison.texts, by_token=by == "token")
    ui.show(figure, key="sum", alt=alt_text.vectors(comparison), height=_HEIGHT)


def program(comparison: Comparison, _option: DeltaGenerator) -> None:
    """The PyTorch that computes it, and what can be taken along."""
    text = pytorch_compare(comparison.a, comparison.b)
    with st.container(key="code"):
        take_along(text, _("Same words, different order"), rows=partial(of_comparison, comparison))
        st.code(text, wrap_lines=True)


# Each gets the comparison, and a place for controls of its own.
VIEWS: dict[str, Callable[[Comparison, DeltaGenerator], None]] = {
    "map": plane,
    "distances": distances,
    "numbers": numbers,
    "program": program,
}
