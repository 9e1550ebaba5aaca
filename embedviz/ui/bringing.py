"""A field and a button that bring a whole model onto this machine, whose layers can be run then."""

import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.layers import bring
from embedviz.layers.runnable import runnable
from embedviz.ui import turns
from embedviz.ui.downloads import megabytes, watch
from embedviz.ui.fields import BOUND, literal
from embedviz.ui.messages import show_error
from embedviz.ui.visitor import visitor

_REFUSED = "bringing_refused"  # in the session


def offer(kind: str = "") -> None:
    """Let the visitor choose a model, say how large it is, and download it. kind: "causal" if only such models will do.

    A server that runs no models offers none.
    """
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
    progress = bring.bringings.look(name, visitor())
    if progress and not progress.error:
        watch(bring.bringings, name, literal(name))
        return
    if problem := progress.error if progress else st.session_state.pop(_REFUSED, ""):
        show_error(problem)
    try:
        with turns.pause():
            parcel = bring.parcel(name)
    except EmbedvizError as error:
        show_error(error)
        return
    if kind not in ("", parcel.kind):
        show_error(_("{model} says no next word. Choose a causal model, such as gpt2.", model=name))
        return
    label = _("Download {model}: {size}", model=literal(name), size=megabytes(parcel.nbytes))
    st.button(label, icon=":material/download:", key="bring_it", on_click=_ask, args=(parcel,))
    st.caption(
        _(
            "It goes into Hugging Face’s own cache on the machine that serves this page, and stays there. You can "
            "cancel the download, and go on later where it stopped."
        )
    )


def _ask(parcel: bring.Parcel) -> None:
    try:
        bring.ask(parcel, visitor())
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)
