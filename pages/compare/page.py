"""Compare: where does word order enter?"""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.distances import distance_matrices
from embedviz.figures.heatmaps import sum_heatmaps
from embedviz.figures.scatter import sum_scatter
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.rows import of_comparison
from embedviz.text.samples import pairs
from embedviz.ui import alt_text, controls, sentences
from embedviz.ui.fields import BOUND
from embedviz.vectors.comparison import Comparison, compare
from embedviz.vectors.projection import scene
from pages.compare.proof import proof

_HEIGHT = "clamp(18rem, calc(100vh - 23.6rem), 40rem)"
_BESIDE = "clamp(15.5rem, calc(100vh - 26.1rem), 37.5rem)"  # less the row of controls above the figure


@ui.part
def comparison_of(settings: dict[str, object]) -> None:
    """Both sentences and all that follows from them."""
    left, right, pick = st.columns([3, 3, 1.5])
    text_a = sentences.sentence(left, "A", pairs()[0].a)
    text_b = sentences.sentence(right, "B", pairs()[0].b)
    with pick:
        sentences.pair_picker((text_a, text_b, settings["prefix_space"]))
        sentences.tour_link()
    spec = sentences.spec_or_message(settings, text_a, text_b)
    tokens_a, tokens_b = sentences.tokens(left, right, (text_a, text_b), spec)
    a, b = sentences.embed_or_message(tokens_a, tokens_b, spec)
    comparison = compare(a, b)
    ui.cards(proof(comparison), key="proof")
    pictures(comparison)


def pictures(comparison: Comparison) -> None:
    """The vectors, a map of them, their distances, and the program that computes them."""
    a, b = comparison.a, comparison.b
    words = (comparison.ids, comparison.texts)
    vectors, plane = st.columns([1.62, 1])
    distances, code = st.columns([1.62, 1])
    with vectors:
        parts = [(x.token_embeddings, x.positional_embeddings, x.input_embeddings) for x in (a, b)]
        ui.show(sum_heatmaps(*parts, *words), key="sum", alt=alt_text.vectors(comparison), height=_HEIGHT)
    with plane, st.container(gap="xxsmall"):
        n_axes = _amount_and_axes()
        points = scene(comparison, n_axes)
        alt = alt_text.points(points)
        ui.show(sum_scatter(points, *words), key=f"scatter{n_axes}", alt=alt, height=_BESIDE, is_aside=True)
    if comparison.shared.size:
        stages = (comparison.before.distances, comparison.after.distances, comparison.shared)
        with distances:
            alt = alt_text.distances(comparison)
            matrices = distance_matrices(*stages, *words, positions=comparison.positions_apart)
            ui.show(matrices, key="distances", alt=alt, height="26rem", is_aside=True)
    with code:
        rows = partial(of_comparison, comparison)
        ui.program(pytorch_compare(a, b), _("Same words, different order"), height=380, rows=rows)


def _amount_and_axes() -> int:
    """The slider that adds positions in the browser, and the number of axes of the map beside it."""
    slider, choice = st.columns([2.6, 1], vertical_alignment="center")
    with slider:
        ui.amount()
    with choice:
        axes = st.segmented_control(
            _("Axes"),
            ["2-D", "3-D"],
            default="2-D",
            required=True,
            key="axes",
            label_visibility="collapsed",
            **BOUND,
        )
    return 3 if axes == "3-D" else 2


page = ui.frame()
with page.settings():
    settings = controls.backend()
page.title(
    _("Same words, different order"),
    _(
        "{whose} Copies of a token share one vector until a position is added.",
        whose=controls.whose(settings["source"]),
    ),
)
with page.body:
    comparison_of(settings)
