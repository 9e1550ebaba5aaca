"""What stands on the slides of projection. A page says it where it draws its view; assets/page/slides.js shows it.

A container whose key begins with `frame_slide_` is a slide, and one with `frame_always_` is on every slide: Streamlit
makes classes of these keys, which `slides.js` and `present.css` look for.
"""

from collections.abc import Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.ui import presenting
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.components.cards.cards import cards as show_cards
from embedviz.ui.components.strip.strip import strip


def picture_height(rows: float = 1, most: int = 46) -> str:
    """The height of a picture that fills the first screen below so many rows of fields, in CSS; at most so many rem."""
    return f"clamp(18rem, min(100vh - {13.4 + 3.3 * rows:.4g}rem, 70vw), {most}rem)"


def slide(name: str = "", *, whole: bool = False) -> DeltaGenerator:
    """Return the place for what stands together on one slide; to be used in a `with` statement.

    A view's slides come in the order of the page. What a page says outside of them is on no slide, unless it has none.
    name: what tells it from the other slides of the view, if there are any. whole: True if all that stands here is one
    idea, with its parts. Slides within it come after it, each with a part of it.
    """
    return st.container(key=f"frame_slide_{'whole_' * whole}{name}", gap="xsmall")


def strip_above(text: str, *, key: str, **options: Any) -> None:
    """Show a strip above the view, which has a slide of its own. options: as `strip` knows it."""
    with slide(key):
        strip(text, key=key, **options)


def on_every_slide(name: str = "", *, by_key: bool = False) -> DeltaGenerator:
    """Return the place, for `with`, of what moves the pictures. It is on every slide but those with a finding.

    by_key: True if a key presses the switch or the button that stands here, before another key leads on.
    """
    return st.container(key=f"frame_always_{'by_key_' * by_key}{name}", gap="xsmall")


def reader_cards(cards: Sequence[Card], *, key: str) -> None:
    """Show cards, but not in a hall, where the headline leaves the picture more room."""
    if not presenting.is_on():
        show_cards(cards, key=key)


def reader_caption(text: str) -> None:
    """Show a caption that is on no slide, since only a reader has the time for it."""
    if not presenting.is_on():
        st.caption(text)
