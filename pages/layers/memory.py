"""The view "memory" of the page "Layers": how well a token's position can be read from its vector, layer by layer."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from embedviz import ui
from embedviz.base.i18n import N_, _, listed, numeral, paragraph
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.layers.probe import Pair, probes
from embedviz.ui import Card, Guide, Picture, View
from embedviz.ui.inputs import controls
from embedviz.vectors.probing import HIDDEN, Probe

_HEIGHT = ui.picture_height(0.7)
_GUESSED = 0.95  # what is wrong by more than this share of guessing is no better than guessing
_LINE, _NETWORK = "var(--straight-line)", "var(--network)"


class Memory(NamedTuple):
    """What is read of positions in MiniLM and in a small GPT, and whether it is shown with the positions on."""

    minilm: Pair
    gpt: Pair
    is_on: bool


def fields(_frame: ui.Frame, _settings: None) -> bool:
    """Whether the positions are on."""
    return controls.positions_field() == "on"


def memory(is_on: bool) -> Memory:
    """What was measured of both models."""
    return Memory(probes()["minilm"], probes()["gpt"], is_on)


def findings(result: Memory) -> list[Card]:
    """What a line and a network still read at the end."""
    return about_memory(result.minilm, result.gpt, is_on=result.is_on)


def pictures(result: Memory) -> list[Picture]:
    """By how much a straight line and a small network are wrong in MiniLM; cards have the small GPT's errors."""
    charts = [_chart("MiniLM", result.minilm.on if result.is_on else result.minilm.off)]
    lines = partial(ui.show, stage_charts(charts), key="memory", alt=memory_in_words(charts), height=_HEIGHT)
    return [Picture(lines, "memory")]


def _chart(title: str, probe: Probe) -> Chart:
    """One model's errors, beside those of guessing and those on the part of the text where a probe was fitted."""
    guess = np.full(probe.line.tested.shape[1:], probe.guess, np.float32)
    lines = [
        Line(_("guessing"), guess, theme.FAINT, 2, "dash"),
        Line(_("straight line"), probe.line.tested.mean(axis=0), _LINE, 3),
        Line(_("line fitted"), probe.line.fitted.mean(axis=0), _LINE, 1.5, "dot"),
        Line(_("network"), probe.network.tested.mean(axis=0), _NETWORK, 3),
        Line(_("network fitted"), probe.network.fitted.mean(axis=0), _NETWORK, 1.5, "dot"),
    ]
    return Chart(
        title,
        [replace(line, name=f"{line.name} {numeral(line.values[-1], '.1f')}") for line in lines],
        _("error (places)"),
    )


def about_memory(minilm: Pair, gpt: Pair, *, is_on: bool) -> list[Card]:
    """Cards: what a line and a network read of positions in MiniLM and the small GPT, and what without positions."""
    if not is_on:
        return [_without("MiniLM", minilm.off), _mask(gpt.off)]
    return [_at_the_end("MiniLM", minilm.on), _at_the_end(_("the small GPT"), gpt.on), _mask(gpt.off)]


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
    is_harder = bool((np.diff(line) > 0).all()) and network[-1] > network[0]
    if line[-1] < half:
        title = _("After the last layer of {model}, a straight line still reads the position", model=model)
    elif network[-1] >= half:
        title = _("After the last layer of {model}, neither a line nor a network reads the position well", model=model)
    elif line[0] < half:
        title = (
            _("The deeper in {model}, the harder the position is to read", model=model)
            if is_harder
            else _(
                "After the last layer of {model}, a network reads the position, a straight line no longer", model=model
            )
        )
        fitted = probe.line.fitted.mean(axis=0)[-1]
        if fitted >= half:
            even = _("Even on the part of the text that it was fitted on, the line is wrong by {n:.1f}.", n=fitted)
    else:
        title = _(
            "After the last layer of {model}, a network reads the position, and a straight line at no layer",
            model=model,
        )
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
          values=listed(numeral(value, ".2f") for value in line.values))
        for chart in charts for line in chart.lines
    )  # fmt: skip


MEMORY = View(
    page="layers",
    name="memory",
    guide=Guide(
        N_(
            "The lower a line, the better a token’s position can be read from its vector: by a straight line, or by a "
            "small network."
        ),
        N_("What a straight line no longer reads need not be gone: a small network may still read it."),
        "layer position vector probe intervention mask mean",
    ),
    fields=fields,
    compute=memory,
    findings=findings,
    pictures=pictures,
    note=lambda result: about_probes(result.minilm, result.gpt),
    examples=({}, {"positions": "off"}),
)
