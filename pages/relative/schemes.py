"""The table of schemes on the page "Relative"."""

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, listed, translated
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2, Scheme
from embedviz.programs import relative as export
from pages.relative import words


def schemes(page: ui.Frame) -> None:
    """What each is good for, what it costs, and where to see it."""
    page.lead()
    rows = [_scheme_row(scheme) for scheme in SCHEMES.values()]
    columns = [
        _("Scheme"),
        _("Changes"),
        _("Chosen for"),
        _("Paper"),
        _("Parameters"),
        "×",
        "+",
        _("See it"),
    ]
    links = [[scheme.seen_in] for scheme in SCHEMES.values()]
    about = {"label": _("Schemes"), "numbers": (4, 5, 6), "links": links, "here": "relative", "prose": True}
    with ui.slide():
        ui.table(columns, rows, key="schemes", **about)
    st.caption(_what_costs_say())
    ui.program(export.pytorch_costs(GPT2), _("Parameters of the schemes"), height=380)


def _what_costs_say() -> str:
    """What the numbers count, and what a model pays once for all its layers."""
    costs = {
        translated(scheme.title): scheme.cost(GPT2.n_tokens, GPT2.output_dim, GPT2.n_heads, GPT2.context_length)
        for scheme in SCHEMES.values()
    }
    return _(
        "Parameters, multiplications (×) and additions (+) beyond those without positions, for a model of {n_layers} "
        "layers over {n_tokens:,} tokens of {n_dims} dimensions with {n_heads} heads, the sizes of GPT-2. Added once, "
        "before the first layer: {added}. One table for all layers: {shared}. All else is counted in every layer. M: "
        "millions, B: billions.",
        n_layers=GPT2.n_layers,
        n_tokens=GPT2.n_tokens,
        n_dims=GPT2.output_dim,
        n_heads=GPT2.n_heads,
        added=listed(title for title, each in costs.items() if each.once.additions),
        shared=listed(title for title, each in costs.items() if each.once.parameters and not each.once.additions),
    )


def _scheme_row(scheme: Scheme) -> list[str]:
    price = scheme.cost_of(GPT2)
    numbers = (price.parameters, price.multiplications, price.additions)
    return [
        translated(scheme.title),
        translated(words.CHANGES[scheme.kind]),
        translated(scheme.good_for),
        scheme.paper,
        *map(_short, numbers),
    ]


def _short(number: int) -> str:
    if number < 1e6:
        return f"{number:,}"
    return f"{number / 1e6:,.1f} M" if number < 1e9 else f"{number / 1e9:,.1f} B"
