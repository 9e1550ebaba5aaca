"""Vectors and the tokens that they belong to, for a visitor to save: as named rows, a CSV file, and a NumPy file."""

import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import orjson

from embedviz.attention.attention import Attention, Weighted
from embedviz.attention.t5_biases import LearnedBiases
from embedviz.attention.two_sentences import Attended
from embedviz.base.arrays import strings
from embedviz.layers.triples import Likeness, Triple
from embedviz.text.tokens import Tokens
from embedviz.training.run import Run
from embedviz.vectors import position_tables
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.forward import Forward
from embedviz.vectors.lookup import Lookup
from embedviz.vectors.orders import SentenceMap

_WHICH = "vectors"  # the column that says which vectors a line has


@dataclass(frozen=True)
class Rows:
    """Things, such as the N tokens of a sentence, and the vectors that each of them has.

    labels: what each thing is: names, and N texts or whole numbers under each.
    vectors: names, and float32 arrays of shape (N, D) under each; D is at least 1 and may differ from one to the next.
    sentence: "A" or "B" where there are two.
    """

    labels: Mapping[str, Sequence[str | int]]
    vectors: Mapping[str, np.ndarray] = field(default_factory=dict)
    sentence: str = ""


def of_comparison(comparison: Comparison) -> list[Rows]:
    """Token, positional and input embeddings of both sentences, (T, D) each."""
    return [_embedded(each, name) for each, name in ((comparison.a, "A"), (comparison.b, "B"))]


def of_sentence(embedded: Embedded) -> list[Rows]:
    """The same of one sentence."""
    return [_embedded(embedded, "")]


def _embedded(embedded: Embedded, sentence: str) -> Rows:
    names = ("token_embeddings", "positional_embeddings", "input_embeddings")
    vectors = {name: getattr(embedded, name) for name in names}
    if embedded.first_layer is not embedded.input_embeddings:
        vectors["first_layer"] = embedded.first_layer
    return Rows(_tokens(embedded.tokens), vectors, sentence)


def _tokens(tokens: Tokens) -> dict[str, Any]:
    return {"position": range(len(tokens)), "id": np.array(tokens.ids, np.int64), "token": tokens.texts}


def of_attention(attended: Attended, comparison: Comparison) -> list[Rows]:
    """Outputs (T, D), and the weights of every head (T, T), of both sentences; heads count from 1 as on the page."""
    return [
        Rows(_tokens(embedded.tokens), _attention(attention), name)
        for attention, embedded, name in ((attended.a, comparison.a, "A"), (attended.b, comparison.b, "B"))
    ]


def _attention(attention: Attention | Weighted) -> dict[str, np.ndarray]:
    return {"outputs": attention.outputs} | {f"weights_head_{n}": rows for n, rows in enumerate(attention.weights, 1)}


def of_spread(spread: SentenceMap, texts: Sequence[str], next_words: Sequence[str]) -> list[Rows]:
    """Where each of N sentences lies without positions and with them, (N, 2), and its distances from all, (N, N)."""
    labels = {"n": range(1, len(texts) + 1), "text": texts} | ({"next_word": next_words} if next_words else {})
    names = ("starts", "ends", "before", "after")
    return [Rows(labels, {name: getattr(spread, name).astype(np.float32) for name in names})]


def of_likeness(likeness: Likeness, triples: Sequence[Triple]) -> list[Rows]:
    """The cosines of N sentences with two other orders, (N, 1) each, and with all of these sentences, (N, N)."""
    labels = {name: [getattr(each, name) for each in triples] for name in ("sentence", "same", "other")}
    cosines = {"cosine_same": likeness.same[:, None], "cosine_other": likeness.other[:, None]}
    return [Rows(labels, cosines | {"cosine_unrelated": likeness.unrelated})]


def of_lookup(lookup: Lookup) -> list[Rows]:
    """The table (V, D), and the rows (T, D) that the IDs pick."""
    return [
        Rows({"row": range(len(lookup.table))}, {"table": lookup.table}),
        Rows({"position": range(len(lookup.ids)), "id": lookup.ids}, {"rows": lookup.rows}),
    ]


def of_positions(settings: position_tables.TableSettings) -> list[Rows]:
    """The tables (L, D): both, or one if the source has no learned one."""
    tables = {kind: position_tables.table(kind, settings) for kind in settings.kinds}
    return [Rows({"position": range(settings.context_length)}, tables)]


