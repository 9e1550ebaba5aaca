"""Sentences A and B of the views "Pairs" and "Map": what is set, what is compared, and both with lines between."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import streamlit as st

from embedviz import ui
from embedviz.base.i18n import _
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.rows import of_comparison
from embedviz.text.tokens import Tokens
from embedviz.ui import Card, Picture, Program, alt_text, turns
from embedviz.ui.inputs import sentences
from embedviz.ui.messages import literal
from embedviz.vectors.comparison import compare
from embedviz.vectors.copies import Copies
from embedviz.vectors.embedding import embed_tokens
from embedviz.vectors.projection import Scene, scene
from embedviz.vectors.spec import Spec
from pages.compare import pairs_words, reorder
from pages.compare.characters import say_if_cut


class Settings(NamedTuple):
    """What makes the Spec, and how many numbers of each vector the strips show: None for all of them."""

    backend: dict[str, Any]
    n_numbers: int | None = None


class Sentences(NamedTuple):
    """Both sentences as they are typed, and their tokens."""

    texts: tuple[str, str]
    tokens: list[Tokens]
    spec: Spec
    n_numbers: int | None


@dataclass(frozen=True)
class Compared:
    """Both sentences, and which vectors of them are the same."""

    sentences: Sentences
    copies: Copies

    @cached_property
    def scene(self) -> Scene:
        """All vectors as points of one plane."""
        return scene(self.copies.comparison)


def fields(_frame: ui.Frame, settings: Settings) -> Sentences:
    """Two sentences. If both are empty, they are all that is shown."""
    left, right, beside = sentences.columns([2.8, 2.8, 3])
    texts = sentences.both(left, right)
    with beside, st.container(horizontal=True, vertical_alignment="bottom"):
        backend = settings.backend
        sentences.pair_picker((*texts, backend["prefix_space"]), backend["tokenizer"])
        sentences.tour_link()
    spec = sentences.spec_or_message(settings.backend, *texts)
    tokens = sentences.tokens([left, right], texts, spec, says_empty=False)
    both = Sentences(texts, tokens, spec, settings.n_numbers)
    if not any(each.ids for each in tokens):
        tokens_alone(both)
        ui.stop()
    return both


def waiting(both: Sentences) -> AbstractContextManager[object]:
    """Others have their turn while tables are made."""
    return turns.release_lock(unless=sentences.are_ready(both.tokens, both.spec))


def compared(both: Sentences) -> Compared:
    """Which tokens of B are copies of tokens of A, and which vectors are the same."""
    a, b = (embed_tokens(each, both.spec) for each in both.tokens)
    return Compared(both, Copies(compare(a, b)))


def findings(result: Compared) -> list[Card]:
    """How many vectors are the same, and what else there is to say."""
    return pairs_words.findings(result.copies)


def whose(result: Compared) -> str:
    """Whose vectors these are."""
    return result.sentences.spec.origin.whose


def slider(result: Compared, *, moves: bool) -> list[Picture]:
    """What adds positions, if any are added. moves: whether that would move anything."""
    if pairs_words.nothing_added(result.sentences.spec):
        return []
    return [Picture(partial(_slider, is_idle=not moves), None)]


def program(result: Compared) -> Program:
    """The comparison in PyTorch."""
    comparison = result.copies.comparison
    return Program(
        pytorch_compare(comparison.a, comparison.b),
        _("Where does word order enter?"),
        rows=partial(of_comparison, comparison),
    )


def tokens_alone(both: Sentences) -> None:
    """Show the tokens of both sentences, of which there are no vectors."""
    with ui.slide("order"):
        lines(both)
    say_of_tokens(both)


def lines(both: Sentences, copies: Copies | None = None) -> None:
    """The sentences with lines between copies."""
    copy_pairs = copies.pairs if copies else []
    b, spec = both.tokens[1], both.spec
    ui.order(
        both.tokens,
        copy_pairs,
        key="order",
        alt=alt_text.order(copies) if copies else "",
        same_after=[bool(copies.comparison.after.same[pair]) for pair in copy_pairs] if copies else [],
        can_undo=reorder.can_undo(),
        redraw=reorder.n_moves(),
        on_move=partial(reorder.moved, "order", b, spec),
        on_press=partial(reorder.pressed, "order", both.texts, b, spec),
    )


def say_of_tokens(both: Sentences) -> None:
    """Say that characters are cut into bytes, and what the last move of a token changed."""
    say_if_cut(both.tokens, both.texts, both.spec)
    if words := reorder.message():
        st.info(literal(words), icon=":material/swap_horiz:")


def _slider(*, is_idle: bool) -> None:
    """The slider that adds positions in the browser."""
    with ui.on_every_slide():
        ui.share_of_positions(is_idle=is_idle)
