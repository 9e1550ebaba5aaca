"""The view "Adding" of the page "Positions": a token and its position, held in the hand."""

import re
from collections.abc import Callable
from functools import partial

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _, series, told
from embedviz.figures.sum_rows import sum_rows
from embedviz.positions import ADDING
from embedviz.programs import positions as export
from embedviz.programs.rows import of_sentence
from embedviz.text.visible import in_figure, visible
from embedviz.ui import BOUND, OPTIONS, extent, one_of, text_within, turns, whole_number
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.controls import settled
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for
from embedviz.vectors.position_tables import TableSettings
from embedviz.vectors.spec import Spec
from embedviz.vectors.with_position import WithPosition, other_than, shadow, with_position
from pages.positions import words
from pages.positions.arrows import arrows
from pages.positions.settings import has_none

_MAX_CHARACTERS = 300
_MAX_TOKENS = 12  # of the sentence to which positions are added
_SENTENCE = "the cat sat on the mat"
_HELD = re.compile(r"-?\d\.\d\d(,-?\d\.\d\d){3}")  # two numbers of the token, two of the position
# Numbers that can be added in the head.
_BEGIN = WithPosition(*np.array([[3, 1], [-1, 2], [-2, 3]], np.float32))
_HEIGHT = "clamp(15rem, calc(100vh - 27rem), 30rem)"


def adding(settings: TableSettings) -> None:
    """Show a token, its position and their sum, in as many numbers as the visitor asks for."""
    if "learned" not in settings.kinds:
        has_none(settings.origin)
        return
    above = st.container()
    many, stretch = st.columns([1, 1], vertical_alignment="bottom")
    with many, ui.on_every_slide():
        numbers = one_of(_("Numbers in a vector"), OPTIONS["held_numbers"], key="held_numbers")
    if numbers == "2":
        _by_hand()
        return
    left, right, scheme = above.columns([3, 1.2, 1.4], vertical_alignment="bottom")
    with left:
        text = text_within(st.text_input, _("Sentence"), _SENTENCE, _MAX_CHARACTERS, key="sentence")
    spec = Spec(
        source=settings.source,
        output_dim=settled(settings.origin).get("output_dim", Spec.output_dim),
        seed=settings.seed,
        position=scheme.selectbox(_("Position scheme"), ADDING, key="position", **BOUND),
        position_scale=stretch.slider(_("Position scale"), 0.0, 4.0, 1.0, 0.05, key="position_scale", **BOUND),
    )
    tokens = tokenize_for(text, spec).head(_MAX_TOKENS)
    sentences.say_if_lost(tokens)
    last = max(len(tokens) - 1, 0)
    n = whole_number(_("Token at position"), 0, last, min(1, last), key="token_at", place=right)
    if sentences.is_empty(tokens):
        st.info(_("The sentence is empty: type a few words."), icon=":material/edit:")
    if tokens.ids:
        with turns.pause():
            embedded = embed_tokens(tokens, spec)
        _sum(embedded, n, numbers)


def _sum(embedded: Embedded, n: int, numbers: str) -> None:
    whole = with_position(embedded, n)
    n_numbers = len(whole.token) if numbers == "pca" else int(numbers)
    shown = whole.first(n_numbers)
    ui.cards(words.about_adding(shown), key="about")
    with ui.slide(brief=True):
        if numbers == "pca" and len(embedded.tokens) > 1:
            flat, explained = shadow(embedded, n)
            axes = [_("PC {n} ({share:.0%})", n=k, share=share) for k, share in enumerate(explained, 1)]
            arrows(flat, _names(embedded, n, visible), axes, said=words.of_distances(shown), key="arrows")
        else:
            _rows(shown, _names(embedded, n, in_figure))
    program = export.pytorch_adding(embedded, n, other_than(embedded, n), n_numbers)
    ui.program(program, _("What adding does"), rows=partial(of_sentence, embedded))


def _by_hand() -> None:
    """Vectors of two numbers, which the visitor moves. The address holds what became of them."""
    told = st.query_params.get("held", "")
    now = _BEGIN
    if _HELD.fullmatch(told):
        now = WithPosition(*np.array(told.split(","), np.float32).reshape(2, 2), now.other)
    names = {"token": _("token"), "position": _("+ position"), "input": _("= input"), "other": _("another token")}
    with ui.slide(brief=True):
        arrows(now, names, (_("first number"), _("second number")), keep=_keep, key="held_arrows")
    ui.program(export.pytorch_sum(now), _("Two arrows, tip to tail"))


def _keep() -> None:
    """Write into the address what became of the arrows."""
    held = st.session_state["held_arrows"].get("held")
    if isinstance(held, list) and all(type(number) in (int, float) for number in held):
        st.query_params["held"] = ",".join(f"{number:.2f}" for number in held)


def _names(embedded: Embedded, n: int, shown: Callable[[str], str]) -> dict[str, str]:
    """What the token, the position, the input and the other token are called."""
    texts, place = embedded.tokens.texts, other_than(embedded, n)
    return {
        "token": _("token {text}", text=shown(texts[n])),
        "position": _("+ position {n}", n=n),
        "input": _("= input"),
        "other": "" if place is None else _("token {text}", text=shown(texts[place])),
    }


def _rows(shown: WithPosition, names: dict[str, str]) -> None:
    rows = [shown.token, shown.position, shown.total, *([] if shown.other is None else [shown.other])]
    distances = [shown.own_distance, None, None, shown.other_distance][: len(rows)]
    labels = list(names.values())[: len(rows)]
    numbers = series(map(told, labels, map(extent, rows)))
    said = words.of_distances(shown)
    alt = _("{n} numbers of each vector. {numbers}. {said}", n=len(rows[0]), numbers=numbers, said=said)
    ui.show(sum_rows(np.stack(rows), labels, distances), key="sum_rows", alt=alt, height=_HEIGHT)
