"""What a visitor is told about a limit that is not met by a control."""

import streamlit as st

from embedviz.settings import configured
from embedviz.slowed import HEADER, slowed


def tell_slowed() -> None:
    """Say once, if it was so, that edits came faster than they are taken."""
    if slowed and (name := st.context.headers.get(HEADER)) in slowed:
        slowed.discard(name)
        st.toast(
            f"More than {configured().edits_per_second} changes a second: some in between were not drawn. "
            "The last one counts.",
            icon=":material/speed:",
        )
