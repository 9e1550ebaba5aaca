"""The view "Which model has what" of the page "Models": a table to filter and to sort."""

from collections.abc import Callable

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures.schemes.models_by_year import models_by_year
from embedviz.models.architectures import ARCHITECTURES, Architecture
from embedviz.programs import architectures as export
from embedviz.ui import presenting
from embedviz.ui.fields import BOUND, literal, text_within
from embedviz.ui.options import OPTIONS, label_of
from pages.models import table_words
from pages.models.ideas import ideas

_LONGEST_NAME = 40
_CODE = 380
_HEIGHT = "clamp(15rem, 42vh, 26rem)"
# What each sort order compares before the names. Models of which it is not stated come last.
_ORDERS: dict[str, Callable[[Architecture], float]] = {
    "newest": lambda model: -model.year,
    "oldest": lambda model: model.year,
    "name": lambda model: 0,
    "base": lambda model: -max(model.bases, default=0),
    "length": lambda model: -model.longest,
}


def table(page: ui.Frame) -> None:
    """Show the models that the fields ask for: how many of each year have what, and a row for each of them."""
    with page.inputs:
        scheme, order, named = _fields()
    models = found(scheme, order, named)
    if not models:
        with page.messages:
            said = (
                _("No model has “{named}” in its name or source. Type less.", named=named)
                if scheme == "all"
                else _(
                    "No model of this scheme has “{named}” in its name or source. Type less, or take all schemes.",
                    named=named,
                )
            )
            st.info(literal(said), icon=":material/search_off:")
        return
    ui.cards(table_words.about(models), key="table")
    with ui.slide(brief=True):
        figure = models_by_year(*table_words.by_year(models))
        ui.show(figure, key="by_year", alt=table_words.alternative(models), height=_HEIGHT)
    if presenting.is_on():
        return  # only a reader has the time for so many rows
    rows = [table_words.row(model) for model in models]
    columns, label = table_words.columns(), _("Models")
    ui.table(columns, rows, key="architectures", label=label, numbers=table_words.NUMBERS, folds=True)
    st.caption(table_words.legend())
    if known := export.known(models):
        ui.program(export.pytorch_kept(known), _("Which model has what"), height=_CODE)
    st.subheader(_("Newer ideas"), anchor=False)
    st.caption(_("Proposals that no model above has, as far as we know, each with its paper."))
    ui.table([_("Name"), _("Paper"), _("Idea")], ideas(), key="ideas", label=_("Newer ideas"))


def _fields() -> tuple[str, str, str]:
    by_scheme, by_order, by_name = st.columns(3)
    with by_scheme:
        used = [name for name in OPTIONS["scheme"] if found(_scheme(name), "name", "")]
        scheme = _scheme(_choice(_("Scheme"), "scheme", used))
    with by_order:
        order = _choice(_("Sorted by"), "sort", list(OPTIONS["sort"]))
    with by_name:
        named = text_within(st.text_input, _("Name or source has"), "", _LONGEST_NAME, key="named")
    return scheme, order, named


def _scheme(option: str) -> str:
    return option.replace("-", "_")


def _choice(label: str, key: str, options: list[str]) -> str:
    return st.selectbox(label, options, format_func=label_of(key), key=key, **BOUND)


def found(scheme: str, order: str, named: str) -> list[Architecture]:
    """The models of a scheme, or of "all", that have a text in their name or sources, in this order."""
    text = named.strip().casefold()
    chosen = [
        model
        for model in ARCHITECTURES.values()
        if scheme in ("all", *model.schemes)
        and text in " ".join([model.name, *(source for source, _facts in model.sources)]).casefold()
    ]
    return sorted(chosen, key=lambda model: (_ORDERS[order](model), model.name.casefold()))
