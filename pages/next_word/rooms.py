"""Where the parts of the page "Next word" stand, on a page and in a hall."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.ui import presenting


@dataclass(frozen=True)
class Rooms:
    """chips: both prompts. answers: the bars, with a line above them: what came out, or the question before it.

    way: how far exchanged positions have come. button: what trains the model. In a hall the question and both of these
    are on every slide.
    """

    chips: DeltaGenerator
    answers: DeltaGenerator
    line: DeltaGenerator
    question: DeltaGenerator
    way: DeltaGenerator
    button: DeltaGenerator


def rooms(*, moves: bool) -> Rooms:
    """Lay them out. moves: whether exchanged positions can be on their way."""
    always = st.columns([5, 4], vertical_alignment="center") if presenting.is_on() else ()
    above, picture = ui.tokens_and_picture()
    with above:
        chips = ui.slide("prompts", alone=True)
    with picture:
        answers = ui.slide("answers", brief=True)
    if always:
        question, way = always
        return Rooms(chips, answers, answers.container(), question, way, question)
    line, *more = answers.columns([5, 3, 2] if moves else [4, 1], vertical_alignment="center")
    return Rooms(chips, answers, line, line, more[0], more[-1])
