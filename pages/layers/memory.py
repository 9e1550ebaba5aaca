"""The view "memory" of the page "Layers": how well a token's position can be read from its vector, layer by layer."""

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.layers import probe as real
from embedviz.training import probe as small
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.inputs.fields import BOUND
from pages.layers import words

_HEIGHT = "clamp(17rem, calc(100vh - 26rem), 44rem)"


def memory(_page: ui.Frame) -> None:
    """Show the error of a straight line that reads positions, in MiniLM and in a small GPT."""
    _memory()


@ui.part
def _memory() -> None:
    with ui.on_every_slide("given", by_key=True):
        is_on = st.toggle(_("Positions"), key="given", **BOUND)
    minilm = real.minilm()
    gpt, without = (small.probe(bundled(BUNDLED[name])) for name in ("learned", "none"))
    charts = [
        _chart("MiniLM", minilm.off, minilm, is_on=is_on),
        _chart(_("small GPT"), without.errors, gpt, is_on=is_on),
    ]
    cards = words.about_memory(minilm, gpt, without, is_on=is_on)
    ui.findings(cards, key="about_memory")
    with ui.slide("memory", brief=True):
        ui.finding(cards[0])
        ui.show(stage_charts(charts), key="memory", alt=words.memory_in_words(charts), height=_HEIGHT)
    ui.aside(
        _(
            "A linear probe reads the position from a token’s vector, in texts of 32 tokens for MiniLM and of 16 "
            "words for the small GPT. It was fitted on one part of a text and tested on another. Guessing means "
            "always naming the middle position."
        )
    )


def _chart(title: str, off: np.ndarray, probe: real.Probe | small.Probe, *, is_on: bool) -> Chart:
    """One model's errors without positions, and with them if they are on; guessing is dashed."""
    guess = np.full(len(off), probe.guess, np.float32)
    lines = [
        Line(_("guessing {error:.1f}", error=probe.guess), guess, theme.FAINT, 2, "dash"),
        Line(_("off {error:.1f}", error=off[-1]), off, theme.INK),
    ]
    if is_on:
        end = probe.errors[-1]
        lines.append(Line(_("on {error:.1f}", error=end), probe.errors, "var(--accent)", 3))
    return Chart(title, lines, _("error (places)"))
