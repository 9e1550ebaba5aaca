"""The view on left padding, which shifts the positions of tokens, and on what mends that."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, label_value, ngettext
from embedviz.programs.inputs import pytorch_padding
from embedviz.text.tokens import Tokens, tokenize
from embedviz.ui import Guide, Picture, Program, View, chips, text_within
from embedviz.vectors.batches import positions_from_edge, positions_from_mask

_MAX_PADDED = 200  # characters of a padded sentence


class Padded(NamedTuple):
    """Two sentences, and which of their places are tokens and not padding, (2, T)."""

    sentences: list[Tokens]
    mask: np.ndarray


def fields(_frame: ui.Frame, _settings: None) -> list[str]:
    """Two sentences. Without a word in either, a message asks for one, and nothing follows."""
    short, long = st.columns(2)
    texts = [
        _sentence(short, _("Short"), "the cat", "short"),
        _sentence(long, _("Long"), "the cat sat on the mat", "long"),
    ]
    if not any(map(tokenize, texts)):
        st.info(_("Type a few words."), icon=":material/edit:")
        ui.stop()
    return texts


def _sentence(column: DeltaGenerator, label: str, default: str, key: str) -> str:
    with column:
        return text_within(st.text_input, label, default, _MAX_PADDED, key=key)


def padded(texts: Sequence[str]) -> Padded:
    """Pad the shorter sentence on the left."""
    sentences = [tokenize(text) for text in texts]
    width = max(map(len, sentences))
    return Padded(sentences, np.array([[0] * (width - len(tokens)) + [1] * len(tokens) for tokens in sentences]))


def draw(result: Padded) -> None:
    """Both sentences counted in two ways, each of which is a slide with the finding that it shows."""
    order = [id_ for tokens in result.sentences for id_ in tokens.ids]
    ways = (
        ("edge", _("Counted from the edge"), positions_from_edge),
        ("real", _("Counted from the first real token"), positions_from_mask),
    )
    names = (_("short"), _("long"))
    about = about_padding(result.mask)
    for column, (name, title, count), card in zip(st.columns(2), ways, [about[0], about[-1]], strict=True):
        with column, ui.slide(name, whole=True):
            ui.claim_line(card)
            st.subheader(title, anchor=False)
            for n, (tokens, places) in enumerate(zip(result.sentences, count(result.mask), strict=True)):
                label, n_pads = label_value(title, names[n]), result.mask.shape[1] - len(tokens)
                chips(tokens, key=f"{name}_{n}", label=label, colour_order=order, places=places, padding=n_pads)


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


PADDING = View(
    page="batches",
    name="padding",
    guide=Guide(
        N_("Compare the positions above the tokens: one panel counts the padding, the other does not."),
        N_("A model with added positions would otherwise see a sentence begin at position 4, say, and not at 0."),
        "batch padding position absolute mask",
    ),
    fields=fields,
    compute=padded,
    findings=lambda result: about_padding(result.mask),
    pictures=lambda result: [Picture(partial(draw, result), None)],
    program=lambda result: Program(
        pytorch_padding([tokens.ids for tokens in result.sentences]), _("Padding on the left")
    ),
    examples=({}, {"short": "dog", "long": "dog"}, {"short": "", "long": ""}),
)  # fmt: skip
