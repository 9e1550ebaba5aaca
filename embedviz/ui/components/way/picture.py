"""The whole way of two sentences as one picture: its rows, and what each share of the positions makes of them."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from embedviz.figures.theme import limit_of, token_marks
from embedviz.text.tokens import Tokens, words_first
from embedviz.text.visible import visible

if TYPE_CHECKING:  # importing a trace imports torch, which figures do not need
    from embedviz.layers.trace import Trace

N_NUMBERS = 32  # of each vector, as many as the small GPT has
COLUMNS = ("sentences", "tokens", "vectors", "positions", "input", "looks", "after", "answer")
_OF_COLUMN = {  # what only these need, in the picture and in its states
    "vectors": ("vectors", "limit"),
    "positions": ("positions",),
    "looks": ("looks", "head", "apart", "threads", "one"),
    "after": ("after", "limit_after"),
    "answer": ("answers", "alike", "unrelated"),
}
_THREAD = 0.2  # the least weight, of all heads' mean, that is drawn between two layers


class Row(NamedTuple):
    """One line of the picture: token a of A and its copy b of B, or one that the other sentence lacks."""

    a: int | None
    b: int | None

    @property
    def first(self) -> tuple[int, int]:
        """0 and its place in A, or 1 and its place in B if A lacks it."""
        return (0, self.a) if self.a is not None else (1, cast("int", self.b))


class Bar(NamedTuple):
    """The probability of a word to come next. colour: the number of its token's colour; None for all others."""

    text: str
    colour: int | None
    chance: float


class Answer(NamedTuple):
    """What follows a sentence. is_right: whether the likeliest word is the right one; None if nobody can say."""

    name: str
    bars: Sequence[Bar]
    is_right: bool | None


class State(NamedTuple):
    """The picture at a share of the positions, in percent, and its words.

    entry: where order enters, as in `Trace.order_enters`, if something that is drawn parts there.
    """

    share: int
    headline: str
    look: str
    traced: "Trace"
    answers: Sequence[Answer]
    entry: str | None


class Described(NamedTuple):
    """How much of the picture is told.

    share: of the positions, in percent. until: the last of COLUMNS that is drawn. lit: those that stand out. asked:
    those whose place question marks take. compared: whether the state without positions is there as a ghost. alt: the
    same in words.
    """

    share: int
    until: str
    lit: Sequence[str]
    asked: Sequence[str]
    compared: bool
    alt: str


def rows_of(traced: "Trace") -> list[Row]:
    """The rows from above: the tokens of A with their copies, then those that B alone has."""
    copies = dict(traced.pairs)
    alone = sorted(set(range(len(traced.b.tokens))) - set(copies.values()))
    return [Row(i, copies.get(i)) for i in range(len(traced.a.tokens))] + [Row(None, j) for j in alone]


def picture(
    states: Sequence[State], head: tuple[int, int], words: Mapping[str, object], *, is_encoder: bool
) -> dict[str, object]:
    """The picture's data. head: the layer and the head whose looks are drawn. words: the names of its columns."""
    traced = states[-1].traced
    rows = rows_of(traced)
    tokens, full = traced.a.tokens, [each.positional_embeddings[:, :N_NUMBERS] for each in traced.rows]
    marks = token_marks(words_first(traced.a.tokens, traced.b.tokens))
    vectors = np.stack([_token(traced, row) for row in rows])[:, :N_NUMBERS]  # (R, n)
    positions = np.concatenate(full)  # (T_A + T_B, n)
    n_layers, ends = len(traced.a.attentions), states[-1].answers
    return {
        "words": words,
        "sentences": [
            _parts(each.tokens, marks, {pair[n] for pair in traced.pairs if pair[0] != pair[1]})
            for n, each in enumerate((traced.a, traced.b))
        ],
        "rows": [_row(traced, row, marks, len(tokens)) for row in rows],
        "vectors": np.ascontiguousarray(vectors),
        "positions": np.ascontiguousarray(positions) if positions.any() else None,
        "limit": limit_of(vectors, *(np.add(*each)[:, :N_NUMBERS] for each in traced.rows)),
        "limit_after": limit_of(*(each.traced.a.hidden_states[-1][-1, :N_NUMBERS] for each in states)),
        "head": head[1],
        "bars": len(ends[0].bars) if ends else 0,
        "layers": n_layers if is_encoder or n_layers > 1 else 0,
        "states": [_state(each, rows, head) for each in states],
    }


