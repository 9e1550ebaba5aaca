"""Downloads: a field and a button that bring a whole model onto this machine, and how far a download is."""

from collections.abc import Callable

import streamlit as st

from embedviz.base.concurrency.jobs import Jobs, Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.settings import configured
from embedviz.layers import model_download
from embedviz.layers.runnable import runnable
from embedviz.ui import turns
from embedviz.ui.inputs.fields import BOUND
from embedviz.ui.inputs.visitor import visitor
from embedviz.ui.messages import literal, show_error


def download_field(kind: str = "") -> None:
    """Let the visitor download a model, if the server runs any. kind: "causal" if only such models will do."""
    if not configured().forward_mib:
        return
    label, offered = _("Bring a model onto this machine"), model_download.offered(kind)
    hint = _("owner/name, as on the Hugging Face Hub")
    any_name = configured().sources != "list"
    name = st.selectbox(
        label, offered, None, key="bring", placeholder=hint, accept_new_options=any_name, **BOUND
    )  # fmt: skip
    if name and name.strip() not in runnable():
        _offered(name.strip(), kind)


def _offered(name: str, kind: str) -> None:
    if is_coming(model_download.bringings, name, name):
        return
    try:
        with turns.release_lock():
            parcel = model_download.parcel(name)
    except EmbedvizError as error:
        show_error(error)
        return
    if kind not in ("", parcel.kind):
        show_error(_("{model} says no next word. Choose a causal model, such as gpt2.", model=name))
        return
    label = _("Download {model}: {size}", model=literal(name), size=megabytes(parcel.nbytes))
    button(label, "bring_it", lambda: model_download.request(parcel, visitor()))
    st.caption(
        _(
            "It goes into Hugging Face’s own cache on the machine that serves this page, and stays there. You can "
            "cancel the download, and go on later where it stopped."
        )
    )


_REFUSED = "download_refused"  # in the session


def is_coming(line: Jobs, name: str, title: str) -> bool:
    """Show how far a download is, if it is under way, or else what went wrong with the last one, if anything did."""
    progress = line.poll(name, visitor())
    if progress and not progress.error:
        watch(line, name, literal(title))
        return True
    if problem := progress.error if progress else st.session_state.pop(_REFUSED, ""):
        show_error(problem)
    return False


def button(label: str, key: str, ask: Callable[[], None]) -> None:
    """Show the button for a download. ask: asks for it, and raises EmbedvizError if too many wait."""
    st.button(label, icon=":material/download:", key=key, on_click=_ask, args=(ask,))


def _ask(ask: Callable[[], None]) -> None:
    try:
        ask()
    except EmbedvizError as error:
        st.session_state[_REFUSED] = str(error)


@st.fragment(run_every=0.5)
def watch(line: Jobs, name: str, title: str) -> None:
    """Show how far a download is, which goes on only while a page asks. title: of what is downloaded, as Markdown."""
    progress = line.poll(name, visitor())
    if progress is None or progress.error:
        st.rerun()
    left, right = st.columns([5, 1], vertical_alignment="center")
    left.progress(min(progress.share, 1.0), _progress_text(title, progress))
    right.button(_("Cancel"), key="cancel_bring", on_click=line.leave, args=(visitor(), name), width="stretch")


def megabytes(nbytes: float) -> str:
    """A size in words."""
    return _("{size:,.1f} MB", size=nbytes / 1e6) if nbytes < 1e7 else _("{size:,.0f} MB", size=nbytes / 1e6)


def _progress_text(title: str, progress: Progress) -> str:
    if progress.place:
        return _("Downloads before it in line: {place}", place=progress.place)
    if not progress.numbers:
        return _("Asking for {model}", model=title)
    done, total = (megabytes(progress.numbers[name]) for name in ("done", "total"))
    return _("{model}: {done} of {total}", model=title, done=done, total=total)
