"""Vectors and what they belong to, as a CSV file and as one of NumPy's."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import orjson

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
        return [",".join(map(_shortest, row)) for row in rows]
    text = orjson.dumps(np.ascontiguousarray(rows), option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return text[2:-2].split("],[")


def _shortest(number: np.float32) -> str:
    # Not str: what that gives is a setting, which other libraries change.
    return np.format_float_scientific(number, trim="0")


def npz(parts: Sequence[Rows]) -> bytes:
    """The arrays of all parts by their names, those of a sentence as `A_token`; opens without pickle.

    Texts are NumPy strings, which cannot end in characters of code 0.
    """
    arrays = {
        f"{part.sentence}_{name}" if part.sentence else name: np.asarray(values, _type(values))
        for part in parts
        for name, values in (*part.labels.items(), *part.vectors.items())
    }
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    return file.getvalue()


def _type(values: Sequence) -> type | np.dtype:
    if isinstance(values, np.ndarray):
        return values.dtype
    return np.str_ if all(isinstance(value, str) for value in values) else np.int64
