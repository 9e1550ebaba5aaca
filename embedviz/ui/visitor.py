"""Who looks at the page, as far as it matters: one name for as long as the visit lasts."""

import secrets

import streamlit as st


def visitor() -> str:
    """The visitor's name, which nobody else has and nobody can guess."""
    return st.session_state.setdefault("visitor", secrets.token_hex(8))
