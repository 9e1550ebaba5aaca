"""Two sentences of the visitor's own in the place of a ready question, and what a model expects after them."""

from collections.abc import Sequence
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
from embedviz.text.visible import in_words
from embedviz.training.placement import Placement
from embedviz.ui import challenges, presenting
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.fields import whole_number
from embedviz.ui.inputs.readers import REAL_PAIR, say_known_words, two_sentences, waiting
from embedviz.ui.inputs.reading import Reader, placed
from embedviz.ui.messages import literal, stop_at_error
from embedviz.vectors.forward import Forward
from pages.next_word import asking, words
from pages.next_word.bars import bars, chips
from pages.next_word.model import Model, model, say
from pages.next_word.rooms import rooms

_CHANGES = {"on": "trained", "off": "off", "swapped": "swapped"}  # what `Reader.read` calls them


@dataclass(frozen=True)
class Prompts:
    """Both sentences. before: as the model reads them by itself. swap: the two tokens that exchange their positions."""

    of: Reader
    before: Sequence[Forward]
    change: str
    swap: tuple[int, int]

    @property
    def tokens(self) -> list[Tokens]:
        """The tokens of A and of B."""
        return [each.tokens for each in self.before]

    def texts(self, ids: Sequence[int]) -> list[str]:
        """The text of each ID."""
        return self.of.texts(ids, len(self.before[0].next_word))

    def read(self, share: float = 1.0) -> list[Forward]:
        """Both after the change. share: how far the exchanged positions have come."""
        with _or_message(self.of):
            return [self.of.read(each.text, _CHANGES[self.change], 0, self.swap, share) for each in self.tokens]

    def placement(self, share: float) -> Placement:
        """Where the tokens of either stand after the change. share: as `read` knows it."""
        return placed(_CHANGES[self.change], 0, 0, self.swap, share)  # nothing here depends on how many words there are

    def likeliest(self, both: Sequence[Forward]) -> list[str]:
        """The token that is the likeliest after A, and the one after B."""
        return self.texts([int(each.next_word.argmax()) for each in both])


def own(seed: int | None, every: float | None) -> None:
    """Let the visitor choose the model and write both sentences, and show what the model expects after them."""
    left, middle, *fields = st.columns([5, 7, 4, 4], vertical_alignment="bottom")
    reads = model(left, seed, every, is_any=True)
    offered = [*_CHANGES][: None if reads.of.can_move else 1]
    change = asking.change_of(middle, offered)
    texts = two_sentences(sentences.columns([1, 1]), reads.of, REAL_PAIR)
    with _or_message(reads.of), waiting(reads.of):  # the message about a word that it does not know names those it does
        before = [reads.of.read(text, "trained") for text in texts]
    swap = _swap(before, fields) if change == "swapped" else (0, 0)
    _expected(reads, Prompts(reads.of, before, change, swap), offered, seed)


def _or_message(of: Reader) -> AbstractContextManager:
    return stop_at_error(None if of.run else of.name)


def _swap(both: Sequence[Forward], fields: Sequence[DeltaGenerator]) -> tuple[int, int]:
    """Let the visitor say which two tokens exchange their positions."""
    ids = [each.tokens.ids for each in both]
    last = min(map(len, ids)) - 1
    one, other = (min(each, last) for each in exchanged(*ids))
    return (
        whole_number(_("The token at"), 0, last, one, key="swap", place=fields[0]),
        whole_number(_("and the one at"), 0, last, other, key="swap_with", place=fields[1]),
    )


def _expected(reads: Model, prompts: Prompts, offered: Sequence[str], seed: int | None) -> None:
    """The tokens and the bars of both, or the question before them."""
    change, is_asked = prompts.change, asking.is_open(prompts.change)
    moves = change == "swapped" and reads.of.run is not None and not is_asked
    places = rooms(moves=moves)
    if not (is_asked or reads.has_button):
        with places.question:
            asking.go_on(change, offered)
    share = asking.share(places.way) if moves else 1.0
    order = [id_ for each in prompts.tokens for id_ in each.ids]
    with places.chips:
        chips([(each, prompts.placement(share)) for each in prompts.tokens], order)
    a, b = prompts.before if is_asked else prompts.read(share)  # the answer is not in the page yet
    expected = prompts.likeliest(prompts.before)
    about = reads.of.name, seed, *(each.text for each in prompts.tokens), prompts.swap
    with places.answers:
        ask = partial(asking.ask, change, list(dict.fromkeys(expected)), about) if is_asked else None
        say(reads, literal(_outcome(prompts, a, b)), ask, places)
        bars((a, b), prompts.texts, order, is_asked=is_asked)
    say_known_words(reads.of)
    if is_asked:
        return
    if guess := asking.guess(change, about):
        said = words.verdict(guess, expected, prompts.likeliest(prompts.read())[0])
        ui.findings([said], key="about_next_word")
    rows = partial(of_next_word, {"A": a, "B": b}, prompts.texts)
    ui.program(_program(prompts, share), _("The next word after two prompts"), height=380, rows=rows)
    challenges.check("same-answer", a, b)


def _outcome(prompts: Prompts, a: Forward, b: Forward) -> str:
    """The likeliest tokens, and how far apart A and B are."""
    if prompts.of.run and not prompts.of.small.has_begun:
        return words.not_begun()
    is_off = prompts.change == "off" and not asking.is_open("off")
    of_a, of_b = map(in_words, prompts.likeliest([a, b]))
    share = f"{np.abs(a.next_word - b.next_word).sum() / 2:.0%}"
    return paragraph(
        [
            _("The likeliest token is {a} after A and {b} after B.", a=of_a, b=of_b),
            ""
            if presenting.is_on()
            else _("{share} of the probability is on other tokens after B than after A.", share=share),
            "" if prompts.of.can_move else _("This model has no positions that could change."),
            prompts.of.let_in_by_the_mask if is_off and not presenting.is_on() else "",
        ]
    )


def _program(prompts: Prompts, share: float) -> str:
    placement = prompts.placement(share)
    if prompts.of.run:
        return pytorch_next_word(prompts.of.run, [(each.text, placement) for each in prompts.tokens])
    return pytorch_prompts(prompts.of.name, [(each, placement) for each in prompts.tokens])
