"""The view "prompt" of the page "Next word": any two prompts, and any causal model on this machine."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.layers.forward import forward
from embedviz.layers.here import here
from embedviz.layers.positions import changed
from embedviz.programs.next_word import pytorch_prompts
from embedviz.programs.rows import of_next_word
from embedviz.text.samples import pairs
from embedviz.text.tokens import TokenIds, Tokens
from embedviz.text.visible import in_words
from embedviz.ui import sentences, turns
from embedviz.ui.fields import BOUND, literal, one_of, whole_number
from embedviz.ui.messages import stop, stop_at_error
from embedviz.ui.options import OPTIONS
from embedviz.vectors.spec import Spec
from pages.next_word.bars import bars

_BARS = "clamp(13rem, calc(100vh - 31rem), 26rem)"
_MAX_TOKENS = min(64, sentences.MAX_TOKENS)  # a prompt is run through all layers with each letter


def prompt(page: ui.Frame) -> None:
    """Let the visitor choose the model, and show what it expects after both prompts."""
    names = [name for name, kind in here().items() if kind == "causal"]
    page.lead(_("A real model reads both prompts. What does it expect next?"))
    if not names:
        page.messages.info(
            _(
                "There is no model on this machine that says a next word. `hf download openai-community/gpt2` brings "
                "one, or a model’s folder in EMBEDVIZ_MODELS. The view “Who bites?” has models of its own."
            ),
            icon=":material/info:",
        )
        return
    name = page.inputs.selectbox(_("Model"), names, key="causal_model", **BOUND)
    _prompted(name)


@ui.part
def _prompted(name: str) -> None:
    with ui.slide("prompts", alone=True):
        columns = sentences.columns([1, 1])
    texts = [sentences.sentence(*each) for each in zip(columns, "AB", (pairs()[0].a, pairs()[0].b), strict=True)]
    with stop_at_error(name):
        spec = Spec(source=name)
    tokens = sentences.tokens(columns, texts, spec, _MAX_TOKENS)
    sentences.as_chips(columns, tokens)
    if not all(each.ids for each in tokens):
        stop()
    places = _places(tokens)
    with turns.pause(), stop_at_error(name):
        a, b = (forward(each.text, spec, given) for each, given in zip(tokens, places, strict=True))
    order = [id_ for each in tokens for id_ in each.ids]
    known = TokenIds(spec.tokenizer, np.arange(0), len(a.next_word))
    with ui.on_every_slide("outcome"):
        st.caption(literal(_outcome(a.next_word, b.next_word, known)))
    with ui.slide("next_word"):
        bars((a, b), known.texts, order, _BARS)
    program = pytorch_prompts(name, [(a.tokens, places[0]), (b.tokens, places[1])])
    rows = partial(of_next_word, a, b, known.texts)
    ui.program(program, _("The next word after two prompts"), height=380, rows=rows)


def _outcome(a: np.ndarray, b: np.ndarray, known: TokenIds) -> str:
    """The likeliest tokens, and how far apart A and B are. a, b: the probability of each token, (V,)."""
    likeliest = known.texts([int(each.argmax()) for each in (a, b)])
    one, other = map(in_words, likeliest)
    share = f"{np.abs(a - b).sum() / 2:.0%}"
    return paragraph(
        [
            _("The likeliest token is {a} after A and {b} after B.", a=one, b=other),
            _("{share} of the probability is on other tokens after B than after A.", share=share),
        ]
    )


def _places(tokens: Sequence[Tokens]) -> list[Sequence[int] | None]:
    """The positions of the tokens of both prompts; None as the model was trained."""
    with ui.on_every_slide("given"):
        change = one_of(_("Positions"), OPTIONS["given"], key="given", label_visibility="collapsed")
        if change == "trained":
            return [None, None]
        last = min(map(len, tokens)) - 1
        swap = (0, last)
        if change == "swapped":
            one, other = st.columns(2)
            swap = (
                whole_number(_("The token at"), 0, last, 0, key="swap", place=one),
                whole_number(_("and the one at"), 0, last, last, key="swap_with", place=other),
            )
    return [changed(change, len(each), swap=swap) for each in tokens]
