"""The controls of the page "Positions"."""

from collections.abc import Collection
from typing import NamedTuple

import streamlit as st

from embedviz.base.i18n import _
from embedviz.base.pages import page_at
from embedviz.positions.sinusoidal import LAYOUTS
from embedviz.ui import Frame, literal, one_of, presenting, stop_at_error, whole_number
from embedviz.ui.inputs.controls import seed_field, settled, shown_as_fixed
from embedviz.ui.inputs.source_field import chosen_source, given
from embedviz.vectors.position_tables import MAX_OUTPUT_DIM, MAX_POSITIONS, TableSettings
from embedviz.vectors.sources import Source

_DEFAULT = TableSettings()


class Sizes(NamedTuple):
    """What is set of the tables, before it is known whether their source has such tables."""

    output_dim: int
    context_length: int
    base: int
    layout: str
    seed: int
    source: Source


def has_none(source: Source) -> None:
    """Say that a model has no table of positions, what it does instead, and where that can be seen."""
    st.info(literal(source.about_positions()), icon=":material/info:")
    if not presenting.is_on():
        st.page_link(page_at("relative").script, label=_("See it on the page Relative"), icon=":material/straighten:")


def size_fields(frame: Frame, without: Collection[str] = ()) -> Sizes:
    """Let the visitor choose the size of the tables and how they are filled.

    without: settings that would change nothing in a view and are therefore not shown.
    """
    with frame.settings():
        return _size_fields(frame, without)


def table_settings(frame: Frame, sizes: Sizes) -> TableSettings:
    """The tables of these sizes. A message, and nothing after it, if there are none."""
    output_dim, context_length, base, layout, seed, source = sizes
    with frame.messages, stop_at_error(source.name):
        return TableSettings(output_dim, context_length, float(base), layout, seed, given(source))


def _size_fields(frame: Frame, without: Collection[str]) -> Sizes:
    source = chosen_source()
    n_rows = settled(source).get("context_length", MAX_POSITIONS)
    fields = (
        (_("Dimensions"), 2, MAX_OUTPUT_DIM, _DEFAULT.output_dim, "output_dim", "output_dim" in settled(source)),
        ("context_length", 1, MAX_POSITIONS, _DEFAULT.context_length, "context_length", n_rows < MAX_POSITIONS),
        (_("Base of the sines and cosines"), 2, 10**9, int(_DEFAULT.base), "base", False),
    )
    values: dict[str, int] = {}
    for label, low, high, default, key, is_fixed in fields:
        if key in without:
            values[key] = settled(source)[key] if is_fixed else default
        elif is_fixed:
            values[key] = shown_as_fixed(key, settled(source)[key], label)
        else:
            values[key] = whole_number(label, low, high, default, key=key, below=frame.messages)
    layout = _DEFAULT.layout if "layout" in without else _layout_field()
    seed = _DEFAULT.seed if "seed" in without else seed_field(source)
    return Sizes(values["output_dim"], values["context_length"], values["base"], layout, seed, source)


def _layout_field() -> str:
    help_ = _("interleaved: sin, cos, sin, cos, as in the paper. half: all sines, then all cosines.")
    return one_of(_("Order of the sines and cosines"), LAYOUTS, key="layout", usual=_DEFAULT.layout, help=help_)
