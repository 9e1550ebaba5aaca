"""The view "orders" of the page "Compare": one sentence in all its orders, or up to twelve sentences, as points."""

from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.figures.orders import orders_figures
from embedviz.layers import orders as layers
from embedviz.layers.orders import Masked, Unrelated
from embedviz.programs.orders import pytorch_distances, pytorch_model, pytorch_small
from embedviz.programs.rows import of_spread
from embedviz.text.orders import Orders, orders
from embedviz.text.samples import pairs
from embedviz.text.tokens import Tokens
from embedviz.ui import OPTIONS, label_of, presenting, stop, stop_at_error
from embedviz.ui.inputs import controls, sentences
from embedviz.ui.inputs.fields import BOUND, text_within, whole_number
from embedviz.ui.inputs.readers import SMALL_PAIR, reader, waiting
from embedviz.ui.inputs.reading import Reader
from embedviz.vectors.embedding import embed
from embedviz.vectors.forward import Forward
from embedviz.vectors.orders import SentenceMap, sentence_map
from embedviz.vectors.sources import source_of
from pages.compare import orders_words as words

CAUSAL = "small-gpt"  # the reader of who asks for a causal mask; it comes with the app
MOST_LINES = 12
_MOST_LAYERS = 200  # that a model may have
_HEIGHT = "clamp(20rem, calc(100vh - 25rem), 46rem)"


@dataclass(frozen=True)
class Drawn:
    """N sentences as points. tokens: of each. program: the PyTorch that prints their distances.

    next_words, next_without: what a model says after each with positions and without them, if it says anything. of: the
    model that read them, if one did, and for comparison an unrelated sentence, if it knows words for one. masked: what
    a causal mask let in without positions.
    """

    spread: SentenceMap
    tokens: list[Tokens]
    program: str
    next_words: list[str] = field(default_factory=list)
    next_without: list[str] = field(default_factory=list)
    of: Reader | None = None
    unrelated: Unrelated | None = None
    masked: Masked | None = None


def orders_of(page: ui.Frame) -> None:
    """Show where each order of the words lies, without positions and with them."""
    with page.settings():
        settings = controls.backend()
    page.lead()
    _orders(settings)


@ui.part
def _orders(settings: dict[str, object]) -> None:
    left, middle, right, last = sentences.columns([3.6, 2.2, 3, 2.4])
    is_written = _choice(middle, _("Sentences"), "orders_of") == "lines"
    drawn = _choice(right, _("What is drawn"), "drawn")
    with last:
        of, at = _model(drawn)
    with left:
        found = _written() if is_written else orders(_sentence(of))
    if len(found.texts) < 2:
        needed = _("Write two sentences at least.") if is_written else _("Write two different words at least.")
        st.info(needed, icon=":material/edit:")
        stop()
    with stop_at_error():
        shown = _sums(found.texts, settings) if of is None else _read(found.texts, of, drawn, at)
    _show(found, shown, source_of(settings["source"]).whose)


def _choice(place: DeltaGenerator, label: str, key: str) -> str:
    return place.selectbox(label, [*OPTIONS[key]], format_func=label_of(key), key=key, **BOUND)


def _model(drawn: str) -> tuple[Reader | None, int]:
    """The model that reads, and after which layer its vectors are drawn."""
    if drawn == "sums":
        return None, 0
    of = Reader(CAUSAL) if drawn == "causal" else reader(st)
    return of, 0 if drawn == "sentence" else whole_number(_("Layer"), 0, _MOST_LAYERS, 1, key="at")


def _sentence(of: Reader | None) -> str:
    """The sentence whose words are put into all orders: A of the page, or one that a small GPT can read."""
    if of and of.run:
        label = _("Sentence {name}", name="A")
        return text_within(st.text_input, label, SMALL_PAIR[0], sentences.MAX_CHARACTERS, key="small_a")
    return sentences.sentence(st.container(), "A", pairs()[0].a)


def _written() -> Orders:
    """The sentences that the visitor has written, one a line."""
    label = _("Sentences, one a line, at most {most}", most=MOST_LINES)
    usual = "\n".join((pairs()[0].a, pairs()[0].b))
    text = text_within(st.text_area, label, usual, MOST_LINES * sentences.MAX_CHARACTERS, key="lines", height=120)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        st.warning(_("{n} lines are too many; the first {most} are drawn.", n=len(lines), most=MOST_LINES))
    return Orders(lines[:MOST_LINES], n_all=0)


