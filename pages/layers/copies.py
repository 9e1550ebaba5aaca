"""The view "copies" of the page "Layers": how alike copies of a token are, at the input and after each layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, ngettext, translated
from embedviz.base.numbers import in_print
from embedviz.figures import theme
from embedviz.figures.curves import Chart, Line, stage_charts
from embedviz.figures.figure import Figure
from embedviz.layers.copies import CopySimilarity, copy_similarity
from embedviz.programs.layers import pytorch_copies
from embedviz.programs.next_word import pytorch_states
from embedviz.text.tokens import words_first
from embedviz.text.visible import in_figure
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
from embedviz.ui.inputs.model_runs import MOST_SHIFTED, LanguageModel, PairOutput, placement_of, read_pair, rows
from embedviz.vectors.forward import Forward
from pages.layers import words

MOST = 10  # lines that have room for a name
_N_NUMBERS = 32  # of each vector, on the strips
_MOST_LAYERS = 200  # that a model may have
_IN_A_HALL = 2  # pairs of strips, none of them of special tokens
_ROUNDING = 1e-5  # of a vector's length: copies that are not farther apart differ by rounding alone
_SAME = 5e-4  # lines that differ by less are one line on the screen
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


@dataclass(frozen=True)
class Followed:
    """What a model makes of both sentences. without: of them with positions off, where the model can be run so.

    unrelated: what it makes of a sentence that has nothing to do with them, after the same change of positions as B.
    """

    model: LanguageModel
    both: PairOutput
    unrelated: Forward | None
    similarity: CopySimilarity
    without: CopySimilarity | None

    @property
    def n_layers(self) -> int:
        """How many layers the model has."""
        return len(self.similarity.other_cosines) - 1


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
    followed = _followed(asked.model, asked)
    beside = _followed(asked.beside, asked) if asked.beside else None
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
    return [words.claim(followed.similarity, followed.both.changes[0] if followed.model.can_move else "")]


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
        Picture(partial(_strips, followed, result.layer), "strips", only_for="reader"),
        Picture(partial(_strips_of_words, followed, result.layer), "strips", only_for="hall"),
    ]


def _left_out(n_pairs: int) -> list[Picture]:
    """For readers, how many copies are drawn, if these are not all of them."""
    if n_pairs <= MOST:
        return []
    text = _("The first {most} of {n} copies are drawn.", most=MOST, n=n_pairs)
    return [Picture(partial(ui.reader_caption, text), None, only_for="reader")]


def _strips(followed: Followed, layer: int) -> None:
    """The vectors of each pair of copies after one layer, and their difference."""
    n_dims = followed.both.a.hidden_states.shape[-1]
    _draw_strips(followed, layer, range(len(followed.similarity.pairs)), words.about_strips(layer, _N_NUMBERS, n_dims))


def _strips_of_words(followed: Followed, layer: int) -> None:
    """The same of the first pairs that are no special tokens, as a hall has time for them."""
    spans, pairs = followed.both.a.tokens.spans, followed.similarity.pairs
    drawn = [n for n, (i, _j) in enumerate(pairs) if len({*spans[i]}) > 1][:_IN_A_HALL]
    _draw_strips(followed, layer, drawn, words.after(layer))


def _draw_strips(followed: Followed, layer: int, drawn: Sequence[int], head: str) -> None:
    both, similarity = followed.both, followed.similarity
    states = [sentence.hidden_states[layer] for sentence in (both.a, both.b)]  # (T, D)
    unrelated = similarity.other_distances[layer]
    ui.vector_strips(
        (both.a.tokens, both.b.tokens),
        (np.ascontiguousarray(states[0][:, :_N_NUMBERS]), np.ascontiguousarray(states[1][:, :_N_NUMBERS])),
        [similarity.pairs[n] for n in drawn],
        similarity.distances[[*drawn], layer].tolist(),
        head=head,
        label=words.strips_in_words(similarity, layer),
        least=_ROUNDING * float(np.linalg.norm(states[0], axis=1).mean()),
        unrelated=None if np.isnan(unrelated) else float(unrelated),
        key="layer_strips",
    )


def _followed(model: LanguageModel, asked: Asked) -> Followed:
    both = read_pair(model, asked.texts, asked.change, asked.shift)
    text = model.unrelated(asked.texts)
    unrelated = model.read(text, both.changes[1], asked.shift) if text else None
    off = read_pair(model, asked.texts, "off") if model.can_move and asked.change != "off" else None
    return Followed(
        model,
        both,
        unrelated,
        copy_similarity(both.a, both.b, unrelated),
        copy_similarity(off.a, off.b) if off else None,
    )


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


def copies_figure(states: Sequence[Followed], measure: str, at: int = 0) -> Figure:
    """A chart for each model, with a line for each pair of copies, or one if they cannot be told apart; and one with
    positions off. measure: "cosine" or "distance". at: the layer whose strips are drawn.
    """
    name = translated(OPTIONS["measure"][measure])
    titles = [each.model.title if len(states) > 1 else "" for each in states]
    charts = [
        Chart(title, _all_lines(each, measure), name, names_lowest=measure == "cosine")
        for title, each in zip(titles, states, strict=True)
    ]
    values = [line.values for chart in charts for line in chart.lines]
    lowest = min((float(each.min()) for each in values), default=1.0)
    ends = (min(0.9, float(np.floor(10 * lowest) / 10)), 1.0) if measure == "cosine" else (0.0, None)
    return stage_charts(charts, *ends, at=at)


def _all_lines(states: Followed, measure: str) -> list[Line]:
    shown, without = states.similarity, states.without
    lines = _lines(states.both, shown.pairs, _values(shown, measure))
    if without and without.pairs:
        off = _values(without, measure)
        flat, end = off.mean(axis=0), in_print(off[:, -1].mean(), ".3f")
        name = _("positions off {end}", end=end) if _is_one(off) else _("off, mean {end}", end=end)
        lines.append(Line(name, flat, theme.INK, 2, "dash"))
    if measure == "distance" and not np.isnan(shown.other_distances).any():
        name = _("other tokens {end:.1f}", end=shown.other_distances[-1])
        lines.append(Line(name, shown.other_distances, theme.FAINT, 2, "dot"))
    return lines


def _values(likeness: CopySimilarity, measure: str) -> np.ndarray:
    return likeness.cosines if measure == "cosine" else likeness.distances


def _lines(both: PairOutput, pairs: list[tuple[int, int]], values: np.ndarray) -> list[Line]:
    if not len(values):
        return []
    if _is_one(values):
        n = len(values)
        name = ngettext("{n} copy {end:.3f}", "all {n} copies {end:.3f}", n, end=values[0, -1])
        return [Line(name, values[0], theme.INK, 3)]
    texts, colours = both.a.tokens.texts, theme.token_colours(words_first(both.a.tokens, both.b.tokens))
    names = [f"{in_figure(text)} ({n})" if texts.count(text) > 1 else in_figure(text) for n, text in enumerate(texts)]
    return [
        Line(f"{names[i]} {in_print(row[-1], '.3f')}", row, colours[both.a.tokens.ids[i]])
        for (i, _j), row in zip(pairs[:MOST], values, strict=False)
    ]


def _is_one(values: np.ndarray) -> bool:
    """Whether the lines of these values, (P, n_layers + 1), cannot be told apart."""
    return float(np.ptp(values, axis=0).max()) < _SAME


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
