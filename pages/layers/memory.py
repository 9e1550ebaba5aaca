"""The view "memory" of the page "Layers": how well a token's position can be read from its vector, layer by layer."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line
from embedviz.figures.figure import Figure
from embedviz.figures.stages import stage_charts
from embedviz.layers import probe as real
from embedviz.training import probe as small
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.fields import BOUND
from pages.layers import words

_HEIGHT = "clamp(17rem, calc(100vh - 26rem), 44rem)"


def memory(_page: ui.Frame) -> None:
    """Show the error of a straight line that reads positions, in MiniLM and in a small GPT."""
    _memory()


@ui.part
def _memory() -> None:
    with ui.on_every_slide("given"):
        is_on = st.toggle(_("Positions"), key="given", **BOUND)
    minilm = real.minilm()
    gpt, without = (small.probe(bundled(BUNDLED[name])) for name in ("default", "no_positions"))
    charts = [
        chart(_("MiniLM, texts of 32 tokens"), minilm.off, minilm.errors if is_on else None, minilm.guess),
        chart(_("small GPT, texts of 16 words"), without.errors, gpt.errors if is_on else None, gpt.guess),
    ]
    ui.cards(words.about_memory(minilm, gpt, without, is_on=is_on), key="about_memory")
    with ui.slide("memory"):
        ui.show(memory_figure(charts), key="memory", alt=words.memory_in_words(charts), height=_HEIGHT)


def chart(title: str, off: np.ndarray, on: np.ndarray | None, guess: float) -> Chart:
    """One model's errors with positions off and, if they are given, with positions on; guessing as a dashed line."""
    lines = [Line(_("guessing {error:.1f}", error=guess), np.full(len(off), guess, np.float32), theme.FAINT, 2, "dash")]
    lines.append(Line(_("positions off {error:.1f}", error=off[-1]), off, theme.INK))
    if on is not None:
        lines.append(Line(_("positions on {error:.1f}", error=on[-1]), on, "var(--accent)", 3))
    return Chart(title, lines, _("wrong by so many places"))


def memory_figure(charts: Sequence[Chart]) -> Figure:
    """The charts side by side, each from zero to above guessing."""
    return stage_charts(charts)
