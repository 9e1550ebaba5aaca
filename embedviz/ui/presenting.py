"""Projection mode: `?present=1` in the address, for a hall that looks at a screen from afar."""

import streamlit as st


def is_on() -> bool:
    """True if the page is meant for a projector."""
    return st.query_params.get("present") == "1"