def _parts(
    tokens: Tokens, marks: Mapping[int, tuple[int, int]], moved: Collection[int]
) -> list[tuple[str, int | None]]:
    """A text in parts, each with the number of its colour if it is a token that stands elsewhere in the other one."""
    parts, last = [], 0
    for n, (start, end) in enumerate(tokens.spans):
        if start < last or start == end:
            continue  # a special token, or one that shares a character with the one before it
        parts += [(tokens.text[last:start], None)] * (start > last)
        parts.append((tokens.text[start:end], marks[tokens.ids[n]][0] if n in moved else None))
        last = end
    return [(visible(text).replace("␣", " "), colour) for text, colour in [*parts, (tokens.text[last:], None)] if text]


def _token(traced: "Trace", row: Row) -> np.ndarray:
    sentence, n = row.first
    return traced.rows[sentence].token_embeddings[n]


def _row(traced: "Trace", row: Row, marks: Mapping[int, tuple[int, int]], n_a: int) -> dict[str, object]:
    sentence, n = row.first
    tokens = (traced.a, traced.b)[sentence].tokens
    colour, again = marks[tokens.ids[n]]
    places = [row.a, None if row.b is None else n_a + row.b]  # in the positions of A, then of B
    return {"text": visible(tokens.texts[n]), "id": tokens.ids[n], "colour": colour, "again": again,
            "nth": [row.a, row.b], "places": places}  # fmt: skip


def _state(state: State, rows: Sequence[Row], head: tuple[int, int]) -> dict[str, object]:
    traced, layer = state.traced, head[0]
    sentences = (traced.a, traced.b)
    looks = [each.attentions[layer, :, -1] for each in sentences]  # of the last token, (H, T) each
    apart = np.full((len(rows), traced.copies_apart.shape[1]), np.nan, np.float32)  # (R, n_layers + 1)
    which = {i: n for n, (i, _j) in enumerate(traced.pairs)}
    for n, row in enumerate(rows):
        if row.a in which:
            apart[n] = np.where(traced.copies_differ[which[row.a]], traced.copies_apart[which[row.a]], 0)
    ends = np.stack([each.hidden_states[-1][-1, :N_NUMBERS] for each in sentences])  # (2, n)
    return {
        "share": state.share,
        "headline": state.headline,
        "look": state.look,
        "entry": state.entry,
        "one": traced.is_one_answer,
        "looks": _looks(looks, rows),
        "apart": np.where(np.isnan(apart), -1, apart),
        "threads": _threads(traced, rows),
        "after": np.ascontiguousarray(ends),
        "answers": [[each.name, each.is_right, [list(bar) for bar in each.bars]] for each in state.answers],
        "alike": traced.alike,
        "unrelated": list(traced.unrelated) if traced.unrelated else None,
    }


def _looks(weights: Sequence[np.ndarray], rows: Sequence[Row]) -> np.ndarray:
    """The weights of A, then of B, row by row, for each head: (H, 2 R). -1: the row has no token there."""
    found = np.full((len(weights[0]), len(rows), 2), -1, np.float32)
    for half, of in enumerate(weights):
        at = [(n, i) for n, row in enumerate(rows) if (i := (row.a, row.b)[half]) is not None]
        found[:, [n for n, _i in at], half] = of[:, [i for _n, i in at]]
    return found.reshape(len(found), -1)


def _threads(traced: "Trace", rows: Sequence[Row]) -> list[list[float]]:
    """Which row looks at which in each layer of A: layer, looking row, seen row, and the mean weight of all heads."""
    at = {row.a: n for n, row in enumerate(rows) if row.a is not None}
    threads = []
    for layer, weights in enumerate(traced.a.attentions.mean(axis=1)):  # (T, T)
        for i, j in np.argwhere(weights >= _THREAD):
            if i != j:
                threads.append([layer, at[i], at[j], float(weights[i, j])])
    return threads


def described(whole: Mapping[str, Any], part: Described) -> dict[str, object]:
    """The part of the picture that is told. Nothing that comes later is in what is sent."""
    later = {key for name in COLUMNS[COLUMNS.index(part.until) + 1 :] for key in _OF_COLUMN.get(name, ())}
    nearest = min((each["share"] for each in whole["states"]), key=lambda share: abs(share - part.share))
    states = [each for each in whole["states"] if each["share"] == nearest or (part.compared and each["share"] == 0)]
    kept = [{key: each[key] for key in each.keys() - later - {"headline", "look"}} for each in states]
    for state in kept:  # where order enters is told when one gets there
        is_told = "looks" not in later or (
            state["entry"] == "positions" and "positions" not in later and not part.asked
        )
        state["entry"] = state["entry"] if is_told else None
    drawn = {key: value for key, value in whole.items() if key not in later}
    return drawn | {"states": kept, "told": part._asdict() | {"share": nearest}}
