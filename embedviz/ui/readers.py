"""Which model reads, which two sentences, and what it makes of them when their positions are changed."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _, listed, translated
from embedviz.base.settings import configured
from embedviz.layers.forward import forward
from embedviz.layers.positions import changed, exchanged
from embedviz.layers.runnable import runnable
from embedviz.models import hub_model
from embedviz.programs.rows import Rows, of_forward
from embedviz.text.token_ids import TokenIds
from embedviz.text.tokens import tokenize
from embedviz.training import next_word
from embedviz.training.bundled import WHO, bundled
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run
from embedviz.training.train import TrainingSettings
from embedviz.ui import running, sentences
from embedviz.ui.fields import BOUND, literal, text_within
from embedviz.ui.messages import stop, stop_at_error
from embedviz.ui.options import OPTIONS
from embedviz.ui.slides import aside
from embedviz.vectors.embedding import tokenize_for
from embedviz.vectors.forward import Forward
from embedviz.vectors.spec import Spec

T = TypeVar("T")
_RUNS = {
    "small-gpt": WHO["who"],
    "small-gpt-rope": WHO["who_rope"],
    "small-gpt-none": WHO["who_no_positions"],  # these two only where a next word is asked for: nothing else can change
    "small-gpt-none-2": WHO["who_no_positions_2_layers"],
}
# Sentences of two meanings, so that it matters whether a model tells them apart.
_REAL_PAIR = ("the dog bites the man", "the man bites the dog")
SMALL_PAIR = ("dog bites man , who bites ?", "man bites dog , who bites ?")
MOST_SHIFTED = 1000  # of a model without a table of positions


@dataclass(frozen=True)
class Reader:
    """A model that reads sentences: one of this machine, a small GPT of `data/training`, or one that a visitor trained.

    name: as in the address.
    """

    name: str

    @property
    def run(self) -> TrainingSettings | None:
        """The settings of the small GPT; None for a real model."""
        own = None if self.name in _RUNS else running.finished().get(self.name)
        return own.settings if own else _RUNS.get(self.name)

    @property
    def small(self) -> Run:
        """The small GPT."""
        return bundled(_RUNS[self.name]) if self.name in _RUNS else running.finished()[self.name]

    @property
    def field(self) -> str:
        """How the names of its sentences begin in the address. What a visitor trained has other words."""
        return "small" if self.name in _RUNS else "run"

    @property
    def title(self) -> str:
        """What the model is called on the screen."""
        return translated(OPTIONS["reader"].get(self.name, self.name)) if self.run else self.name.rpartition("/")[2]

    @property
    def is_encoder(self) -> bool:
        """Whether each token sees those after it too, so that order can only come from positions."""
        return not self.run and runnable().get(self.name) == "encoder"

    @property
    def scheme(self) -> str:
        """The position scheme of its layers."""
        if self.run:
            return self.run.positions
        layout = hub_model(self.name).layout()
        return "learned" if layout.position else layout.scheme

    def most_shifted(self, n_tokens: int) -> int:
        """By how many places so many tokens can be shifted."""
        if self.run:
            return self.run.context_length - n_tokens
        layout = hub_model(self.name).layout()
        return layout.context_length - n_tokens if layout.position else MOST_SHIFTED

    def n_tokens(self, text: str) -> int:
        """How many tokens the model reads, special tokens too."""
        return len(tokenize(text, "words") if self.run else tokenize_for(text, Spec(source=self.name)))

    def texts(self, ids: Sequence[int], vocab_size: int) -> list[str]:
        """The text of each ID."""
        if self.run:
            return self.small.texts(ids)
        return TokenIds(Spec(source=self.name).tokenizer, np.arange(0), vocab_size).texts(ids)

    def read(
        self, text: str, change: str, shift: int = 0, swap: tuple[int, int] = (0, 0), share: float = 1.0
    ) -> Forward:
        """A text after one of CHANGES. Raises as `forward` does. share: how far two exchanged positions have come."""
        n = self.n_tokens(text)
        if n > sentences.MAX_DRAWN:
            raise EmbedvizError(
                "{n:,} tokens are too many to draw. Take at most {most}.", n=n, most=sentences.MAX_DRAWN
            )
        if self.run:
            return next_word.forward(self.small, text, placed(change, n, shift, swap, share))
        return forward(text, Spec(source=self.name), positions_after(change, n, shift, swap))


def placed(change: str, n_tokens: int, shift: int, swap: tuple[int, int], share: float = 1.0) -> Placement:
    """Where the words of a small GPT stand after the change."""
    return {
        "off": Placement(scale=0.0),
        "shifted": Placement(positions=tuple(range(shift, shift + n_tokens))),
        "swapped": Placement(exchanged=swap, share=share),
    }.get(change, AS_TRAINED)


def positions_after(change: str, n_tokens: int, shift: int, swap: tuple[int, int]) -> tuple[int, ...] | None:
    """The positions that a real model is given; None as it was trained."""
    return None if change == "trained" else changed(change, n_tokens, shift, swap)


@dataclass(frozen=True)
class Both:
    """Sentences A and B as a model reads them, after a change each. swap: the tokens of A that exchange places."""

    a: Forward
    b: Forward
    changes: tuple[str, str]
    shift: int
    swap: tuple[int, int]

    @property
    def attentions(self) -> list[np.ndarray]:
        """The weights of all heads over A and over B, float32 (n_layers, H, T, T)."""
        return [self.a.attentions, self.b.attentions]

    def each(self, made: Callable[[str, int, int, tuple[int, int]], T]) -> list[tuple[Forward, T]]:
        """A and B, each with what `made`, one of the two functions above, says of its positions."""
        found = zip((self.a, self.b), self.changes, strict=True)
        return [(sentence, made(change, len(sentence.tokens), self.shift, self.swap)) for sentence, change in found]


def read_both(of: Reader, texts: Sequence[str], change: str, shift: int = 0) -> Both:
    """Both sentences after the change. Two positions are exchanged in A alone: in both, nothing would be compared."""
    change_of_b = "trained" if change == "swapped" else change
    a, b = (of.read(text, change_of_b, shift) for text in texts)
    swap = exchanged(a.tokens.ids, b.tokens.ids)
    if change == "swapped":
        a = of.read(texts[0], change, shift, swap)
    return Both(a, b, (change, change_of_b), shift, swap)


def rows(both: Both) -> list[Rows]:
    """Both sentences to take along."""
    return [of_forward(both.a, "A"), of_forward(both.b, "B")]


def reader_and_texts(*, kind: str = "", usual: tuple[str, str] = _REAL_PAIR) -> tuple[Reader, list[str]]:
    """Let the visitor choose a model and write two sentences. kind: only such real models."""
    left, right, place = sentences.columns([3, 3, 2.4])
    of = reader(place, kind=kind)
    return of, _two_sentences((left, right), of, usual)


def reader(place: DeltaGenerator, *, kind: str = "") -> Reader:
    """Let the visitor choose a model; see `reader_and_texts`."""
    names = [name for name, each in runnable().items() if kind in ("", each)]
    own = [name for name, run in _RUNS.items() if kind == "causal" or run.positions != "none"]
    by_visitor = running.finished() if kind == "causal" else ()
    names, labels = [*names, *own, *by_visitor], OPTIONS["reader"]
    shown = {name: translated(labels.get(name, name)) for name in names}
    return Reader(place.selectbox(_("Model"), names, 0, format_func=shown.get, key="reader", **BOUND))


def of_another_kind(of: Reader) -> Reader | None:
    """A model with another position scheme that reads the same two sentences, if there is one."""
    others = map(Reader, _RUNS if of.run else runnable())
    return next((each for each in others if each.scheme != of.scheme), None)


def say_how_to_get_one(place: DeltaGenerator) -> None:
    """Say how a real model is had, if there is none on this machine."""
    if runnable():
        return
    if configured().forward_mib:
        said = _(
            "No real model is on this machine. The command `make minilm` brings a small one, MiniLM (91 MB), and the "
            "settings bring others."
        )
    else:
        said = _("This server runs no real models. On a machine of your own, `make run` brings one, MiniLM (91 MB).")
    place.info(said, icon=":material/download:")


def _two_sentences(columns: Sequence[DeltaGenerator], of: Reader, usual: tuple[str, str]) -> list[str]:
    """The two sentences, at first the usual ones. A small GPT knows only a few words, and has sentences of its own."""
    texts = []
    for column, name, real, small in zip(columns, "AB", usual, _small_pair(of), strict=True):
        with column:
            label, key = _("Sentence {name}", name=name), f"{of.field}_{name.lower()}"
            texts.append(
                text_within(st.text_input, label, small, sentences.MAX_CHARACTERS, key=key)
                if of.run
                else sentences.sentence(column, name, real)
            )
    if of.run:
        known = listed(sorted(word for word in of.small.vocabulary if word.isalpha()))
        aside(_("Words that {model} knows: {words}.", model=of.title, words=known))
    if not all(map(str.strip, texts)):
        st.info(_("Write two sentences, for the model to read both."), icon=":material/edit:")
        stop()
    if not of.run:
        with stop_at_error(of.name):
            tokens = [tokenize_for(text, Spec(source=of.name)) for text in texts]
        for column, each in zip(columns, tokens, strict=False):
            with column:
                sentences.say_if_lost(each)
    return texts


def _small_pair(of: Reader) -> tuple[str, str]:
    """Two orders of words that a small GPT knows."""
    if not of.run or of.run.kind == "who":
        return SMALL_PAIR
    known = of.small.vocabulary
    if {*_REAL_PAIR[0].split()} <= {*known}:
        return _REAL_PAIR
    words = [word for word in known if word.isalpha()][:4]
    return " ".join(words), " ".join(words[::-1])


def waiting(of: Reader) -> AbstractContextManager:
    """What stands in place of the result while the model reads, which takes longest the first time."""
    return st.spinner(_("{model} reads.", model=literal(of.title)))
