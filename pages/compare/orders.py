"""The view "Orders" of the page "Compare": one sentence in all its orders, or up to twelve sentences, as points."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _
from embedviz.figures.orders import orders_figure
from embedviz.layers import orders as layers
from embedviz.layers.orders import Masked, Unrelated
from embedviz.programs.orders import pytorch_distances, pytorch_model, pytorch_small
from embedviz.programs.rows import of_spread
from embedviz.text.orders import Orders, orders
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import Tokens
from embedviz.ui import OPTIONS, Card, Guide, Picture, Program, View, label_of
from embedviz.ui.inputs import controls, sentences
from embedviz.ui.inputs.fields import BOUND, CURRENT_PLACE, text_within, whole_number
from embedviz.ui.inputs.model_fields import known_or_usual, reader, waiting
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.vectors.embedding import embed
from embedviz.vectors.forward import Forward
from embedviz.vectors.orders import SentenceMap, sentence_map
from embedviz.vectors.spec import Spec
from pages.compare import orders_words as words

CAUSAL = "small-gpt"  # the model of who asks for a causal mask; it comes with the app
MOST_LINES = 12
_MOST_LAYERS = 200  # that a model may have
_HEIGHT = ui.picture_height(1.8)


class Asked(NamedTuple):
    """The sentences, and what makes vectors of them: sums of token and position by a Spec, or else a model.

    layer: after which the model's vectors are drawn, 0 for its input; None for its one vector of each sentence.
    """

    orders: Orders
    source: Spec | LanguageModel
    layer: int | None = None


@dataclass(frozen=True)
class SentencePoints:
    """N sentences as points. tokens: of each. program: the PyTorch that prints their distances.

    next_words, next_without: what a model says after each with positions and without them, if it says anything. model:
    which has read them, if one did, and for comparison an unrelated sentence, if it knows words for one. masked: what a
    causal mask let in without positions. note: whose vectors they are, or how the model has read.
    """

    orders: Orders
    spread: SentenceMap
    tokens: list[Tokens]
    program: str
    note: str
    next_words: tuple[str, ...] = ()
    next_without: tuple[str, ...] = ()
    model: LanguageModel | None = None
    unrelated: Unrelated | None = None
    masked: Masked | None = None

    @property
    def moves(self) -> bool:
        """Whether positions move the points. Vectors that are the same can have distances that differ by rounding."""
        can_move = not self.model or self.model.can_move
        return can_move and not np.array_equal(self.spread.before, self.spread.after)


def settings(frame: ui.Frame) -> dict[str, object]:
    """What makes the vectors, where no model reads."""
    with frame.settings():
        return controls.backend()


def fields(_frame: ui.Frame, settings: dict[str, object]) -> Asked:
    """One sentence, or several, and what is drawn of them."""
    left, middle, right, last = sentences.columns([3.6, 2.2, 3, 2.4])
    are_written = _choice(middle, _("Sentences"), "orders_of") == "lines"
    drawn = _choice(right, _("What is drawn"), "drawn")
    with last:
        model, layer = _model(drawn)
    with left:
        texts = _written() if are_written else orders(_sentence(model))
    if len(texts.texts) < 2:
        needed = _("Write two sentences at least.") if are_written else _("Write two different words at least.")
        st.info(needed, icon=":material/edit:")
        ui.stop()
    return Asked(texts, model or sentences.spec_or_message(settings, *texts.texts), layer)


def _choice(place: DeltaGenerator, label: str, key: str) -> str:
    return place.selectbox(label, [*OPTIONS[key]], format_func=label_of(key), key=key, **BOUND)


def _model(drawn: str) -> tuple[LanguageModel | None, int | None]:
    """The model that reads, and after which layer its vectors are drawn."""
    if drawn == "sums":
        return None, None
    model = LanguageModel(CAUSAL) if drawn == "causal" else reader(CURRENT_PLACE)
    return model, None if drawn == "sentence" else whole_number(_("Layer"), 0, _MOST_LAYERS, 1, key="at")


def _sentence(model: LanguageModel | None) -> str:
    """The sentence whose words are put into all orders: A of the page, or of the site if a small GPT lacks a word."""
    text, usual = sentences.sentence(st.container(), "A", usual_pair().a), usual_pair().a
    return known_or_usual(model, [text], [usual])[0] if model and model.run else text


def _written() -> Orders:
    """The sentences that the visitor has written, one a line."""
    label = _("Sentences, one a line, at most {most}", most=MOST_LINES)
    default = "\n".join((usual_pair().a, usual_pair().b))
    text = text_within(st.text_area, label, default, MOST_LINES * sentences.MAX_CHARACTERS, key="lines", height=120)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        st.warning(_("{n} lines are too many; the first {most} are drawn.", n=len(lines), most=MOST_LINES))
    return Orders(lines[:MOST_LINES], n_all=0)


def as_points(asked: Asked) -> SentencePoints:
    """Where each of the sentences lies, without positions and with them."""
    if isinstance(asked.source, Spec):
        return _of_sums(asked.orders, asked.source)
    return _as_read(asked.orders, asked.source, asked.layer)


def _of_sums(orders: Orders, spec: Spec) -> SentencePoints:
    """The token vectors of each sentence and, with positions, its input vectors."""
    embedded = [embed(text, spec) for text in orders.texts]
    tokens = _checked([each.tokens for each in embedded])
    spread = sentence_map(
        [each.ids for each in tokens],
        [each.token_embeddings for each in embedded],
        [each.input_embeddings for each in embedded],
    )
    return SentencePoints(orders, spread, tokens, pytorch_distances(embedded), spec.origin.whose)


def _as_read(orders: Orders, model: LanguageModel, layer: int | None) -> SentencePoints:
    """What a model makes of each sentence with positions off and on."""
    texts = orders.texts
    after = [model.read(text, "on") for text in texts]
    before = [model.read(text, "off") for text in texts] if model.can_move else after
    tokens = _checked([each.tokens for each in after])
    if layer is not None:
        layer = min(layer, len(after[0].hidden_states) - 1)
    unrelated = _unrelated(texts, model, before, after, layer)
    read = [*tokens, *([unrelated.tokens] if unrelated else [])]
    return SentencePoints(
        orders,
        layers.spread_after(before, after, layer),
        tokens,
        pytorch_small(model.run, read, layer) if model.run else pytorch_model(model.name, read, layer),
        words.about_the_way(),
        _next_words(model, after),
        _next_words(model, before),
        model,
        unrelated,
        None if model.is_encoder or model.scheme == "alibi" else layers.masked(before),
    )


def _unrelated(
    texts: list[str], model: LanguageModel, before: list[Forward], after: list[Forward], layer: int | None
) -> Unrelated | None:
    """How far an unrelated sentence is from these, on average, if the model can read one."""
    text = model.unrelated(texts)
    if not text:
        return None
    other = (model.read(text, "on" if model.scheme == "alibi" else "off"), model.read(text, "on"))
    return layers.unrelated(before, after, other, layer)


def _next_words(model: LanguageModel, sentences: list[Forward]) -> tuple[str, ...]:
    """The word that the model thinks likeliest after each sentence, if it says any."""
    chances = [each.next_word for each in sentences if each.next_word is not None]
    return tuple(model.texts([int(each.argmax()) for each in chances], len(chances[0]))) if chances else ()


def _checked(tokens: list[Tokens]) -> list[Tokens]:
    lengths = [*map(len, tokens)]
    sentences.check_drawn(max(lengths))
    if not min(lengths):
        raise EmbedvizError("A sentence has no token. Write a word in each line.")
    return tokens


def findings(points: SentencePoints) -> list[Card]:
    """How many points there are, and what a model makes of them."""
    spread, model, moves = points.spread, points.model, points.moves
    cards = words.about_orders(points.orders, points.tokens, spread, model, moves=moves)
    if points.masked:
        cards += words.about_mask(spread, points.masked)
    if model and points.unrelated:
        cards += words.about_unrelated(model, points.unrelated, spread, moves=moves)
    return cards + words.about_next(points.next_words, points.next_without if moves else ())


def pictures(points: SentencePoints) -> list[Picture]:
    """The slider, and the map."""
    texts = points.orders.texts
    figure = orders_figure(points.spread, texts, points.next_words)
    draw = partial(ui.show, figure, key="orders", alt=words.orders_alt(texts, points.spread), height=_HEIGHT)
    return [*([Picture(_slider, None)] if points.moves else []), Picture(draw, "orders")]


def _slider() -> None:
    with ui.on_every_slide():
        ui.share_of_positions(is_idle=False)


def program(points: SentencePoints) -> Program:
    """The distances in PyTorch."""
    rows = partial(of_spread, points.spread, points.orders.texts, points.next_words)
    return Program(points.program, _("All orders"), rows=rows)


def _waiting(asked: Asked) -> AbstractContextManager[object]:
    return waiting(asked.source) if isinstance(asked.source, LanguageModel) else nullcontext()


ORDERS = View(
    page="compare",
    name="orders",
    guide=Guide(
        N_("Each point is the sentence in one order of its words. Add the positions and see how many there are."),
        N_(
            "A model without a mask can tell two orders apart only where their points are apart. A causal mask, as in "
            "the small GPT, lets order in even so."
        ),
        "token vector positional input pca variance distance mask",
    ),
    settings=settings,
    fields=fields,
    compute=as_points,
    waiting=_waiting,
    findings=findings,
    pictures=pictures,
    note=lambda points: points.note if points.moves or not points.model else "",
    program=program,
    examples=({}, {"position": "rope"}, {"drawn": "causal"}, {"drawn": "sentence"}, {"orders_of": "lines"}),
)
