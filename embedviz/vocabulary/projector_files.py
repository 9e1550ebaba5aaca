"""A table as the two files that TensorFlow's Embedding Projector opens."""

from collections.abc import Iterable, Sequence

import numpy as np
import orjson

HEADER = ("token", "id", "kind", "length")
_UNSAFE = str.maketrans({"\t": " ", "\n": " ", "\r": " "})


def vectors_tsv(rows: np.ndarray) -> bytes:
    """A line of numbers for each of N vectors, (N, D), each the shortest that reads back as the same float32."""
    numbers = orjson.dumps(np.ascontiguousarray(rows), option=orjson.OPT_SERIALIZE_NUMPY)
    inner = numbers[2:-2] if len(rows) else b""
    return inner.replace(b"],[", b"\n").replace(b",", b"\t") + b"\n" * bool(len(rows))


def metadata_tsv(rows: Iterable[Sequence[object]]) -> bytes:
    """A header, then a line for each token in the order of the vectors: token, ID, kind, length."""
    lines = [HEADER, *rows]
    text = "".join("\t".join(str(cell).translate(_UNSAFE) for cell in line) + "\n" for line in lines)
    return text.encode("utf-8", "backslashreplace")  # half of a surrogate pair has no UTF-8
