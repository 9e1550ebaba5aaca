"""What stands in the corner of every page: the language, and what a visitor can share.

That is the link, also as a QR code, the page as a file, and each figure as a picture or a table.
"""

import segno
import streamlit as st

from embedviz.base.errors import EmbedvizError
from embedviz.ui import presenting, turns
from embedviz.ui.components.component import component
from embedviz.ui.turns import part_of_page

MAX_BYTES = 2953  # of a QR code of version 40 at the lowest level of error correction
MAX_SHOWN = 4000  # characters of an address that is too long for a QR code

_SHARE = component(__name__)


def share() -> None:
    """Show the languages and the button Share in the header of every page; in projection the button that leaves it."""
    with st.container(key="share"):
        _panel()


@part_of_page
def _panel() -> None:
    if st.session_state.pop("mode_changed", False):
        st.rerun()  # the whole page
    presses = {"on_project_change": _present, "on_leave_change": _leave, "on_code_change": _draw}
    _SHARE(_data(st.session_state.pop("to_draw", None)), key="share_button", **presses)


def _present() -> None:
    st.query_params["present"] = "1"
    st.session_state["mode_changed"] = True


def _leave() -> None:
    st.query_params.pop("present", None)
    st.session_state["mode_changed"] = True


def _draw() -> None:
    st.session_state["to_draw"] = st.session_state["share_button"].code


def _data(to_draw: object) -> dict[str, object] | None:
    """Whether to offer the way out, and an address's QR code with the number of the press, to tell it from others."""
    data: dict[str, object] = {"presenting": True} if presenting.is_on() else {}
    match to_draw:
        case {"address": str(address), "asked": int(asked)}:
            data["code"] = _code(address) | {"asked": asked}
    return data or None


def _code(address: str) -> dict[str, object]:
    try:
        with turns.release_lock():
            return {"address": address, "rows": qr_rows(address)}
    except EmbedvizError as error:
        return {"address": address[:MAX_SHOWN], "problem": str(error)}


def qr_rows(text: str) -> list[str]:
    """The rows of the smallest QR code (ISO/IEC 18004) that holds `text` as UTF-8, with a "1" for each dark module.

    There is no margin. Of the levels of error correction that this size has room for, it has the highest. EmbedvizError
    if none is large enough, or if there is nothing to encode.
    """
    data = text.encode("utf-8", errors="replace")
    if not data:
        raise EmbedvizError("There is no text to make a QR code of.")
    if len(data) > MAX_BYTES:
        raise EmbedvizError(
            "{n:,} bytes do not fit into a QR code, which holds {most:,} at most.", n=len(data), most=MAX_BYTES
        )
    return ["".join(map(str, row)) for row in segno.make(data, error="l", mode="byte", micro=False).matrix]
