"""What every page has: its title and the site's style."""

import streamlit as st

# Streamlit has options for the padding above and below, but none for the sides.
_STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding-inline: clamp(0.75rem, 2.5vw, 3rem); }
</style>
"""


def style() -> None:
    """Apply the site's style."""
    st.html(_STYLE)


def title(text: str, subtitle: str) -> None:
    """The page's heading and one line on what it is about."""
    with st.container(gap=None):
        st.title(text, anchor=False)
        st.caption(subtitle)
