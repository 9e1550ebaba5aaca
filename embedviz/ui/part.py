"""A part of a page that runs by itself when one of its own controls changes."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from embedviz.ui.turns import turn

_P = ParamSpec("_P")


def part(draw: Callable[_P, None]) -> Callable[_P, None]:
    """Make `draw` such a part: an edit inside it sends none of the page around it again.

    Between runs of the page it is called with the same arguments.
    """

    @st.fragment
    @wraps(draw)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        with turn():
            draw(*args, **kwargs)

    return run