def _sums(texts: list[str], settings: dict[str, object]) -> Drawn:
    """The token vectors of each sentence and, with positions, its input vectors."""
    spec = sentences.spec_or_message(settings, *texts)
    embedded = [embed(text, spec) for text in texts]
    tokens = _checked([each.tokens for each in embedded])
    starts, ends = ([getattr(each, name) for each in embedded] for name in ("token_embeddings", "input_embeddings"))
    return Drawn(sentence_map([each.ids for each in tokens], starts, ends), tokens, pytorch_distances(embedded))


def _read(texts: list[str], of: Reader, drawn: str, at: int) -> Drawn:
    """What a model makes of each sentence with positions off and on, after a layer or as one sentence vector."""
    with waiting(of):
        after = [of.read(text, "trained") for text in texts]
        before = [of.read(text, "off") for text in texts] if of.can_move else after
    tokens = _checked([each.tokens for each in after])
    layer = None if drawn == "sentence" else min(at, len(after[0].hidden_states) - 1)
    found = layers.spread_after(before, after, layer)
    unrelated = _unrelated(texts, of, before, after, layer)
    read = [*tokens, *([unrelated.tokens] if unrelated else [])]
    program = pytorch_small(of.run, read, layer) if of.run else pytorch_model(of.name, read, layer)
    masked = None if of.is_encoder or of.scheme == "alibi" else layers.masked(before)
    return Drawn(found, tokens, program, _next_words(of, after), _next_words(of, before), of, unrelated, masked)


def _unrelated(
    texts: list[str], of: Reader, before: list[Forward], after: list[Forward], layer: int | None
) -> Unrelated | None:
    """How far an unrelated sentence is from these, on average, if the model can read one."""
    text = of.unrelated(texts)
    if not text:
        return None
    other = (of.read(text, "trained" if of.scheme == "alibi" else "off"), of.read(text, "trained"))
    return layers.unrelated(before, after, other, layer)


def _next_words(of: Reader, read: list[Forward]) -> list[str]:
    says = read[0].next_word is not None
    return of.texts([int(each.next_word.argmax()) for each in read], len(read[0].next_word)) if says else []


def _checked(tokens: list[Tokens]) -> list[Tokens]:
    lengths = [*map(len, tokens)]
    sentences.check_drawn(max(lengths))
    if not min(lengths):
        raise EmbedvizError("A sentence has no token. Write a word in each line.")
    return tokens


def _show(orders: Orders, shown: Drawn, whose: str) -> None:
    spread, of = shown.spread, shown.of
    # Vectors that are the same can have distances that differ by rounding.
    moves = (not of or of.can_move) and not np.array_equal(spread.before, spread.after)
    if moves:
        with ui.on_every_slide():
            ui.amount(is_idle=False)
    cards = words.about_orders(orders, shown.tokens, spread, of, moves=moves)
    cards += words.about_mask(spread, shown.masked) if shown.masked else []
    cards += words.about_unrelated(of, shown.unrelated, spread, moves=moves) if shown.unrelated else []
    cards += words.about_next(shown.next_words, shown.next_without if moves else [])
    in_a_hall = presenting.is_on()
    figures = orders_figures(spread, orders.texts, shown.next_words, is_exact=of is None, are_apart=in_a_hall)
    for key, figure in zip(("orders", "distances"), figures, strict=False):
        with ui.slide(key, brief=True):
            ui.show(figure, key=key, alt=words.orders_alt(orders.texts, spread), height=_HEIGHT)
    # In a hall the picture itself shows the one point, until a key adds the positions; findings come after it.
    found_out = [replace(card, stage="") for card in cards[1:]] if moves and in_a_hall else cards
    ui.cards(found_out, key="about_orders")
    if moves or not of:
        ui.aside(words.about_the_way() if of else whose)
    rows = partial(of_spread, spread, orders.texts, shown.next_words)
    ui.program(shown.program, _("All orders"), height=380, rows=rows)
