"""Where the parts of the page "Next word" stand, on a page and in a hall."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.ui import presenting


@dataclass(frozen=True)
class Layout:
    """prompts: their tokens, for readers. bars: the picture, with a line above it: what came out, or the question.

    share: how far exchanged positions have come. button: what trains the model. In a hall the question and both of
    these are on every slide.
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
    prompts, bars = st.container(gap="xsmall"), ui.slide("answers")
    if always:
        question, share = always
        return Layout(prompts, bars, bars.container(), question, share, question)
    line, *more = bars.columns([5, 3, 2] if moves else [4, 1], vertical_alignment="center")
    return Layout(prompts, bars, line, line, more[0], more[-1])
