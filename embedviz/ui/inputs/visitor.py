"""A name for the visitor who looks at the page, which stays the same for as long as the visit lasts."""

import secrets

import streamlit as st


def visitor() -> str:
    """Return the visitor's name, which nobody else has and nobody can guess."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))
