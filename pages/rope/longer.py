"""The view "Longer than trained": which of RoPE's pairs meet new angles there, and what a scaling does to them."""

import numpy as np
import streamlit as st

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
from embedviz.figures.schemes.pair_charts import Band, PairChart, PairLine, pair_chart
from embedviz.positions.rope_frequencies import is_ready
from embedviz.programs import rope as export
from embedviz.ui import BOUND, label_of, stop_at_error, turns, whole_number
from pages.rope import longer_words as words

_FIELDS = {  # an odd number of dimensions is refused where the speeds are computed
    "base": (N_("Base"), 2, MAX_BASE, 10_000),
    "head_dim": (N_("Dimensions of a head"), 4, MAX_HEAD_DIM, 128),
    "trained": (N_("Trained on (tokens)"), 2, MAX_LENGTH, 4096),
    "used": (N_("Used on (tokens)"), 2, MAX_LENGTH, 16_384),
}
_HEIGHT = "clamp(18rem, calc(100vh - 26rem), 38rem)"
_KNOWN, _NEW = "var(--known-angle)", "var(--new-angle)"


def longer(page: ui.Frame) -> None:
    """Show the angles of RoPE's pairs in training and in a longer text, under the scaling that is chosen."""
    *columns, scaling, last = page.inputs.columns(5)
    with scaling, ui.on_every_slide("scaling"):
        name = st.selectbox(_("Scaling"), SCALINGS, format_func=label_of("scaling"), key="scaling", **BOUND)
    sizes = {}
    for key, column in zip(("trained", "used", "base", "head_dim"), [*columns, page.settings()], strict=True):
        with column:
            label, low, high, usual = _FIELDS[key]
            sizes[key] = whole_number(translated(label), low, high, usual, key=key, below=page.messages)
    factor = 1
    if name != "none":
        factor = whole_number(_("Factor"), 1, MAX_FACTOR, 4, key="factor", below=page.messages, place=last)
    with page.messages, stop_at_error(), turns.pause(unless=is_ready(name)):
        found = stretched(name, factor, **sizes)
    _body(found, **sizes)


def _body(stretch: Stretch, *, trained: int, used: int, base: int, head_dim: int) -> None:
    own, larger = (turning(each, head_dim, trained) for each in (base, words.other_base(base)))
    ui.cards(words.about_longer(stretch, trained, used, own, larger), key="about_longer")
    with ui.slide(brief=True):
        alt = words.longer_alt(stretch, trained, used)
        ui.show(pair_chart(_angles(stretch, used)), key="longer", alt=alt, height=_HEIGHT)
    ui.aside(words.about_scaling(stretch))
    sizes = {"head_dim": head_dim, "base": base, "trained": trained, "used": used}
    ui.program(export.pytorch_longer(stretch.name, stretch.factor, **sizes), _("Longer than in training"), height=380)


def _angles(stretch: Stretch, used: int) -> PairChart:
    now = np.where(stretch.turns_used > 0, stretch.turns_used, np.nan)
    colours = [_NEW if new else _KNOWN for new in stretch.new.tolist()]
    lines = [PairLine(_("in training"), stretch.turns_trained), PairLine(_("now"), now, colours)]
    places = np.flatnonzero(stretch.new)
    new = Band(_("new angles"), int(places[0]), int(places[-1]), _NEW) if len(places) else None
    title = _("RoPE’s angles: trained (line), in {n:,} tokens (dots)", n=used)
    return PairChart(title, _("full circles"), lines, 1, _("one full circle"), new)
