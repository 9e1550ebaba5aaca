"""The view on left padding, which shifts the positions of tokens, and on what mends that."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _, ngettext, told
from embedviz.programs.inputs import pytorch_padding
from embedviz.text.tokens import Tokens, tokenize
from embedviz.ui import chips, text_within
from embedviz.vectors.batches import positions_from_edge, positions_from_mask

_MAX_PADDED = 200  # characters of a padded sentence


def padding(_page: ui.Frame) -> None:
    """Left padding shifts positions, and the fix."""
    fields = zip(
        st.columns(2), ((_("Short"), "the cat", "short"), (_("Long"), "the cat sat on the mat", "long")), strict=True
    )
    found = []
    for column, (label, default, key) in fields:
        with column:
            found.append(tokenize(text_within(st.text_input, label, default, _MAX_PADDED, key=key)))
    width = max(map(len, found))
    if not width:
        st.info(_("Type a few words."), icon=":material/edit:")
        return
    mask = np.array([[0] * (width - len(each)) + [1] * len(each) for each in found])
    cards = about_padding(mask)
    ui.findings(cards, key="about_padding")
    _padded(st.columns(2), found, mask, cards)
    ui.program(pytorch_padding([each.ids for each in found]), _("Padding on the left"))


def _padded(columns: Sequence[DeltaGenerator], tokens: list[Tokens], mask: np.ndarray, cards: list[ui.Card]) -> None:
    """Both sentences counted in two ways, each of which is a slide with the finding that it shows."""
    order = [id_ for each in tokens for id_ in each.ids]
    ways = (
        ("edge", _("Counted from the edge"), positions_from_edge),
        ("real", _("Counted from the first real token"), positions_from_mask),
    )
    names = (_("short"), _("long"))
    for column, (name, title, count), card in zip(columns, ways, [cards[0], cards[-1]], strict=True):
        with column, ui.slide(name, whole=True):
            ui.finding(card)
            st.subheader(title, anchor=False)
            for n, (each, places) in enumerate(zip(tokens, count(mask), strict=True)):
                label, n_pads = told(title, names[n]), mask.shape[1] - len(each)
                chips(each, key=f"{name}_{n}", label=label, colour_order=order, places=places, padding=n_pads)


def about_padding(mask: np.ndarray) -> list[ui.Card]:
    """What the pads do to the positions of the tokens behind them."""
    most = int((mask.shape[1] - mask.sum(axis=1)).max())
    if not most:
        return [ui.Card(_("No padding, no shift"), _("Both sentences have the same number of tokens."), "same")]
    shift = ngettext(
        "{n} padding token: every later position is {n} too high",
        "{n} padding tokens: every later position is {n} too high",
        most,
    )
    why = _("The first word no longer gets the vector for position 0. This matters where positional vectors are added.")
    fix = _(
        "Start counting at the first real token: position_ids = (attention_mask.cumsum(-1) - 1).clamp(min=0). "
        "Pads are masked out, so any position that has a row will do for them."
    )
    return [ui.Card(shift, why, "different"), ui.Card(_("The fix: count real tokens only"), fix, "same")]
