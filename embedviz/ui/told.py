"""What a visitor is told about a limit that is not met by a control."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from embedviz.settings import configured
from embedviz.slowed import HEADER, slowed


@contextmanager
def telling_slowed() -> Iterator[None]:
    """Say, while a page or a part of it runs, that edits came faster than they are taken; once, if it was so.

    A run that the next one cuts short may take its message with it: then the next one says it.
    """
    name = st.context.headers.get(HEADER) if slowed else None
    if name in slowed:
        st.toast(
            f"More than {configured().edits_per_second} changes a second: some in between were not drawn. "
            "The last one counts.",
            icon=":material/speed:",
        )
    yield
    if name:
        slowed.discard(name)
