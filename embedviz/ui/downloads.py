"""Downloads: the button that asks for one, how far it is, and how large it is."""

from collections.abc import Callable

import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.jobs import Jobs, Progress
from embedviz.ui.fields import literal
from embedviz.ui.messages import show_error
from embedviz.ui.visitor import visitor

_REFUSED = "download_refused"  # in the session


def is_coming(line: Jobs, name: str, title: str) -> bool:
    """Show how far a download is, if it is under way, or else what went wrong with the last one, if anything did."""
    progress = line.look(name, visitor())
    if progress and not progress.error:
        watch(line, name, literal(title))
        return True
    if problem := progress.error if progress else st.session_state.pop(_REFUSED, ""):
        show_error(problem)
    return False


def offer(label: str, key: str, ask: Callable[[], None]) -> None:
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
    progress = line.look(name, visitor())
    if progress is None or progress.error:
        st.rerun()
    bar, button = st.columns([5, 1], vertical_alignment="center")
    with bar:
        st.progress(min(progress.share, 1.0), _said(title, progress))
    with button:
        st.button(_("Cancel"), key="cancel_bring", on_click=line.leave, args=(visitor(), name), width="stretch")


def megabytes(nbytes: float) -> str:
    """A size in words."""
    return _("{size:,.1f} MB", size=nbytes / 1e6) if nbytes < 1e7 else _("{size:,.0f} MB", size=nbytes / 1e6)


def _said(title: str, progress: Progress) -> str:
    if progress.place:
        return _("Downloads before it in line: {place}", place=progress.place)
    if not progress.numbers:
        return _("Asking for {model}", model=title)
    done, total = (megabytes(progress.numbers[name]) for name in ("done", "total"))
    return _("{model}: {done} of {total}", model=title, done=done, total=total)
