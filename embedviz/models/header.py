"""The head of a safetensors file: eight bytes that say how long the JSON is, the JSON, then the numbers.

Only the head is read as text, and the numbers only as numbers: nothing of such a file is ever unpickled.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TypeGuard

import numpy as np

from embedviz.base.errors import Unavailable
from embedviz.base.settings import configured

MAX_VALUES = 150_000  # of a JSON file, about 0.1 s, in which no other visitor is served; DeepSeek-V3's index has 91,000
_MAX_DIGITS = 400
_ITEM_BYTES = {"F32": 4, "F16": 2, "BF16": 2}
MAX_WEIGHT = 1e6  # the largest number of an F16 is 65,504; what is far above is no weight that was ever learned


@dataclass(frozen=True)
class Version:
    """One version of a file. Rows of two versions never meet.

    endpoint: the server it came from, or "" for this machine. commit: the repository's commit. etag: the file's etag,
    on the Hub its SHA-256. size: the size of the file in bytes.
    """

    endpoint: str
    commit: str
    etag: str
    size: int


@dataclass(frozen=True)
class Tensor:
    """A table in a file. A vector counts as a table of one row.

    name: as the file has it. start: the byte of the file at which the first row begins. dtype: F32, F16 or BF16.
    """

    name: str
    dtype: str
    shape: tuple[int, int]
    start: int
    file: str
    version: Version

    @property
    def row_bytes(self) -> int:
        """The length of one row in the file."""
        return self.shape[1] * _ITEM_BYTES[self.dtype]

    @property
    def nbytes(self) -> int:
        """The length of the whole table in the file."""
        return self.shape[0] * self.row_bytes

    def decode(self, data: bytes) -> np.ndarray:
        """Whole rows as they lie in the file, as float32 of shape (rows, D): exact, since float32 holds both
        smaller types.

        Raises Unavailable if a number is infinite or not a number, or so large that sums of squares would overflow.
        """
        if self.dtype == "BF16":  # the upper half of a float32
            rows = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
        else:
            rows = np.frombuffer(data, "<f4" if self.dtype == "F32" else "<f2").astype(np.float32)
        if not np.isfinite(rows).all():
            raise Unavailable("{name} holds numbers that are not finite: the file is broken.", name=self.name)
        if rows.size and (largest := np.abs(rows).max()) > MAX_WEIGHT:
            raise Unavailable(
                "{name} holds a number as large as {largest:.2g}, and no weights are above {most:,.0f}: the file "
                "is broken, or the training went wrong. Choose another model.",
                name=self.name,
                largest=largest,
                most=MAX_WEIGHT,
            )
        return rows.reshape(-1, self.shape[1])


def max_header_bytes() -> int:
    """How long this server lets the JSON of a file be."""
    return configured().header_mib * 2**20


def header_length(head: bytes, file_size: int) -> int:
    """The length of the JSON, from the first eight bytes. Raises Unavailable if it cannot be."""
    length = int.from_bytes(head[:8], "little")
    if len(head) < 8 or not 2 <= length <= file_size - 8:
        raise Unavailable("the file is not safetensors, or broken: its first eight bytes are not a header's length.")
    return length


def check_header(length: int) -> None:
    """Raise Unavailable if the JSON is longer than this server lets it be."""
    if length > max_header_bytes():
        raise Unavailable(
            "its header has {size:,.1f} MB; the limit is {limit:,.1f}. Choose another model, or raise "
            "EMBEDVIZ_HEADER_MIB.",
            size=length / 1e6,
            limit=max_header_bytes() / 1e6,
        )


def entries_of(header: bytes) -> Mapping[str, object]:
    """What the JSON says of each tensor, by its name. Raises Unavailable if it is no JSON of this kind."""
    found = object_in(header)
    if found is None:
        raise Unavailable("the file is broken: its header is not JSON.")
    return found


def object_in(data: bytes) -> dict | None:
    """The object that a JSON file holds, or None if it holds none. Raises Unavailable if it has too many values."""
    if data.count(b",") > MAX_VALUES:  # values without a comma between them lie in one another, and Python allows few
        raise Unavailable("one of its JSON files has more than {most:,} values. Choose another model.", most=MAX_VALUES)
    try:
        found = json.loads(data, parse_int=_short)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _short(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:  # the time grows with the square of the digits
        raise ValueError(digits[:_MAX_DIGITS])
    return int(digits)


def tensor(entries: Mapping[str, object], name: str, first: int, file: str, version: Version) -> Tensor:
    """Where a tensor lies. first: the byte of the file after the header. Raises Unavailable if that cannot be true."""
    found = entries[name]
    if not isinstance(found, dict):
        raise Unavailable("the file is broken: it does not say where {name} lies.", name=name)
    dtype, shape, offsets = found.get("dtype"), found.get("shape"), found.get("data_offsets")
    if not isinstance(dtype, str) or dtype not in _ITEM_BYTES:
        raise Unavailable(
            "{name} has another type of numbers than {choices}.", name=name, choices=", ".join(_ITEM_BYTES)
        )
    if not whole_numbers(shape) or len(shape) not in {1, 2} or not whole_numbers(offsets) or len(offsets) != 2:
        raise Unavailable("the file is broken: it does not say where {name} lies.", name=name)
    start, end = offsets
    if not 0 <= start <= end <= version.size - first or end - start != prod(shape) * _ITEM_BYTES[dtype]:
        raise Unavailable(
            "the file is broken or cut short: {name} would lie outside of it or has another length.", name=name
        )
    rows, columns = shape if len(shape) == 2 else (1, *shape)
    return Tensor(name, dtype, (rows, columns), first + start, file, version)


def whole_numbers(values: object) -> TypeGuard[list[int]]:
    """True for a list of nothing but whole numbers."""
    return isinstance(values, list) and all(type(value) is int for value in values)
