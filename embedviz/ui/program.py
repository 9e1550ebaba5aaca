"""The program behind a picture, folded away."""

import streamlit as st

from embedviz.ui import presenting


def program(text: str, *, note: str = "", height: int | str = "content") -> None:
    """Show a PyTorch program when asked, and before it what it needs, if anything; not in projection."""
    if presenting.is_on():
        return
    with st.expander("Show the PyTorch", icon=":material/code:", key="code"):
        if note:
            st.caption(note)
        st.code(text, height=height)
