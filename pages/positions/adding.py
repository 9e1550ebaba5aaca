"""The view "Adding" of the page "Positions": a token and its position, held in the hand."""

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from embedviz import ui
from embedviz.base.i18n import N_, _, join_semicolons, label_value, numeral
from embedviz.figures.sum_rows import sum_rows
from embedviz.figures.theme import token_marks
from embedviz.positions import ADDING
from embedviz.programs.rows import of_sentence
from embedviz.programs.schemes import positions as export
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import Tokens
from embedviz.text.visible import in_figure, quoted, visible
from embedviz.ui import BOUND, OPTIONS, Card, Guide, Picture, Program, View, extent, one_of, turns, whole_number
from embedviz.ui.inputs import sentences
from embedviz.ui.inputs.controls import fixed_fields
from embedviz.ui.inputs.source_field import spec_for, spec_source
from embedviz.vectors.embedding import Embedded, embed_tokens, tokenize_for
from embedviz.vectors.sources import Source
from embedviz.vectors.spec import Spec
from embedviz.vectors.with_position import WithPosition, other_than, shadow, with_position
from pages.positions.arrows import arrows
from pages.positions.settings import Sizes, has_none, size_fields

_MAX_TOKENS = 12  # of the sentence to which positions are added
_HELD = re.compile(r"-?\d\.\d\d(,-?\d\.\d\d){3}")  # two numbers of the token, two of the position
# Numbers that can be added in the head.
_BEGIN = WithPosition(*np.array([[3, 1], [-1, 2], [-2, 3]], np.float32))
_HEIGHT = ui.picture_height()


class ByHand(NamedTuple):
    """Vectors of two numbers, which the visitor moves."""

    arrows: WithPosition


class Fields(NamedTuple):
    """The tokens, the place of one of them, and how many numbers of a vector are shown: "pca" for two of all."""

    tokens: Tokens
    spec: Spec
    n: int
    numbers: str


class Added(NamedTuple):
    """The vectors of a sentence; the token of which a position is added; how many numbers are shown, as in Fields."""

    embedded: Embedded
    n: int
    numbers: str

    @property
    def n_numbers(self) -> int:
        """How many numbers are counted."""
        return self.embedded.token_embeddings.shape[1] if self.numbers == "pca" else int(self.numbers)

    @property
    def has_arrows(self) -> bool:
        """Whether arrows show it, and not rows of numbers."""
        return self.numbers == "pca" and len(self.embedded.tokens) > 1

    @property
    def vectors(self) -> WithPosition:
        """The token, its position and their sum, in the numbers that are counted."""
        return with_position(self.embedded, self.n).first(self.n_numbers)


class Settings(NamedTuple):
    """What makes the table, and by what its rows are multiplied."""

    sizes: Sizes
    scale: float


def settings(frame: ui.Frame) -> Settings:
    """The source, its seed, and the scale."""
    without, sheet = ("output_dim", "context_length", "base", "layout"), frame.settings()
    sizes = size_fields(frame, without, sheet=sheet, has_sentence=True)
    with sheet:
        scale = st.slider(_("Position scale"), 0.0, 4.0, 1.0, 0.05, key="position_scale", **BOUND)
    return Settings(sizes, scale)


