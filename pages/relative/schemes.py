"""The table of schemes on the page "Relative"."""

import streamlit as st

from embedviz.base.i18n import _, translated
from embedviz.base.options import label_of
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import Scheme
from embedviz.programs import relative as export
from embedviz.ui.components.table import table
from embedviz.ui.program import program
from pages.relative import words

# GPT-2's sizes, for the costs.
_TOKENS, _DIMS, _HEADS = 1024, 768, 12
_LISTED = tuple(SCHEMES.values())


def table_of_schemes() -> None:
    """What each is good for, what it costs, and where to see it."""
    rows = [_scheme_row(scheme) for scheme in _LISTED]
    columns = [
        _("Scheme"),
        _("Changes"),
        _("Good for"),
        _("Paper"),
        _("Parameters"),
        "×",
        "+",
        _("See it"),
    ]
    actions = [label_of("relative")(scheme.seen_in) for scheme in _LISTED]
    table(columns, rows, key="schemes", label=_("Schemes"), numbers=(4, 5, 6), actions=actions, on_choose=_go)
    st.caption(
        _(
            "Parameters, multiplications (×) and additions (+) beyond those without positions, for one layer over "
            "{n_tokens:,} tokens of {n_dims} dimensions with {n_heads} heads. In a model of many layers, learned and "
            "sinusoidal positions are added once, and all layers share T5's table and DeBERTa's vectors.",
            n_tokens=_TOKENS,
            n_dims=_DIMS,
            n_heads=_HEADS,
        )
    )
    program(export.pytorch_costs(_TOKENS, _DIMS, _HEADS, _TOKENS), _("Parameters of the schemes"), height=380)


def _scheme_row(scheme: Scheme) -> list[str]:
    price = scheme.cost(_TOKENS, _DIMS, _HEADS, _TOKENS)
    numbers = (price.parameters, price.multiplications, price.additions)
    return [
        translated(scheme.title),
        translated(words.CHANGES[scheme.kind]),
        translated(scheme.good_for),
        scheme.paper,
        *(f"{number:,}" if number < 1e6 else f"{number / 1e6:,.1f} M" for number in numbers),
    ]


def _go() -> None:
    row = getattr(st.session_state.get("schemes"), "chosen", None)
    if type(row) is int and 0 <= row < len(_LISTED):
        st.session_state["relative"] = _LISTED[row].seen_in
