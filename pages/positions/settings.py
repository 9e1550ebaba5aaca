"""The controls of the page "Positions"."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _
from embedviz.positions.sinusoidal import LAYOUTS
from embedviz.ui.controls import chosen_source, seed_field, shown_as_fixed
from embedviz.ui.fields import BOUND, more_popover, whole_number
from embedviz.vectors.position_tables import MAX_OUTPUT_DIM, MAX_POSITIONS, TableSettings
from embedviz.vectors.sources import SOURCES

_DEFAULT = TableSettings()


def table_settings(columns: Sequence[DeltaGenerator], more: DeltaGenerator, below: DeltaGenerator) -> TableSettings:
    """The size of the tables, and how they are filled."""
    popover = more_popover(more)
    with popover:
        source = chosen_source()
    n_rows = SOURCES[source].fixed.get("context_length", MAX_POSITIONS)
    fields = (
        (_("Dimensions"), 2, MAX_OUTPUT_DIM, _DEFAULT.output_dim, "output_dim", "output_dim" in SOURCES[source].fixed),
        ("context_length", 1, MAX_POSITIONS, _DEFAULT.context_length, "context_length", n_rows < MAX_POSITIONS),
        (_("Base"), 2, 10**9, int(_DEFAULT.base), "base", False),
    )
    values = {}
    for column, (label, low, high, default, key, is_fixed) in zip(columns, fields, strict=True):
        with column:
            if is_fixed:
                values[key] = shown_as_fixed(key, SOURCES[source].fixed[key], label)
            else:
                values[key] = whole_number(label, low, high, default, key=key, below=below)
    with popover:
        layout = st.segmented_control(
            _("Sines and cosines"),
            LAYOUTS,
            default=_DEFAULT.layout,
            required=True,
            key="layout",
            help=_("interleaved: sin, cos, sin, cos, as in the paper. half: all sines, then all cosines."),
            **BOUND,
        )
        seed = seed_field(source)
    return TableSettings(values["output_dim"], values["context_length"], float(values["base"]), layout, seed, source)