def fields(frame: ui.Frame, settings: Settings) -> ByHand | Fields:
    """How many numbers, and if there are more than two, a sentence and a scheme.

    A message, and nothing after it, if the source has no table of positions, or the sentence is empty.
    """
    sizes = settings.sizes
    with frame.messages, ui.stop_at_error(sizes.source and sizes.source.name):
        source = spec_for(sizes.source, sentences.written("a", usual_pair().a)).origin
    many, left, right, scheme = st.columns([1.5, 2.6, 1.1, 1.2], vertical_alignment="bottom")
    with many, ui.on_every_slide():
        numbers = one_of(_("Numbers in a vector"), _numbers(source), key="held_numbers", default="pca")
    if numbers == "2":
        return ByHand(_held())
    text = sentences.sentence(left, "A", usual_pair().a)
    if not source.has_positions:
        with frame.messages:
            has_none(source)
        ui.stop()
    n_dims = fixed_fields(source).get("output_dim")
    spec = Spec(
        source=spec_source(source),
        output_dim=n_dims if isinstance(n_dims, int) else Spec.output_dim,
        seed=sizes.seed,
        position=scheme.selectbox(_("Position scheme"), ADDING, key="position", **BOUND),
        position_scale=settings.scale,
    )
    tokens = tokenize_for(text, spec).head(_MAX_TOKENS)
    sentences.say_if_lost(tokens)
    last = max(len(tokens) - 1, 0)
    n = whole_number(_("Token at position"), 0, last, min(1, last), key="token_at", place=right)
    if sentences.is_empty(tokens):
        st.info(_("The sentence is empty: type a few words."), icon=":material/edit:")
    if not tokens.ids:
        ui.stop()
    return Fields(tokens, spec, n, numbers)


def _numbers(source: Source) -> list[str]:
    """How many numbers of a vector can be shown: no more than it has."""
    n_dims = fixed_fields(source).get("output_dim", Spec.output_dim)
    return [name for name in OPTIONS["held_numbers"] if not name.isdecimal() or int(name) <= int(n_dims)]


def _held() -> WithPosition:
    """The arrows that are moved by hand. The address holds what became of them."""
    held = st.query_params.get("held", "")
    if not _HELD.fullmatch(held):
        return _BEGIN
    token, position = np.array(held.split(","), np.float32).reshape(2, 2)
    return WithPosition(token, position, _BEGIN.other)


def added(asked: ByHand | Fields) -> ByHand | Added:
    """The vectors of the sentence, if they are not moved by hand."""
    if isinstance(asked, ByHand):
        return asked
    return Added(embed_tokens(asked.tokens, asked.spec), asked.n, asked.numbers)


def claim(result: ByHand | Added) -> list[Card]:
    """Whose vector the sum is nearest to; by hand the arrows say it themselves."""
    return [] if isinstance(result, ByHand) else about_adding(result)[:1]


def findings(result: ByHand | Added) -> list[Card]:
    """How near it is, where this does not stand below the arrows, and what a sum is."""
    if isinstance(result, ByHand):
        return []
    return about_adding(result)[1 if result.has_arrows else 0 :]


def pictures(result: ByHand | Added) -> list[Picture]:
    """Arrows on a plane, or rows of numbers."""
    return [Picture(partial(_by_hand, result.arrows) if isinstance(result, ByHand) else partial(_sum, result))]


def program(result: ByHand | Added) -> Program:
    """The sum in PyTorch."""
    if isinstance(result, ByHand):
        return Program(export.pytorch_sum(result.arrows), _("Two arrows, tip to tail"))
    embedded, n, _numbers = result
    text = export.pytorch_adding(embedded, n, other_than(embedded, n), result.n_numbers)
    return Program(text, _("What adding does"), rows=partial(of_sentence, embedded))


def _sum(result: Added) -> None:
    embedded, n, _numbers = result
    if result.has_arrows:
        flat, explained = shadow(embedded, n)
        axes = [_("PC {n} ({share:.0%})", n=k, share=share) for k, share in enumerate(explained, 1)]
        said, place = of_distances(result.vectors), other_than(embedded, n)
        marks = token_marks(embedded.tokens.ids)
        colours = [marks[embedded.tokens.ids[at]][0] for at in (n, n if place is None else place)]
        apart = (result.vectors.own_distance, result.vectors.other_distance)
        distances = [numeral(each, ".3g") for each in apart if each is not None]
        names = _names(embedded, n, visible)
        arrows(flat, names, axes, caption=said, distances=distances, colours=colours, key="arrows")
    else:
        _rows(result.vectors, _names(embedded, n, in_figure))


