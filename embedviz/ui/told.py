"""What a visitor is told about a limit that is not met by a control."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from embedviz.settings import configured
from embedviz.slowed import HEADER, slowed

_PAUSE = 5.0  # seconds from one such message to the next


@contextmanager
def telling_slowed() -> Iterator[None]:
    """Say, with a run of a page or a part of it, that edits came faster than they are taken, if it was so.

    A run that the next one cuts short takes its message with it: then the next one says it.
    """
    began = time.monotonic()
    name = st.context.headers.get(HEADER) if slowed else None
    tells = name in slowed and began - st.session_state.get("told_slowed", -math.inf) > _PAUSE
    if tells:
        st.toast(
            f"More than {configured().edits_per_second} changes a second: some in between were not drawn. "
            "The last one counts.",
            icon=":material/speed:",
        )
    yield
    if tells:
        st.session_state["told_slowed"] = began
    if name and slowed.get(name, math.inf) < began:
        slowed.pop(name, None)
