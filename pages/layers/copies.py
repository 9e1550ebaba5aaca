"""The view "copies" of the page "Layers": how alike copies of a token are, at the input and after each layer."""

from functools import partial
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _
from embedviz.programs.layers import pytorch_copies
from embedviz.programs.next_word import pytorch_states
from embedviz.ui import (
    BOUND,
    OPTIONS,
    Card,
    Guide,
    Picture,
    Program,
    View,
    literal,
    one_of,
    stop_at_error,
    whole_number,
)
from embedviz.ui.inputs import controls
from embedviz.ui.inputs.model_fields import of_another_kind, reader_field, texts_and_place, waiting
from embedviz.ui.inputs.model_runs import MOST_SHIFTED, LanguageModel, placement_of, rows
from pages.layers import words
from pages.layers.copies_pictures import MOST, copies_figure, strips, strips_of_words
from pages.layers.followed import Followed, follow

_MOST_LAYERS = 200  # that a model may have
_HEIGHT = ui.picture_height()


class Asked(NamedTuple):
    """What reads which sentences.

    beside: a model of another kind that is drawn beside this one. change: what is done to the positions; shift: by how
    many places they are shifted, which is n, or as many as both models have room for. layer: whose strips are drawn.
    """

    model: LanguageModel
    beside: LanguageModel | None
    texts: list[str]
    change: str
    shift: int
    layer: int
    measure: str


class Copies(NamedTuple):
    """Both sentences in the model that is asked for, and in the one beside it, if there is any.

    layer: whose strips are drawn, which this model has. measure: "cosine" or "distance".
    """

    followed: Followed
    beside: Followed | None
    layer: int
    measure: str


class Settings(NamedTuple):
    """The model, the one beside it, the layer whose strips are drawn, and the measure."""

    model: LanguageModel
    beside: LanguageModel | None
    layer: int
    measure: str


def settings(frame: ui.Frame) -> Settings:
    """The model and what is drawn of it. A click on the lines picks the layer, too."""
    sheet = frame.settings()
    model = reader_field(sheet, frame.messages)
    with sheet:
        other = of_another_kind(model)
        is_beside = bool(other) and st.toggle(_("Beside {model}", model=literal(other.title)), key="beside", **BOUND)
        layer = whole_number(_("Layer"), 0, _MOST_LAYERS, 1, key="at")
        measure = one_of(_("Measure"), OPTIONS["measure"], key="measure")
    return Settings(model, other if is_beside else None, layer, measure)


def fields(frame: ui.Frame, settings: Settings) -> Asked:
    """Two sentences, and what is done to the positions."""
    if st.session_state.pop("took_layer", False):
        st.rerun()  # the whole page: the field of the layer is outside this part
    model, beside, layer, measure = settings
    texts, place = texts_and_place(model)
    with stop_at_error():
        change, n = _change(frame, model, place)
        longest = max(map(model.n_tokens, (*texts, model.unrelated(texts))))
        most = min(reader.most_shifted(longest) for reader in (model, beside) if reader)
    return Asked(model, beside, texts, change, max(0, min(n, most)), layer, measure)


def _change(frame: ui.Frame, model: LanguageModel, place: DeltaGenerator) -> tuple[str, int]:
    """What is done to the positions, and the n of "All + n"."""
    left, right = place.columns([3.4, 1], vertical_alignment="bottom")
    change = controls.positions_field(model.changes("shifted", "swapped"), place=left)
    change = change if model.can_move else "on"  # as it is
    n = 0
    if change == "shifted":
        n = whole_number(_("by n places"), 1, MOST_SHIFTED, 200, key="n", below=frame.messages, place=right)
    return change, n


def copies(asked: Asked) -> Copies:
    """Both sentences, layer by layer."""
    how = asked.texts, asked.change, asked.shift
    followed = follow(asked.model, *how)
    beside = follow(asked.beside, *how) if asked.beside else None
    return Copies(followed, beside, min(asked.layer, followed.n_layers), asked.measure)


def findings(result: Copies) -> list[Card]:
    """How alike the sentences are, and what was done to their positions."""
    followed = result.followed
    return words.about_copies(
        followed.model, followed.both, followed.similarity, followed.unrelated, followed.both.shift
    )


def claim(result: Copies) -> list[Card]:
    """Whether a token and its copy stay the same."""
    followed = result.followed
    change = followed.both.changes[0] if followed.model.can_move else ""
    return [words.claim(followed.similarity, change, result.measure)]


def pictures(result: Copies) -> list[Picture]:
    """The lines of all copies; below them their vectors after one layer."""
    followed, measure = result.followed, result.measure
    lines = partial(
        ui.show,
        copies_figure([each for each in (followed, result.beside) if each], measure, result.layer),
        key="copies",
        alt=words.copies_in_words(followed.both, followed.similarity, measure),
        height=_HEIGHT,
        on_pick=partial(pick_layer, followed),
    )
    return [
        Picture(lines, "copies"),
        *_left_out(len(followed.similarity.pairs)),
        Picture(partial(strips, followed, result.layer), "strips", only_for="reader"),
        Picture(partial(strips_of_words, followed, result.layer), "strips", only_for="hall"),
    ]


def _left_out(n_pairs: int) -> list[Picture]:
    """For readers, how many copies are drawn, if these are not all of them."""
    if n_pairs <= MOST:
        return []
    text = _("The first {most} of {n} copies are drawn.", most=MOST, n=n_pairs)
    return [Picture(partial(ui.reader_caption, text), None, only_for="reader")]


def program(result: Copies) -> Program:
    """The PyTorch that prints the cosines."""
    followed = result.followed
    return Program(_program_text(followed), _("Two orders, layer by layer"), rows=partial(rows, followed.both))


def _program_text(followed: Followed) -> str:
    model, both, unrelated = followed.model, followed.both, followed.unrelated
    read = [*both.placements]
    if unrelated:
        read.append((unrelated, placement_of(both.changes[1], len(unrelated.tokens), both.shift, both.swap)))
    if not model.run:
        a, b, *third = read
        return pytorch_copies(model.name, a, b, followed.similarity.pairs, *third)
    a, b, *third = ((each.tokens.texts, placement) for each, placement in read)
    return pytorch_states(model.run, a, b, followed.similarity.pairs, *third)


def pick_layer(followed: Followed, _trace: int, layer: int, _y: int) -> None:
    """Take the layer whose point was clicked. For callbacks."""
    st.session_state.update({"at": min(max(layer, 0), followed.n_layers), "took_layer": True})


COPIES = View(
    page="layers",
    name="copies",
    guide=Guide(
        N_(
            "Each line is a token and its copy in the other sentence. Switch the positions off and on. Click a layer "
            "to see its vectors below."
        ),
        N_(
            "In a model without a mask, order enters with the positions, and every layer builds on it. Without them, a "
            "model such as MiniLM reads both sentences as one."
        ),
        "layer cosine position distance rms mean intervention",
    ),
    settings=settings,
    fields=fields,
    compute=copies,
    waiting=lambda asked: waiting(asked.model),
    claim=claim,
    findings=findings,
    pictures=pictures,
    program=program,
    examples=(
        {},
        {"positions": "off"},
        *(
            {"positions": change, "reader": "small-gpt-rope", "measure": "distance"}
            for change in ("off", "on", "shifted", "swapped")
        ),
        {"reader": "small-gpt-none"},
        {"reader": "small-gpt", "beside": "true"},
    ),
)
