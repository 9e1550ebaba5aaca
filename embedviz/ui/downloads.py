"""Downloads while they go on, and how large they are."""

import streamlit as st

from embedviz.base.i18n import _
from embedviz.base.jobs import Jobs, Progress
from embedviz.ui.visitor import visitor


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
