"""The table of all models on the page "Models", to filter and to sort."""

from collections.abc import Callable

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.models.architectures import ARCHITECTURES, Architecture
from embedviz.ui.inputs.fields import BOUND, text_within
from embedviz.ui.inputs.options import OPTIONS, label_of
from embedviz.ui.messages import literal
from pages.models import table_words
from pages.models.ideas import IDEAS, Idea

_LONGEST_NAME = 40
# What each sort order compares before the names. Models of which it is not stated come last.
_ORDERS: dict[str, Callable[[Architecture | Idea], float]] = {
    "newest": lambda model: -model.year,
    "oldest": lambda model: model.year,
    "name": lambda model: 0,
    "base": lambda model: -max(model.bases, default=0),
    "length": lambda model: -model.longest,
}


@ui.part_of_page
def table() -> None:
    """Show a row for each of the models and proposals that the fields ask for."""
    by_scheme, by_order, by_name = st.columns(3)
    with by_scheme:
        used = [name for name in OPTIONS["scheme"] if matching(_scheme(name), "name", "")]
        scheme = _scheme(_choice(_("Scheme"), "scheme", used))
    with by_order:
        order = _choice(_("Sorted by"), "sort", list(OPTIONS["sort"]))
    with by_name:
        named = text_within(st.text_input, _("Name or source has"), "", _LONGEST_NAME, key="named")
    rows = [table_words.row(each) for each in matching(scheme, order, named)]
    if not rows:
        said = _(
            "No row of this scheme has “{named}” in its name or source. Type less, or take all schemes.", named=named
        )
        st.info(literal(said), icon=":material/search_off:")
        return
    columns, label = table_words.columns(), _("Models")
    ui.table(columns, rows, key="architectures", label=label, numbers=table_words.NUMBERS, folds=True)
    st.caption(table_words.legend())


def _scheme(option: str) -> str:
    return option.replace("-", "_")


def _choice(label: str, key: str, options: list[str]) -> str:
    return st.selectbox(label, options, format_func=label_of(key), key=key, **BOUND)


def matching(scheme: str, order: str, named: str) -> list[Architecture | Idea]:
    """The models of a scheme, or of "all" with the ideas, that have a text in their name or sources, in this order."""
    text = named.strip().casefold()
    chosen = [
        model
        for model in (*ARCHITECTURES.values(), *IDEAS)
        if scheme in ("all", *model.schemes)
        and text in " ".join([model.name, *(source for source, _facts in model.sources)]).casefold()
    ]
    return sorted(chosen, key=lambda model: (_ORDERS[order](model), model.name.casefold()))
