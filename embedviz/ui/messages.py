"""The messages that a page shows when something is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import _
from embedviz.ui.components.strip.strip import strip
from embedviz.ui.fields import literal
from embedviz.vectors.sources import source_of

_CAME_TO = "came_to"  # in the session: the page and the view shown, as long as the line about the link stands there


def stop() -> NoReturn:
    """End the run here. What the visitor has changed meanwhile runs next, which Streamlit's own `st.stop` forgets."""
    raise StopException


def say_no_such_view(page: str, view: str, is_known: bool) -> None:
    """Say that the visitor has come by a link to a view that does not exist, until they go on from the one shown.

    view: which is shown. is_known: whether the address names a view that exists, or none. What it names otherwise is a
    stranger's text, and is not said.
    """
    here = page, view
    if st.session_state.setdefault(_CAME_TO, None if is_known else here) != here:
        st.session_state[_CAME_TO] = None
        return
    said = _("Your link names a view that does not exist here, so the page opens as usual.")
    strip(said, tone="plain", key="no_such_view")


def show_error(error: object) -> None:
    """Show what was wrong and what would be right. The page goes on below."""
    st.error(literal(str(error)), icon=":material/error:")


def file_is_gone() -> EmbedvizError:
    """The error for a file that the browser still names after the server has freed it."""
    return EmbedvizError(
        "The server no longer has your file. It frees a file when the connection was lost for more than a minute. "
        "Choose the file again."
    )


@contextmanager
def stop_at_error(source: str | None = None) -> Iterator[None]:
    """Turn an EmbedvizError into its message, and stop the page there.

    source: whose vectors are read. If they are not to be had now, the message says what works without them, and offers
    to try again. It stands where the result would be; what was typed stays.
    """
    try:
        yield
    except EmbedvizError as error:
        if source and isinstance(error, Unavailable):
            said = _("{error} The sources random and trained (in the settings) are always there.", error=error)
            offer_again(said, source, key="try_again")
        else:
            show_error(error)
        stop()


@contextmanager
def said_in_place(source: str, *, key: str) -> Iterator[None]:
    """Show the error of a source where its result would be, so that the page goes on below."""
    try:
        yield
    except Unavailable as error:
        offer_again(error, source, key=key)
    except EmbedvizError as error:
        show_error(error)


def offer_again(message: object, source: str, *, key: str) -> None:
    """Show why a source cannot be read now, and offer to try again. The page goes on below."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.error(literal(str(message)), icon=":material/cloud_off:")
        st.button(_("Try again"), key=key, icon=":material/refresh:", on_click=lambda: source_of(source).retry())
