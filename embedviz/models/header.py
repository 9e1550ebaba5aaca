"""The head of a safetensors file: eight bytes that say how long the JSON is, the JSON, then the numbers.

Only the head is read as text, and the numbers only as numbers: nothing of such a file is ever unpickled.
"""

import json
from dataclasses import dataclass
from math import prod

import numpy as np

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.models.checkpoints import CONTEXT_LENGTH, VOCAB_SIZE, Checkpoint

MAX_HEADER_BYTES = 2**20  # GPT-2 XL, with four times the layers of GPT-2, needs less than a tenth of it
_ITEM_BYTES = {"F32": 4, "F16": 2, "BF16": 2}
_PREFIXES = ("", "transformer.")  # a model saved with its output layer has the second


@dataclass(frozen=True)
class Tensor:
    """A table in a file.

    start: the byte of the file at which the first row begins. dtype: F32, F16 or BF16.
    """

    name: str
    dtype: str
    shape: tuple[int, int]
    start: int

    @property
    def row_bytes(self) -> int:
        """The length of one row in the file."""
        return self.shape[1] * _ITEM_BYTES[self.dtype]

    def decode(self, data: bytes) -> np.ndarray:
        """Whole rows as they lie in the file, as float32 of shape (rows, D): exact, since float32 holds both
        smaller types.

        Raises Unavailable if a number is infinite or not a number, which no weight is.
        """
        if self.dtype == "BF16":  # the upper half of a float32
            rows = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
        else:
            rows = np.frombuffer(data, "<f4" if self.dtype == "F32" else "<f2").astype(np.float32)
        if not np.isfinite(rows).all():
            raise Unavailable(_("{name} holds numbers that are not finite: the file is broken.", name=self.name))
        return rows.reshape(-1, self.shape[1])


@dataclass(frozen=True)
class Tables:
    """Where the token table `wte` (V, D) and the positional table `wpe` (L, D) lie in a file."""

    wte: Tensor
    wpe: Tensor


def header_length(head: bytes, file_size: int) -> int:
    """The length of the JSON, from the first eight bytes. Raises Unavailable if it cannot be."""
    length = int.from_bytes(head[:8], "little")
    if len(head) < 8 or not 2 <= length <= min(MAX_HEADER_BYTES, file_size - 8):
        raise Unavailable(_("the file is not safetensors, or broken: its first eight bytes are not a header's length."))
    return length


def find_tables(header: bytes, file_size: int, checkpoint: Checkpoint) -> Tables:
    """Find both tables in the JSON. Raises Unavailable if one is missing or is not as the model has it."""
    try:
        entries = json.loads(header)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, dict):
        raise Unavailable(_("the file is broken: its header is not JSON."))
    first = 8 + len(header)
    size = file_size - first
    return Tables(
        _tensor(entries, "wte.weight", (VOCAB_SIZE, checkpoint.output_dim), first, size),
        _tensor(entries, "wpe.weight", (CONTEXT_LENGTH, checkpoint.output_dim), first, size),
    )


def _tensor(entries: dict, name: str, shape: tuple[int, int], first: int, size: int) -> Tensor:
    found = next((entries[prefix + name] for prefix in _PREFIXES if prefix + name in entries), None)
    if not isinstance(found, dict):
        raise Unavailable(_("the file has no {name}.", name=name))
    dtype = check_tensor(name, found.get("dtype"), found.get("shape"), shape)
    offsets = found.get("data_offsets")
    if not isinstance(offsets, list) or [type(offset) for offset in offsets] != [int, int]:
        raise Unavailable(_("the file is broken: it does not say where {name} lies.", name=name))
    start, end = offsets
    if not 0 <= start <= end <= size or end - start != prod(shape) * _ITEM_BYTES[dtype]:
        raise Unavailable(
            _("the file is broken or cut short: {name} would lie outside of it or has another length.", name=name)
        )
    return Tensor(name, dtype, shape, first + start)


def check_tensor(name: str, dtype: object, shape: object, expected: tuple[int, int]) -> str:
    """The dtype, if it and the shape are what the model has; raises Unavailable if not."""
    if not isinstance(shape, list) or shape != list(expected):
        raise Unavailable(
            _(
                "{name} has another shape than the model: {n_rows:,} × {n_dims:,} would be right.",
                name=name,
                n_rows=expected[0],
                n_dims=expected[1],
            )
        )
    if not isinstance(dtype, str) or dtype not in _ITEM_BYTES:
        raise Unavailable(
            _("{name} has another type of numbers than {choices}.", name=name, choices=", ".join(_ITEM_BYTES))
        )
    return dtype
