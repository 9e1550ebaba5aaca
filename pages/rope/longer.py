"""The view "Longer than trained": which of RoPE's pairs meet new angles there, and what a scaling does to them."""

from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.attention.rope_reach import (
    MAX_BASE,
    MAX_FACTOR,
    MAX_HEAD_DIM,
    MAX_LENGTH,
    SCALINGS,
    Stretch,
    stretched,
    turning,
)
from embedviz.base.i18n import N_, _, translated
from embedviz.figures.figure import Figure
from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_chart
from embedviz.positions.rope_frequencies import is_ready
from embedviz.programs.schemes.rope import pytorch_longer
from embedviz.ui import BOUND, Card, Guide, Picture, Program, View, label_of, turns, whole_number
from pages.rope import longer_words as words

_SIZES = {  # an odd number of dimensions is refused where the speeds are computed
    "base": (N_("Base"), 2, MAX_BASE, 10_000),
    "head_dim": (N_("Dimensions of a head"), 4, MAX_HEAD_DIM, 128),
    "trained": (N_("Trained on (tokens)"), 2, MAX_LENGTH, 4096),
    "used": (N_("Used on (tokens)"), 2, MAX_LENGTH, 16_384),
}
_HEIGHT = ui.picture_height()
_KNOWN, _NEW = "var(--known-angle)", "var(--new-angle)"


class Fields(NamedTuple):
    """RoPE's scaling and its factor, and the sizes of the model: dimensions of a head, base, lengths in tokens."""

    scaling: str
    factor: int
    head_dim: int
    base: int
    trained: int
    used: int


class Longer(NamedTuple):
    """The pairs in training and in a text of another length."""

    fields: Fields
    stretch: Stretch


def settings(frame: ui.Frame) -> int:
    """How many dimensions a head has."""
    with frame.settings():
        return _size("head_dim", st.container(), frame.messages)


def fields(frame: ui.Frame, head_dim: int) -> Fields:
    """The two lengths, the base, and the scaling with its factor, if it has one."""
    *columns, scaling, last = frame.inputs.columns(5)
    with scaling, ui.on_every_slide("scaling"):
        name = st.selectbox(_("Scaling"), SCALINGS, format_func=label_of("scaling"), key="scaling", **BOUND)
    sizes = {
        key: _size(key, column, frame.messages)
        for key, column in zip(("trained", "used", "base"), columns, strict=True)
    }
    factor = 1
    if name != "none":
        factor = whole_number(_("Factor"), 1, MAX_FACTOR, 4, key="factor", below=frame.messages, place=last)
    return Fields(name, factor, head_dim, **sizes)


def _size(key: str, place: DeltaGenerator, below: DeltaGenerator) -> int:
    label, low, high, default = _SIZES[key]
    return whole_number(translated(label), low, high, default, key=key, below=below, place=place)


def longer(asked: Fields) -> Longer:
    """The angles of the pairs under the scaling that is chosen."""
    name, factor, head_dim, base, trained, used = asked
    return Longer(asked, stretched(name, factor, head_dim=head_dim, base=base, trained=trained, used=used))


def findings(result: Longer) -> list[Card]:
    """How many pairs meet new angles, and what another base changes."""
    _name, _factor, head_dim, base, trained, used = result.fields
    own, other = (turning(each, head_dim, trained) for each in (base, words.other_base(base)))
    return words.about_longer(result.stretch, trained, used, own, other)


def figure(result: Longer) -> Figure:
    """The largest angle of each pair in training and now."""
    stretch = result.stretch
    now = np.where(stretch.turns_used > 0, stretch.turns_used, np.nan)
    colours = [_NEW if new else _KNOWN for new in stretch.new.tolist()]
    trained = _("trained:<br>{n:,} tokens", n=result.fields.trained)
    used = _("used:<br>{n:,} tokens", n=result.fields.used)
    lines = [PairLine(trained, stretch.turns_trained), PairLine(used, now, colours)]
    places = np.flatnonzero(stretch.new)
    new = Band(_("in training:<br>no full circle"), int(places[0]), int(places[-1]), _NEW) if len(places) else None
    return pair_chart(PairChart(_("full circles"), lines, 1, _("one full circle"), new))


def pictures(result: Longer) -> list[Picture]:
    """The angles."""
    alt = words.longer_alt(result.stretch, result.fields.trained, result.fields.used)
    return [Picture(partial(ui.show, figure(result), key="longer", alt=alt, height=_HEIGHT))]


def program(result: Longer) -> Program:
    """The angles in PyTorch."""
    name, factor, head_dim, base, trained, used = result.fields
    text = pytorch_longer(name, factor, head_dim=head_dim, base=base, trained=trained, used=used)
    return Program(text, _("Longer than in training"))


LONGER = View(
    page="rope",
    name="longer",
    guide=Guide(
        N_("Each dot is a pair. In the red field, pairs meet angles that no text of the training showed. Choose a "
           "scaling."),
        N_("A model that was trained on short texts may read longer ones, as a rule after further training, if its "
           "slow pairs are slowed so that they stay within angles it knows."),
        "rope pair base wavelength scaling training",
    ),
    settings=settings,
    fields=fields,
    compute=longer,
    waiting=lambda asked: turns.release_lock(unless=is_ready(asked.scaling)),
    findings=findings,
    pictures=pictures,
    note=lambda result: words.about_scaling(result.stretch),
    program=program,
    examples=(
        {},
        {"base": "500", "used": "64"},
        *({"scaling": scaling} for scaling in SCALINGS if scaling != "none"),
        {"head_dim": "7"},
    ),
)  # fmt: skip
