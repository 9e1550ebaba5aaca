"""The program behind a picture, in a fold that the visitor opens, and the files that can be saved with it."""

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import streamlit as st

from embedviz.base.i18n import _
from embedviz.programs.rows import Rows, csv, npz
from embedviz.ui import presenting

MakeRows = Callable[[], Sequence[Rows]]
Height = int | Literal["content", "stretch"]


def program(
    text: str,
    title: str = "",
    *,
    note: str = "",
    height: Height = "content",
    rows: MakeRows | None = None,
    alone: Callable[[], str] | None = None,
) -> None:
    """Show a program when asked for. title: of the notebook. rows: makes vectors to save. alone: another notebook."""
    if presenting.is_on():
        return
    with expander() as opened:
        download_buttons(text, title or _("Program"), rows=rows, alone=alone)
        if note:
            st.caption(note)
        listing(text, is_open=opened.open, height=height)


def expander() -> Any:
    """Return the fold that holds a program. The page runs again when somebody opens it."""
    return st.expander(_("Show the PyTorch code"), icon=":material/code:", key="code", on_change="rerun")


def listing(text: str, *, is_open: bool, height: Height = "content") -> None:
    """Show the program: plain while closed, for the page as a file. What colours it is half a megabyte of script."""
    if is_open:
        st.code(text, height=height)
    else:
        st.text(text)


def download_buttons(
    text: str, title: str, *, rows: MakeRows | None = None, alone: Callable[[], str] | None = None
) -> None:  # fmt: skip
    """Show buttons that save the program as a notebook, and the vectors. A file is made when somebody asks for it."""
    files = [(_("Notebook"), "ipynb", lambda: _notebook(alone() if alone else text, title))]
    if rows:
        files += [(_("Vectors (CSV)"), "csv", lambda: csv(rows())), (_("Vectors (NPZ)"), "npz", lambda: npz(rows()))]
    name = "-".join(re.findall(r"\w+", title.lower()))
    with st.container(horizontal=True, gap="small", key="take_along"):
        for label, kind, make in files:
            st.download_button(
                label, make, f"embedviz-{name}.{kind}", key=f"take_{kind}", on_click="ignore", type="tertiary",
                icon=":material/download:",
            )  # fmt: skip


def _notebook(text: str, title: str) -> bytes:
    from embedviz.programs.notebook import notebook  # noqa: PLC0415 takes a tenth of a second, and few ask

    return notebook(text, title)
