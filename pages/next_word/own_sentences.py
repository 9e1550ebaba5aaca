"""Two sentences of the visitor's own in the place of a ready question, and what a model expects after them."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import _, paragraph
from embedviz.layers.positions import exchanged
from embedviz.programs.layers import pytorch_prompts
from embedviz.programs.next_word import pytorch_next_word
from embedviz.programs.rows import of_next_word
from embedviz.text.tokens import Tokens
from embedviz.training.placement import Placement
from embedviz.ui import challenges, presenting
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.fields import whole_number
from embedviz.ui.inputs.model_fields import two_sentences, waiting
from embedviz.ui.inputs.model_runs import LanguageModel, placement_of
from embedviz.ui.messages import literal, stop_at_error
from embedviz.vectors.forward import Forward
from pages.next_word import guessing, words
from pages.next_word.bars import bars, chips
from pages.next_word.layout import layout
from pages.next_word.model import Model, model_field, status


@dataclass(frozen=True)
class Prompts:
    """Both sentences. outputs: what the model makes of them by itself. swap: the two tokens that exchange positions."""

    reader: LanguageModel
    outputs: Sequence[Forward]
    change: str
    swap: tuple[int, int]

    @property
    def tokens(self) -> list[Tokens]:
        """The tokens of A and of B."""
        return [output.tokens for output in self.outputs]

    def texts(self, ids: Iterable[int]) -> list[str]:
        """The text of each ID."""
        return self.reader.texts([*ids], len(self.outputs[0].chances))

    def changed(self, share: float = 1.0) -> list[Forward]:
        """What the model makes of both after the change. share: how far the exchanged positions have come."""
        with _or_message(self.reader):
            return [self.reader.read(tokens.text, self.change, 0, self.swap, share) for tokens in self.tokens]

    def placement(self, share: float) -> Placement:
        """Where the tokens of either stand after the change. share: as `changed` knows it."""
        # Nothing here depends on how many words there are.
        return placement_of(self.change, 0, 0, self.swap, share)

    def likeliest(self, outputs: Sequence[Forward]) -> list[str]:
        """The token that is the likeliest after A, and the one after B."""
        return self.texts([int(output.chances.argmax()) for output in outputs])


def own_sentences(frame: ui.Frame, seed: int | None, every: float | None) -> None:
    """Let the visitor choose the model and write both sentences, and show what the model expects after them."""
    left, middle, *fields = st.columns([5, 7, 4, 4], vertical_alignment="bottom")
    model = model_field(left, seed, every, is_any=True)
    reader = model.reader
    offered = reader.changes("swapped")
    change = guessing.change_field(middle, offered)
    texts = two_sentences(sentences.columns([1, 1]), reader)
    with _or_message(reader), waiting(reader):  # the message about a word that it does not know names those it does
        outputs = [reader.read(text, "on") for text in texts]
    swap = _swap(outputs, fields) if change == "swapped" else (0, 0)
    _prediction(frame, model, Prompts(reader, outputs, change, swap), offered, seed)


def _or_message(reader: LanguageModel) -> AbstractContextManager:
    return stop_at_error(None if reader.run else reader.name)


def _swap(outputs: Sequence[Forward], fields: Sequence[DeltaGenerator]) -> tuple[int, int]:
    """Let the visitor say which two tokens exchange their positions."""
    ids = [output.tokens.ids for output in outputs]
    last = min(map(len, ids)) - 1
    one, other = (min(n, last) for n in exchanged(*ids))
    return (
        whole_number(_("The token at"), 0, last, one, key="swap", place=fields[0]),
        whole_number(_("and the one at"), 0, last, other, key="swap_with", place=fields[1]),
    )


def _prediction(frame: ui.Frame, model: Model, prompts: Prompts, offered: Sequence[str], seed: int | None) -> None:
    """The tokens and the bars of both, or the question before them."""
    change, is_asked = prompts.change, guessing.is_open(prompts.change)
    moves = change == "swapped" and model.reader.run is not None and not is_asked
    places = layout(moves=moves)
    if not (is_asked or model.has_button):
        with places.question:
            guessing.next_change_button(change, offered)
    share = guessing.share_field(places.share) if moves else 1.0
    order = [id_ for tokens in prompts.tokens for id_ in tokens.ids]
    with places.prompts:
        chips([(tokens, prompts.placement(share)) for tokens in prompts.tokens], order)
    a, b = prompts.outputs if is_asked else prompts.changed(share)  # the answer is not in the page yet
    likeliest = prompts.likeliest(prompts.outputs)
    subject = model.reader.name, seed, *(tokens.text for tokens in prompts.tokens), prompts.swap
    has_begun = not prompts.reader.run or prompts.reader.small.has_begun
    frame.say(guessing.question(change) if is_asked else words.claim(has_begun, prompts.likeliest([a, b])))
    with places.bars:
        ask = partial(guessing.ask, change, list(dict.fromkeys(likeliest)), subject) if is_asked else None
        status(model, literal(_summary(prompts, a, b)), ask, places)
        bars((a, b), prompts.texts, order, is_asked=is_asked)
    if is_asked:
        return
    if guess := guessing.guess(change, subject):
        verdict = words.verdict(guess, likeliest, prompts.likeliest(prompts.changed())[0])
        ui.reader_cards([verdict], key="about_next_word")
    rows = partial(of_next_word, {"A": a, "B": b}, prompts.texts)
    ui.program(_program(prompts, share), _("The next word after two prompts"), height=380, rows=rows)
    challenges.check("same-answer", a, b)


def _summary(prompts: Prompts, a: Forward, b: Forward) -> str:
    """The likeliest tokens, and how far apart A and B are."""
    reader = prompts.reader
    if reader.run and not reader.small.has_begun:
        return words.not_begun()
    is_off = prompts.change == "off" and not guessing.is_open("off")
    fixed = "" if reader.can_move else _("This model has no positions that could change.")
    if presenting.is_on():
        return fixed
    share = f"{np.abs(a.chances - b.chances).sum() / 2:.0%}"
    other = _("{share} of the probability is on other tokens after B than after A.", share=share)
    return paragraph([other, fixed, reader.let_in_by_the_mask if is_off else ""])


def _program(prompts: Prompts, share: float) -> str:
    placement = prompts.placement(share)
    if prompts.reader.run:
        return pytorch_next_word(prompts.reader.run, [(tokens.text, placement) for tokens in prompts.tokens])
    return pytorch_prompts(prompts.reader.name, [(tokens, placement) for tokens in prompts.tokens])
