"""The controls of the page "Positions"."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.absolute import MAX_POSITIONS, Settings
from embedviz.positions.sinusoidal import LAYOUTS
from embedviz.spec import MAX_SEED
from embedviz.ui.absolute_views import VIEWS
from embedviz.ui.fields import whole_number

_DEFAULT = Settings()


def settings(columns: Sequence[DeltaGenerator], more: DeltaGenerator, below: DeltaGenerator) -> Settings:
    """The size of the tables, and how they are filled."""
    fields = (
        ("Dimensions", 2, 512, _DEFAULT.output_dim, "output_dim"),
        ("context_length", 1, MAX_POSITIONS, _DEFAULT.context_length, "context_length"),
        ("Base", 2, 10**9, int(_DEFAULT.base), "base"),
    )
    values = {}
    for column, (label, low, high, default, key) in zip(columns, fields, strict=True):
        with column:
            values[key] = whole_number(label, low, high, default, key=key, below=below)
    with more, st.popover("More", width="stretch", key="more"):
        layout = st.segmented_control(
            "Sines and cosines",
            LAYOUTS,
            default=_DEFAULT.layout,
            required=True,
            key="layout",
            help="interleaved: sin, cos, sin, cos, as in the paper. half: all sines, then all cosines.",
            bind="query-params",
        )
        seed = whole_number("Seed", 0, MAX_SEED, _DEFAULT.seed, key="seed", below=below)
    return Settings(values["output_dim"], values["context_length"], float(values["base"]), layout, seed)


def view() -> str:
    """Which of the six pictures."""
    return st.segmented_control(
        "Show",
        list(VIEWS),
        default="Table",
        required=True,
        key="view",
        label_visibility="collapsed",
        bind="query-params",
    )
