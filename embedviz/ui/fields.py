"""Fields that Streamlit's own do not quite cover."""

from collections.abc import Iterable
from contextlib import nullcontext

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.texts import _, translated


def view_of(label: str, views: Iterable[str], *, key: str) -> str:
    """Which view of a page, the first by default, bound to the URL. Only the one that is chosen is drawn."""
    names = list(views)
    return st.segmented_control(
        label,
        names,
        default=names[0],
        format_func=translated,
        required=True,
        key=key,
        label_visibility="collapsed",
        bind="query-params",
    )


def whole_number(
    label: str,
    low: int,
    high: int,
    default: int,
    *,
    key: str,
    help: str | None = None,
    below: DeltaGenerator | None = None,
) -> int:
    """A field for a whole number, bound to the URL.

    What is out of range stays in the field, with a message below it or in `below`, and the last good
    number stays in use. Streamlit's own limits would only show a mark, and never tell the script.
    """
    typed = _typed(label, default, key, help)
    if low <= typed <= high:
        st.session_state[f"{key}_kept"] = typed
        return typed
    kept = min(max(st.session_state.get(f"{key}_kept", default), low), high)
    with below or nullcontext():
        st.error(
            _(
                "{label}: {typed:,} is out of range. Take {low:,} to {high:,}; {kept:,} stays in use.",
                label=label,
                typed=typed,
                low=low,
                high=high,
                kept=kept,
            )
        )
    return kept


def _typed(label: str, default: int, key: str, help: str | None) -> int:
    try:
        return st.number_input(label, value=default, key=key, help=help, bind="query-params")
    except OverflowError:
        # Streamlit 1.67 cannot read an infinite number from a URL such as `?seed=inf`, nor forget it.
        return st.number_input(label, value=default, key=f"{key}_instead", help=help)
