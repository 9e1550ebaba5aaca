"""The view "prompt" of the page "Next word": any two prompts, through a causal model of this machine or a small GPT."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.layers.positions import exchanged
from embedviz.programs.next_word import pytorch_next_word, pytorch_prompts
from embedviz.programs.rows import of_next_word
from embedviz.text.tokens import Tokens
from embedviz.text.visible import in_words
from embedviz.ui import bringing, challenges, presenting, sentences
from embedviz.ui.fields import BOUND, literal, one_of, whole_number
from embedviz.ui.messages import stop_at_error
from embedviz.ui.options import OPTIONS
from embedviz.ui.readers import reader_and_texts, waiting
from embedviz.ui.reading import Reader, placed, positions_after
from embedviz.vectors.copies import paired
from embedviz.vectors.forward import Forward
from pages.next_word.bars import bars

_FIXED = ("alibi", "none")  # schemes whose models are given no positions
_BARS = "clamp(13rem, calc(100vh - 31rem), 26rem)"


def prompt(page: ui.Frame) -> None:
    """Let the visitor choose the model, and show what it expects after both prompts."""
    page.lead(_("A model reads both prompts. What does it expect next?"))
    with page.settings():
        bringing.offer("causal")
    _prompted()


@ui.part
def _prompted() -> None:
    of, texts = reader_and_texts(kind="causal")
    with stop_at_error(None if of.run else of.name), waiting(of):
        as_trained = [of.read(text, "trained") for text in texts]
        tokens = [each.tokens for each in as_trained]
    above, picture = ui.tokens_and_picture()
    with above, ui.slide("prompts", alone=True):
        _chips(of, tokens)
    with picture:
        change, swap, share = _change(of, tokens)
    with stop_at_error(None if of.run else of.name):
        a, b = as_trained if change == "trained" else (of.read(text, change, 0, swap, share) for text in texts)
    shown = partial(of.texts, vocab_size=len(a.next_word))
    with picture, ui.slide("next_word", brief=True):
        st.caption(literal(_outcome(of, a, b, [in_words(shown([int(each.next_word.argmax())])[0]) for each in (a, b)])))
        bars((a, b), shown, [id_ for each in tokens for id_ in each.ids], _BARS)
    program = _program(of, tokens, change, swap, share)
    ui.program(program, _("The next word after two prompts"), height=380, rows=partial(of_next_word, a, b, shown))
    challenges.check("same-answer", a, b)


def _chips(of: Reader, tokens: Sequence[Tokens]) -> None:
    """The tokens of both prompts. Those of B can be dragged, if any order of them is a text again; in a hall none."""
    if presenting.is_on():
        sentences.as_chips([st.container(), st.container()], tokens)
        return
    if not of.run:
        sentences.as_chips(st.columns(2), tokens)
        return
    ui.order(
        tokens,
        paired(*(each.ids for each in tokens)),
        [],
        key="order",
        alt=_("Words of A: {a}. Words of B: {b}.", a=" ".join(tokens[0].texts), b=" ".join(tokens[1].texts)),
        is_compact=True,
        redraw=st.session_state.get("order_moves", 0),
        on_move=partial(_moved, tokens[1], of.field),
        on_press=lambda: None,
    )


def _moved(b: Tokens, field: str = "small") -> None:
    """Give B the order into which the visitor has dragged its words. For callbacks."""
    ids = st.session_state["order"].moved
    st.session_state["order_moves"] = st.session_state.get("order_moves", 0) + 1
    if isinstance(ids, list) and all(type(id_) is int for id_ in ids) and sorted(ids) == sorted(b.ids):
        word = dict(zip(b.ids, b.texts, strict=True))
        st.session_state[f"{field}_b"] = " ".join(word[id_] for id_ in ids)


def _change(of: Reader, tokens: Sequence[Tokens]) -> tuple[str, tuple[int, int], float]:
    """What is done to the positions; which two tokens exchange them; and how far their vectors have come."""
    last = min(map(len, tokens)) - 1
    usual = [min(each, last) for each in exchanged(*(each.ids for each in tokens))]
    row, fields = st.columns([2, 3], vertical_alignment="bottom")
    with row, ui.on_every_slide("given"):
        offered = ["trained"] if of.scheme in _FIXED else list(OPTIONS["given"])
        change = one_of(_("Positions"), offered, key="given", label_visibility="collapsed")
    if change != "swapped":
        return change, (0, 0), 1.0
    one, other, way = fields.columns([1, 1, 2], vertical_alignment="bottom")
    swap = (
        whole_number(_("The token at"), 0, last, usual[0], key="swap", place=one),
        whole_number(_("and the one at"), 0, last, usual[1], key="swap_with", place=other),
    )
    if not of.run:
        return change, swap, 1.0
    return change, swap, way.slider(_("How far the two positions have come"), 0.0, 1.0, 1.0, 0.05, key="way", **BOUND)


def _outcome(of: Reader, a: Forward, b: Forward, likeliest: Sequence[str]) -> str:
    """The likeliest tokens, and how far apart A and B are."""
    share = f"{np.abs(a.next_word - b.next_word).sum() / 2:.0%}"
    return paragraph(
        [
            _("The likeliest token is {a} after A and {b} after B.", a=likeliest[0], b=likeliest[1]),
            ""
            if presenting.is_on()
            else _("{share} of the probability is on other tokens after B than after A.", share=share),
            _("This model has no positions that could change.") if of.scheme in _FIXED else "",
        ]
    )


def _program(of: Reader, tokens: Sequence[Tokens], change: str, swap: tuple[int, int], share: float) -> str:
    if of.run:
        # Both prompts have one placement: nothing here depends on how many words there are.
        return pytorch_next_word(of.run, [each.text for each in tokens], placed(change, 0, 0, swap, share))
    return pytorch_prompts(of.name, [(each, positions_after(change, len(each), 0, swap)) for each in tokens])
