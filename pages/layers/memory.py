"""The view "memory" of the page "Layers": how well a token's position can be read from its vector, layer by layer."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, listed, paragraph
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.layers.probe import Pair, probes
from embedviz.ui.components.cards.cards import Card
from embedviz.ui.inputs.fields import BOUND
from embedviz.vectors.probing import HIDDEN, Probe

_HEIGHT = "clamp(17rem, calc(100vh - 26rem), 44rem)"
_GUESSED = 0.95  # what is wrong by more than this share of guessing is no better than guessing
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
    cards = about_memory(minilm, gpt, is_on=is_on)
    ui.findings(cards, key="about_memory")
    with ui.slide("memory", brief=True):
        ui.finding(cards[0])
        ui.show(stage_charts(charts), key="memory", alt=memory_in_words(charts), height=_HEIGHT)
    ui.aside(about_probes(minilm, gpt))


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


def about_memory(minilm: Pair, gpt: Pair, *, is_on: bool) -> list[Card]:
    """Cards: what a line and a network read of positions in MiniLM and the small GPT, and what without positions."""
    if not is_on:
        return [_without("MiniLM", minilm.off), _mask(gpt.off)]
    return [_at_the_end("MiniLM", minilm.on), _at_the_end(_("The small GPT"), gpt.on), _mask(gpt.off)]


def _at_the_end(model: str, probe: Probe) -> Card:
    """What is still read after the last layer: what is wrong by less than half of guessing reads the position."""
    line, network = probe.line.tested.mean(axis=0), probe.network.tested.mean(axis=0)
    said = _(
        "After the last layer a straight line is wrong by {line:.1f} places, and at the input by {first:.1f}. A small "
        "network is wrong by {network:.1f} after the last layer. Guessing is wrong by {guess:.1f}.",
        line=line[-1],
        first=line[0],
        network=network[-1],
        guess=probe.guess,
    )
    half, even = probe.guess / 2, ""
    if line[-1] < half:
        title = _("{model}: a straight line still reads the position", model=model)
    elif network[-1] >= half:
        title = _("{model}: both read the position badly at the end", model=model)
    elif line[0] < half:
        title = _("{model}: not gone, but no longer on a straight line", model=model)
        fitted = probe.line.fitted.mean(axis=0)[-1]
        if fitted >= half:
            even = _("Even on the part of the text that it was fitted on, the line is wrong by {n:.1f}.", n=fitted)
    else:
        title = _("{model}: there, but on no straight line", model=model)
    return Card(title, paragraph([said, even]), "different")


def _without(model: str, probe: Probe) -> Card:
    errors = np.stack([each.tested.mean(axis=0) for each in (probe.line, probe.network)])
    said = _(
        "With nothing added, the straight line and the small network are wrong by {low:.1f} to {high:.1f} places, at "
        "the input and after every layer. Guessing is wrong by {guess:.1f}.",
        low=errors.min(),
        high=errors.max(),
        guess=probe.guess,
    )
    if errors.min() < _GUESSED * probe.guess:
        return Card(_("{model} without positions: better than guessing", model=model), said, "different")
    so = _("So the words do not give the position away.")
    return Card(_("{model} without positions: no better than guessing", model=model), paragraph([said, so]), "same")


def _mask(probe: Probe) -> Card:
    line, network = probe.line.tested.mean(axis=0), probe.network.tested.mean(axis=0)
    title = _(
        "A causal mask alone: a network is wrong by {after:.1f} places instead of {before:.1f}",
        after=network[-1],
        before=network[0],
    )
    said = _(
        "This GPT was trained without positions. A straight line is wrong by {before:.1f} places at the input and by "
        "{after:.1f} after the last layer. Guessing is wrong by {guess:.1f}.",
        before=line[0],
        after=line[-1],
        guess=probe.guess,
    )
    so = (
        _("Only the mask can tell the position here, since a token sees itself and those before it, and no others.")
        if network[-1] < _GUESSED * network[0]
        else ""
    )
    return Card(title, paragraph([said, so]))


def about_probes(minilm: Pair, gpt: Pair) -> str:
    """How the errors were measured."""
    networks = [each.network for pair in (minilm, gpt) for each in pair]
    return paragraph(
        [
            _(
                "A probe reads the position from a token’s vector. The straight line is a linear probe: it multiplies "
                "each number by a weight and adds them up. The small network has {n} neurons in between.",
                n=HIDDEN,
            ),
            _(
                "Both were fitted on one part of a text and tested on another, in windows that do not overlap. For "
                "MiniLM these are {fitted:,} and {tested:,} tokens of “Alice’s Adventures in Wonderland”, in windows "
                "of {length}.",
                fitted=minilm.on.n_fitted,
                tested=minilm.on.n_tested,
                length=minilm.on.length,
            ),
            _(
                "For the small GPT they are {fitted:,} and {tested:,} words, in windows of {length}. It is read before "
                "its final norm.",
                fitted=gpt.on.n_fitted,
                tested=gpt.on.n_tested,
                length=gpt.on.length,
            ),
            _("Dotted, “fitted”: the error on the part of the text on which a probe was fitted."),
            _(
                "A network’s line is the mean of {n} that began with other random numbers; when tested, these differ "
                "by {spread:.2f} places at most.",
                n=len(networks[0].tested),
                spread=max(each.spread for each in networks),
            ),
            _("Guessing means always naming the middle position."),
            _("MiniLM never met texts without positions in training. The small GPT without them was trained so."),
        ]
    )


def memory_in_words(charts: Sequence[Chart]) -> str:
    """The text alternative of the lines of errors."""
    return paragraph(
        _("{chart}, {line}: {values}.", chart=chart.title, line=line.name,
          values=listed(f"{value:.2f}" for value in line.values))
        for chart in charts for line in chart.lines
    )  # fmt: skip
