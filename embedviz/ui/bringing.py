"""A field and a button that bring a whole model onto this machine, whose layers can be run then."""

import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.layers import bring
from embedviz.layers.runnable import runnable
from embedviz.ui import downloads, turns
from embedviz.ui.fields import BOUND, literal
from embedviz.ui.messages import show_error
from embedviz.ui.visitor import visitor


def offer(kind: str = "") -> None:
    """Let the visitor download a model, if the server runs any. kind: "causal" if only such models will do."""
    if not configured().forward_mib:
        return
    name = st.selectbox(
        _("Bring a model onto this machine"),
        bring.offered(kind),
        None,
        key="bring",
        accept_new_options=configured().sources != "list",
        placeholder=_("owner/name, as on the Hugging Face Hub"),
        **BOUND,
    )
    if name and name.strip() not in runnable():
        _offered(name.strip(), kind)


def _offered(name: str, kind: str) -> None:
    if downloads.is_coming(bring.bringings, name, name):
        return
    try:
        with turns.pause():
            parcel = bring.parcel(name)
    except EmbedvizError as error:
        show_error(error)
        return
    if kind not in ("", parcel.kind):
        show_error(_("{model} says no next word. Choose a causal model, such as gpt2.", model=name))
        return
    label = _("Download {model}: {size}", model=literal(name), size=downloads.megabytes(parcel.nbytes))
    downloads.offer(label, "bring_it", lambda: bring.ask(parcel, visitor()))
    st.caption(
        _(
            "It goes into Hugging Face’s own cache on the machine that serves this page, and stays there. You can "
            "cancel the download, and go on later where it stopped."
        )
    )