def of_biases(biases: LearnedBiases) -> list[Rows]:
    """A T5 model's table (buckets, H), and what its H heads add at each of the distances from -128 to 128."""
    return [
        Rows({"bucket": range(len(biases.table))}, {"biases": biases.table}),
        Rows({"head": range(1, len(biases.by_distance) + 1)}, {"by_distance": biases.by_distance}),
    ]


def of_forward(read: Forward, sentence: str = "") -> Rows:
    """Hidden states (T, D) at the input, 0, and after each layer, and the weights (T, T) of every head, from 1."""
    vectors = {f"hidden_states_{n}": rows for n, rows in enumerate(read.hidden_states)}
    vectors |= {
        f"layer_{n}_weights_head_{head}": rows
        for n, layer in enumerate(read.attentions, 1)
        for head, rows in enumerate(layer, 1)
    }
    return Rows(_tokens(read.tokens), vectors, sentence)


def of_next_word(prompts: Mapping[str, Forward], texts: Callable[[Iterable[int]], Sequence[str]]) -> list[Rows]:
    """What `of_forward` gives of each prompt, by its name, and how likely each word is after it. texts: of IDs."""
    following = {f"next_word_{name}": cast("np.ndarray", each.next_word)[:, None] for name, each in prompts.items()}
    ids = range(len(next(iter(following.values()))))
    return [
        *(of_forward(each, name) for name, each in prompts.items()),
        Rows({"id": ids, "token": texts(ids)}, following),
    ]


def of_run(run: Run) -> list[Rows]:
    """The two tables after the last step: a row for each of V words, and one for each of L positions."""
    words, places = run.tokens[-1], run.positions[-1]
    return [
        Rows({"id": range(len(words)), "token": run.vocabulary}, {"token_embeddings": words}),
        Rows({"position": range(len(places))}, {"positional_embeddings": places}),
    ]


def csv(parts: Sequence[Rows]) -> bytes:
    """A line for each vector of each thing: its labels, which vector, its numbers; UTF-8 with a mark, as spreadsheets
    want it.

    Each number is the shortest text that reads back as the same float32. A text is a JSON string, quotation marks
    included: no spreadsheet takes `"=1+1"` for a formula, a line break stays within its line, and `json.loads` gives
    exactly the text.
    """
    names = list(dict.fromkeys(name for part in parts for name in part.labels))
    widest = max((rows.shape[1] for part in parts for rows in part.vectors.values()), default=0)
    sentence = ["sentence"] if any(part.sentence for part in parts) else []
    lines = [",".join([*sentence, *names, _WHICH, *map(str, range(widest))])]
    for part in parts:
        starts = [",".join([part.sentence] * len(sentence) + cells) for cells in _labels(part, names)]
        for name, rows in part.vectors.items():
            empty = "," * (widest - rows.shape[1])
            lines += [f"{start},{name},{numbers}{empty}" for start, numbers in zip(starts, _numbers(rows), strict=True)]
    text = "".join(f"{line}\r\n" for line in lines)
    # Half of a surrogate pair has no UTF-8, but JSON has an escape for it.
    return text.encode("utf-8-sig", "backslashreplace")


def _labels(part: Rows, names: Sequence[str]) -> list[list[str]]:
    """The cells of each thing; a label that the part has not is empty."""
    n_things = len(next(iter(part.labels.values())))
    columns = [map(_cell, part.labels[name]) if name in part.labels else [""] * n_things for name in names]
    return [list(cells) for cells in zip(*columns, strict=True)]


def _cell(label: str | int) -> str:
    if not isinstance(label, str):
        return str(label)
    return '"' + json.dumps(label, ensure_ascii=False).replace('"', '""') + '"'


def _numbers(rows: np.ndarray) -> list[str]:
    """Each row with commas between its numbers. orjson is a hundred times as fast, but has only finite numbers."""
    if not rows.size or not np.isfinite(rows).all():
        # Not str: what that gives is a setting, which other libraries change.
        return [",".join(np.format_float_scientific(number, trim="0") for number in row) for row in rows]
    text = orjson.dumps(np.ascontiguousarray(rows), option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text[2:-2].split("],[")


def npz(parts: Sequence[Rows]) -> bytes:
    """The arrays of all parts by name, as `A_token`, without pickle. A last NUL in a text becomes `\\x00`."""
    arrays = {
        f"{part.sentence}_{name}" if part.sentence else name: _array(values)
        for part in parts
        for name, values in (*part.labels.items(), *part.vectors.items())
    }
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()


def _array(values: Any) -> np.ndarray:
    if isinstance(values, np.ndarray):
        return values
    return strings(values) if all(isinstance(value, str) for value in values) else np.asarray(values, np.int64)
