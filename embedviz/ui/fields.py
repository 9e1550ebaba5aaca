"""Fields that Streamlit's own do not quite cover."""

import streamlit as st


def whole_number(label: str, low: int, high: int, default: int, *, key: str, help: str | None = None) -> int:
    """A field for a whole number, bound to the URL; what is out of range there becomes the default."""
    try:
        return st.number_input(label, low, high, default, key=key, help=help, bind="query-params")
    except OverflowError:
        # Streamlit 1.67 cannot read an infinite number from a URL such as `?seed=inf`, nor forget it.
        return st.number_input(label, low, high, default, key=f"{key}_instead", help=help)
