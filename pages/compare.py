"""Compare: where does word order enter?"""

from functools import partial

import streamlit as st

from embedviz import ui
from embedviz.comparison import Comparison, compare
from embedviz.export import pytorch_compare
from embedviz.figures.distances import distance_matrices
from embedviz.figures.heatmaps import sum_heatmaps
from embedviz.figures.scatter import sum_scatter
from embedviz.samples import pairs
from embedviz.scene import scene
from embedviz.takeaway import of_comparison
from embedviz.ui import alternatives, controls, heights, touring
from embedviz.ui.proof import proof


@ui.part
def comparison_of(settings: dict[str, object]) -> None:
    """Both sentences and all that follows from them."""
    left, right, pick = st.columns([3, 3, 1.5])
    text_a = controls.sentence(left, "A", pairs()[0].a)
    text_b = controls.sentence(right, "B", pairs()[0].b)
    with pick:
        controls.pair_picker((text_a, text_b, settings["prefix_space"]))
        touring.way_in(text_a, text_b)
    spec = controls.spec_or_message(settings, text_a, text_b)
    tokens_a, tokens_b = controls.tokens(left, right, (text_a, text_b), spec)
    a, b = controls.embed_or_message(tokens_a, tokens_b, spec)
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
        ui.show(sum_heatmaps(*parts, *words), key="sum", alt=alternatives.vectors(comparison), height=heights.MAIN)
    with plane, st.container(gap="xxsmall"):
        n_axes = controls.amount_and_axes()
        points = scene(comparison, n_axes)
        alt = alternatives.points(points)
        ui.show(sum_scatter(points, *words), key=f"scatter{n_axes}", alt=alt, height=heights.BESIDE, is_aside=True)
    if comparison.shared.size:
        stages = (comparison.before.distances, comparison.after.distances, comparison.shared)
        with distances:
            alt = alternatives.distances(comparison)
            ui.show(
                distance_matrices(*stages, *words), key="distances", alt=alt, height=heights.DISTANCES, is_aside=True
            )
    with code:
        rows = partial(of_comparison, comparison)
        ui.program(pytorch_compare(a, b), "Same words, different order", height=380, rows=rows)


with st.container(gap="xsmall"):
    title, *quick, more = st.columns([3.2, 1.2, 1.2, 1.35, 0.9], vertical_alignment="bottom")
    settings = controls.backend(quick, more)
    with title:
        whose = controls.whose(settings["source"])
        ui.title("Same words, different order", f"{whose} Only an added position sets copies apart.")
    comparison_of(settings)
