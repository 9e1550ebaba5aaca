"""Where the parts of the page "Next word" stand, on a page and in a hall."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.ui import presenting


@dataclass(frozen=True)
class Layout:
    """bars: the picture. line: what was changed; question: the buttons that answer before it.

    share: how far exchanged positions have come. button: what trains the model. prompts: their tokens, for readers. In
    a hall the question, the share and the button are on every slide, above the picture.
    """

    prompts: DeltaGenerator
    bars: DeltaGenerator
    line: DeltaGenerator
    question: DeltaGenerator
    share: DeltaGenerator
    button: DeltaGenerator


def layout(*, moves: bool) -> Layout:
    """Make the places. moves: whether exchanged positions can be on their way."""
    always = st.columns([5, 4], vertical_alignment="center") if presenting.is_on() else ()
    bars = ui.slide("answers")
    if always:
        question, share = always
        return Layout(st.container(gap="xsmall"), bars, bars.container(), question, share, question)
    line, *more = st.columns([5, 3, 2] if moves else [4, 1], vertical_alignment="center")
    return Layout(st.container(gap="xsmall"), bars, line, line, more[0], more[-1])
