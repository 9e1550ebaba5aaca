"""The tokens of two prompts or three, and the bars of the words that a model expects next, side by side."""

from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, joined, numeral, paragraph
from embedviz.figures.axes import SENTENCES
from embedviz.figures.figure import blanked
from embedviz.figures.model.next_words import next_word_bars
from embedviz.text.tokens import Tokens
from embedviz.text.visible import in_words
from embedviz.training.placement import Placement
from embedviz.ui import presenting
from embedviz.vectors.forward import Forward

_N_WORDS = 4  # before all others together
_LEAST = 0.005  # a probability that is drawn: others are among all others together
_HEIGHT = ui.picture_height(2, 34)


def chips(prompts: Sequence[tuple[Tokens, Placement]], colour_order: Sequence[int]) -> None:
    """Show the tokens of each prompt with their positions; in a hall the bars name the prompts."""
    if presenting.is_on():
        return
    columns = st.columns(len(prompts))
    for column, name, (tokens, placement) in zip(columns, SENTENCES, prompts, strict=False):
        with column:
            label, positions = _("Tokens of {name}", name=name), standing(placement, len(tokens))
            ui.chips(tokens, key=f"chips_{name}", label=label, colour_order=colour_order, places=positions)


def standing(placement: Placement, n_words: int) -> list[int]:
    """The position of each word of the model's list. Words that are on their way are still at their own."""
    positions = list(placement.positions or range(n_words))
    if placement.exchanged and placement.share == 1:
        i, j = placement.exchanged
        positions[i], positions[j] = positions[j], positions[i]
    return [positions[n] for n in placement.listed(n_words)]


def bars(
    outputs: Sequence[Forward],
    texts: Callable[[list[int]], list[str]],
    colour_order: Sequence[int],
    first: Sequence[int] = (),
    *,
    is_asked: bool = False,
) -> None:
    """Show the likeliest words.

    outputs: what the model makes of each prompt. texts: gives the text of each ID. colour_order: the IDs of everything
    that has a colour. first: the IDs of words that come first, however likely they are. is_asked: True if question
    marks stand for the bars, since a guess comes before them.
    """
    chances = np.stack([output.chances for output in outputs])  # (P, V)
    likely = [int(id_) for id_ in (-chances.max(axis=0)).argsort(kind="stable")[: _N_WORDS + len(first)]]
    likely = [id_ for id_ in likely if id_ not in first and chances[:, id_].max() >= _LEAST]
    ids = [*first, *likely][:_N_WORDS] or [int(chances.max(axis=0).argmax())]
    rest = np.clip(1 - chances[:, ids].sum(axis=1, keepdims=True), 0, 1)  # rounding may lead below 0
    drawn = np.hstack([chances[:, ids], rest])  # (P, N + 1)
    words, others = texts(ids), _("{n:,} others", n=chances.shape[1] - len(ids))
    prompts, alt = [output.tokens for output in outputs], _alt([*map(in_words, words), others], drawn)
    if is_asked:
        drawn = np.zeros_like(drawn)
        alt = _("Bars of the likeliest next words; question marks stand for those that are asked for.")
    figure = next_word_bars(prompts, [*words, others], ids, drawn, colour_order)
    if is_asked:
        for n in range(len(prompts)):
            figure = blanked(figure, n)
    ui.show(figure, key="next_word", alt=alt, height=_HEIGHT)


def _alt(names: Sequence[str], chances: np.ndarray) -> str:
    bars = [
        joined([f"{name} {numeral(chance, '.3f')}" for name, chance in zip(names, each, strict=True)])
        for each in chances
    ]
    texts = [_("After {name}: {bars}.", name=name, bars=text) for name, text in zip(SENTENCES, bars, strict=False)]
    return paragraph([_("Bars of the likeliest next words and their probabilities."), *texts])