def _by_hand(held: WithPosition) -> None:
    names = {"token": _("token"), "position": _("+ position"), "input": _("= input"), "other": _("another token")}
    arrows(held, names, (_("first number"), _("second number")), keep=_keep, key="held_arrows")


def _keep() -> None:
    """Write into the address what became of the arrows."""
    held = st.session_state["held_arrows"].get("held")
    if isinstance(held, list) and all(type(number) in (int, float) for number in held):
        st.query_params["held"] = ",".join(f"{number:.2f}" for number in held)


def _names(embedded: Embedded, n: int, format_text: Callable[[str], str]) -> dict[str, str]:
    """What the token, the position, the input and the other token are called."""
    texts, place = embedded.tokens.texts, other_than(embedded, n)
    return {
        "token": _("token {text}", text=format_text(texts[n])),
        "position": _("+ position {n}", n=n),
        "input": _("= input"),
        "other": "" if place is None else _("token {text}", text=format_text(texts[place])),
    }


def _rows(vectors: WithPosition, names: dict[str, str]) -> None:
    rows = [vectors.token, vectors.position, vectors.total, *([] if vectors.other is None else [vectors.other])]
    distances = [vectors.own_distance, None, None, vectors.other_distance][: len(rows)]
    labels = list(names.values())[: len(rows)]
    numbers = join_semicolons(map(label_value, labels, map(extent, rows)))
    said = of_distances(vectors)
    alt = _("{n} numbers of each vector. {numbers}. {said}", n=len(rows[0]), numbers=numbers, said=said)
    ui.show(sum_rows(np.stack(rows), labels, distances), key="sum_rows", alt=alt, height=_HEIGHT)


def about_adding(result: Added) -> list[Card]:
    """Whether the sum is still nearest to its own token, and why a sum of the two is no mixture that is lost."""
    about_sum = Card(
        _("Adding equals concatenating with shared weights"),
        _("W (t + p) = W t + W p: a matrix applied to the sum is the same matrix applied to both parts."),
    )
    vectors, place = result.vectors, other_than(result.embedded, result.n)
    if place is None or vectors.other_distance is None:
        return [about_sum]
    own, other = (quoted(result.embedded.tokens.texts[n]) for n in (result.n, place))
    near = {"own": own, "other": other, "n": result.n}
    if vectors.own_distance < vectors.other_distance:
        title, tone = _("With position {n} added, {own} is still nearer to itself than to {other}", **near), "same"
    else:
        title, tone = _("With position {n} added, {own} is nearer to {other} than to itself", **near), "different"
    return [Card(title, of_distances(vectors), tone), about_sum]


def of_distances(vectors: WithPosition) -> str:
    """How far the input is from its own token and from another one, in all numbers that are counted."""
    about = {"n": len(vectors.token), "own": vectors.own_distance, "other": vectors.other_distance}
    if vectors.other is None:
        return _("In {n} numbers the input is {own:.3g} from its own token.", **about)
    return _("In {n} numbers the input is {own:.3g} from its own token and {other:.3g} from another.", **about)


ADDING_VIEW = View(
    page="positions",
    name="adding",
    guide=Guide(
        N_("Token plus position is input, tip to tail. With 2 numbers in a vector, move the tips by hand."),
        N_("Two numbers leave little room, and a position can carry a token onto another one. In many numbers there is "
           "room for both."),
        "vector positional input distance pca",
    ),
    settings=settings,
    fields=fields,
    compute=added,
    waiting=lambda asked: turns.release_lock(unless=isinstance(asked, ByHand)),
    source=lambda asked: None if isinstance(asked, ByHand) else asked.spec.origin.name,
    claim=claim,
    findings=findings,
    pictures=pictures,
    note=lambda result: "" if isinstance(result, ByHand) else result.embedded.spec.origin.whose,
    program=program,
    examples=({}, {"held_numbers": "2"}, {"held_numbers": "4"}, {"source": "random"}),
)  # fmt: skip
