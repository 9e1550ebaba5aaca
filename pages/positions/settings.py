"""The controls of the page "Positions"."""

from collections.abc import Collection
from typing import NamedTuple, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.i18n import _
from embedviz.base.pages import page_at
from embedviz.positions.rope import Layout
from embedviz.positions.sinusoidal import LAYOUTS
from embedviz.ui import Frame, literal, one_of, presenting, stop_at_error, whole_number
from embedviz.ui.inputs.controls import fixed_fields, seed_field, shown_as_fixed
from embedviz.ui.inputs.source_field import chosen_source, source_that_fits, spec_source
from embedviz.vectors.position_tables import MAX_OUTPUT_DIM, MAX_POSITIONS, TableSettings
from embedviz.vectors.sources import RANDOM, Source

_DEFAULT = TableSettings()


class _Size(NamedTuple):
    """A setting that is a whole number: its name in the address, and what its field says and takes."""

    name: str
    label: str
    low: int
    high: int
    default: int


class Sizes(NamedTuple):
    """What is set of the tables, before it is known whether their source has such tables."""

    output_dim: int
    context_length: int
    base: int
    layout: Layout
    seed: int
    source: Source | None


def has_none(source: Source) -> None:
    """Say that a model has no table of positions, what it does instead, and where that can be seen."""
    st.info(literal(source.about_positions()), icon=":material/info:")
    if not presenting.is_on():
        st.page_link(page_at("relative").script, label=_("See it on the page Relative"), icon=":material/straighten:")


def size_fields(
    frame: Frame, without: Collection[str] = (), *, sheet: DeltaGenerator | None = None, has_sentence: bool = False
) -> Sizes:
    """Let the visitor choose the size of the tables and how they are filled.

    without: settings that would change nothing in a view and are therefore not shown. sheet: that of the settings, if a
    view has opened it. has_sentence: whether there is a
    sentence, which the source can fit: it is None then, if none is chosen.
    """
    with sheet or frame.settings():
        source = source_that_fits() if has_sentence else chosen_source()
        return _size_fields(frame, source, without)


def table_settings(frame: Frame, sizes: Sizes) -> TableSettings:
    """The tables of these sizes. A message, and nothing after it, if there are none."""
    output_dim, context_length, base, layout, seed, chosen = sizes
    source = chosen or RANDOM
    with frame.messages, stop_at_error(source.name):
        return TableSettings(output_dim, context_length, float(base), layout, seed, spec_source(source))


def _size_fields(frame: Frame, source: Source | None, without: Collection[str]) -> Sizes:
    sizes = (
        _Size("output_dim", _("Dimensions"), 2, MAX_OUTPUT_DIM, _DEFAULT.output_dim),
        _Size("context_length", "context_length", 1, MAX_POSITIONS, _DEFAULT.context_length),
        _Size("base", _("Base of the sines and cosines"), 2, 10**9, int(_DEFAULT.base)),
    )
    output_dim, context_length, base = (
        _size_field(size, source or RANDOM, frame, is_shown=size.name not in without) for size in sizes
    )
    layout = _DEFAULT.layout if "layout" in without else _layout_field()
    seed = _DEFAULT.seed if "seed" in without else seed_field(source or RANDOM)
    return Sizes(output_dim, context_length, base, layout, seed, source)


def _size_field(size: _Size, source: Source, frame: Frame, *, is_shown: bool) -> int:
    """A size of the tables, unless the source decides it."""
    name, label, low, high, default = size
    fixed = fixed_fields(source).get(name)
    if isinstance(fixed, int) and (name != "context_length" or fixed < MAX_POSITIONS):
        if is_shown:
            shown_as_fixed(name, fixed, label)
        return fixed
    return whole_number(label, low, high, default, key=name, below=frame.messages) if is_shown else default


def _layout_field() -> Layout:
    label = _("Order of the sines and cosines")
    help_ = _("interleaved: sin, cos, sin, cos, as in the paper. half: all sines, then all cosines.")
    return cast("Layout", one_of(label, LAYOUTS, key="layout", default=_DEFAULT.layout, help=help_))
