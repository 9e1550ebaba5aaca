"""The messages that a page shows when something is wrong, and users' texts as they are."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import _
from embedviz.vectors.sources import source_of

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def literal(text: str) -> str:
    """Escape `text` for Streamlit's Markdown: no directive, formula, link, image or tag survives."""
    return _PUNCTUATION.sub(r"\\\1", text)


def stop() -> NoReturn:
    """End the run here. What the visitor has changed meanwhile runs next, which Streamlit's own `st.stop` forgets."""
    raise StopException


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
            _offer_again(said, source)
        else:
            show_error(error)
        stop()


def _offer_again(message: str, source: str) -> None:
    """Show why a source cannot be read now, and offer to try again. The page goes on below."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.error(literal(message), icon=":material/cloud_off:")
        icon = ":material/refresh:"
        st.button(_("Try again"), key="try_again", icon=icon, on_click=lambda: source_of(source).retry())
