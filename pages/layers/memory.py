"""The view "memory" of the page "Layers": how well a token's position can be read from its vector, layer by layer."""

from dataclasses import replace

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.layers.probe import Pair, probes
from embedviz.ui.inputs.fields import BOUND
from pages.layers import words

_HEIGHT = "clamp(17rem, calc(100vh - 26rem), 44rem)"
_LINE, _NETWORK = "var(--token-0)", "var(--token-1)"


def memory(_page: ui.Frame) -> None:
    """Show by how much a straight line and a small network are wrong that read positions, in MiniLM and a small GPT."""
    _memory()


@ui.part
def _memory() -> None:
    with ui.on_every_slide("given", by_key=True):
        is_on = st.toggle(_("Positions"), key="given", **BOUND)
    minilm, gpt = (probes()[name] for name in ("minilm", "gpt"))
    charts = [_chart("MiniLM", minilm, is_on=is_on), _chart(_("small GPT"), gpt, is_on=is_on)]
    cards = words.about_memory(minilm, gpt, is_on=is_on)
    ui.findings(cards, key="about_memory")
    with ui.slide("memory", brief=True):
        ui.finding(cards[0])
        ui.show(stage_charts(charts), key="memory", alt=words.memory_in_words(charts), height=_HEIGHT)
    ui.aside(words.about_probes(minilm, gpt))


def _chart(title: str, pair: Pair, *, is_on: bool) -> Chart:
    """One model's errors with positions or without them; those without them stay dashed."""
    shown, off = (pair.on if is_on else pair.off), pair.off
    guess = np.full(shown.line.tested.shape[1:], shown.guess, np.float32)
    lines = [
        Line(_("guessing"), guess, theme.FAINT, 2, "dash"),
        Line(_("line"), shown.line.tested.mean(axis=0), _LINE, 3),
        Line(_("line fitted"), shown.line.fitted.mean(axis=0), _LINE, 2, "dot"),
        Line(_("network"), shown.network.tested.mean(axis=0), _NETWORK, 3),
        Line(_("network fitted"), shown.network.fitted.mean(axis=0), _NETWORK, 2, "dot"),
    ]
    if is_on:
        lines += [
            Line(_("line off"), off.line.tested.mean(axis=0), _LINE, 2, "dash"),
            Line(_("network off"), off.network.tested.mean(axis=0), _NETWORK, 2, "dash"),
        ]
    return Chart(
        title, [replace(line, name=f"{line.name} {line.values[-1]:.1f}") for line in lines], _("error (places)")
    )
