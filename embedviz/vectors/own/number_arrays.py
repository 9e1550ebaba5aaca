"""Arrays in files of NumPy and in safetensors.

Nothing is ever unpickled, and no file is believed about itself: what a directory, a header or a shape says is compared
with the bytes that really come out, before memory is taken for it.
"""

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.lib import format as npy_format
from safetensors import torch

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_
from embedviz.base.settings import configured
from embedviz.models.header import MAX_VALUES

MOST_MIB = configured().vectors_mib
MOST_BYTES = MOST_MIB * 2**20
MOST_ROWS = 500_000  # the largest vocabularies have half as many tokens
_MOST_TABLES = 5000  # a file that Layers saves of a large model has half as many
_PIECE = 2**16  # bytes that are unpacked at a time
_HEAD = 2**12  # bytes of an NPY file in which its header is
_MOST_HEADER = 1000  # characters of it, which is far more than a table's; those of many fields take long to read
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # NumPy's own; zipfile unpacks all others whole, without a limit
_ENTRY = b"PK\x01\x02"  # begins each entry of a ZIP's directory
_PICKLES = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}
_PICKLED = N_(
    "{name} is left aside: its type is object, which NumPy saves as a pickle. Save texts as "
    "np.array(texts, dtype=str), and numbers as np.array(numbers, dtype=np.float32)."
)
_NO_ARRAY = N_("{name} is left aside: it is no array of NumPy.")
_TWICE = N_("{name} is left aside: another array has this name, too.")
_Result = TypeVar("_Result")


class Arrays(NamedTuple):
    """What a file holds. kind: "npy", "npz" or "safetensors". by_name: its arrays, read-only or not.

    left_aside: by the names of what is not among them, a text that says why.
    """

    kind: str
    by_name: Mapping[str, np.ndarray]
    left_aside: Mapping[str, str]


def arrays(name: str, data: bytes) -> Arrays | None:
    """The arrays of a file; None if it is a text.

    Arrays of two sentences, as this project saves them, are one. Raises EmbedvizError for a file that is too large,
    broken, or a pickle.
    """
    check_size(data)
    if name.lower().endswith(".safetensors") or _is_safetensors(data):
        return Arrays("safetensors", _unpacked(_safetensors, data), {})
    if data.startswith(_PICKLES):
        raise _is_pickle()
    if data.startswith(npy_format.MAGIC_PREFIX):
        array = _unpacked(_npy, data)
        if array is None:
            raise _is_pickle()
        return Arrays("npy", {"vectors": array}, {})
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):  # the second one is empty
        return Arrays("npz", *_unpacked(_npz, data))
    return None


def check_size(data: bytes) -> None:
    """Raise EmbedvizError if a file is too large, or empty."""
    check_bytes(len(data))
    if not data:
        raise EmbedvizError("The file is empty.")


def check_bytes(n: int) -> None:
    """Raise EmbedvizError if what is in a file takes more bytes than the largest file."""
    if n > MOST_BYTES:
        raise EmbedvizError("The file has {n:,.1f} MiB; the limit is {most:,}.", n=n / 2**20, most=MOST_MIB)


def check_rows(n: int) -> None:
    """Raise EmbedvizError if these are more rows of a table than any vocabulary has tokens."""
    if n > MOST_ROWS:
        raise EmbedvizError("The file has a table of {n:,} rows; {most:,} are the most here.", n=n, most=MOST_ROWS)


def check_tables(n: int) -> None:
    """Raise EmbedvizError if these are more tables than a visitor can choose from."""
    if n > _MOST_TABLES:
        raise EmbedvizError("The file has {n:,} tables; {most:,} are the most here.", n=n, most=_MOST_TABLES)


def _is_pickle() -> EmbedvizError:
    return EmbedvizError(
        "This is a pickle, which can run a program when it is opened, so it is not opened here. Save the tables as "
        ".safetensors or .npz."
    )


def _unpacked(read_: Callable[[bytes], _Result], data: bytes) -> _Result:
    try:
        return read_(data)
    except EmbedvizError:
        raise
    except Exception as error:
        raise EmbedvizError("The file is broken or cannot be read: {why}", why=str(error)[:200]) from error


def _npy(data: bytes | bytearray) -> np.ndarray | None:
    """The array of an NPY file, which shares its memory; None if it is a pickle."""
    head = io.BytesIO(data[:_HEAD])
    version = npy_format.read_magic(head)
    if version not in _HEADERS:
        raise ValueError(f"version {version[0]}.{version[1]} of NPY holds no tables of numbers")
    shape, is_fortran, dtype = _HEADERS[version](head, max_header_size=_MOST_HEADER)
    if dtype.hasobject:
        return None
    n, n_bytes = prod(shape), len(data) - head.tell()
    if min(shape, default=0) < 0 or n * dtype.itemsize > n_bytes:
        raise ValueError(f"the shape {shape} needs more than the {n_bytes:,} bytes that are there")
    if not n:
        return np.empty(shape, dtype)
    return np.frombuffer(data, dtype, n, head.tell()).reshape(shape, order="F" if is_fortran else "C")


def _npz(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The arrays of an NPZ file, and why others of its members are left aside."""
    check_tables(data.count(_ENTRY))  # before zipfile makes an object of each of them
    parts: dict[str, dict[str, np.ndarray]] = {}  # this project saves arrays of two sentences as A_token and B_token
    left, room = {}, MOST_BYTES
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        for member in file.infolist():
            name, ending = member.filename.removesuffix(".npy"), member.filename.rpartition(".")[2]
            if member.is_dir() or _is_of_a_mac(member.filename):
                continue
            if ending == "pkl" and next(_pieces(file, member), b"").startswith(_PICKLES):
                raise _is_pickle()
            if ending != "npy":
                left[name] = _NO_ARRAY
                continue
            content = _content(file, member, room)
            room -= len(content)
            try:
                array = _npy(content)
            except Exception:  # noqa: BLE001 whatever NumPy raises; the reader is told that it is no array
                left[name] = _NO_ARRAY
                continue
            if array is None:
                left[name] = _PICKLED
                continue
            same = parts.setdefault(name[2:] if name[:2] in ("A_", "B_") else name, {})
            if name in same or (same and not _fit([*same.values(), array])):
                left[name] = _TWICE
            else:
                same[name] = array
    return {name: _joined([*same.values()]) for name, same in parts.items()}, left


def _is_of_a_mac(member: str) -> bool:
    """Whether a Mac has put this beside the files that it packed."""
    return member.startswith("__MACOSX/") or member.rpartition("/")[2].startswith(("._", ".DS_Store"))


def _content(file: zipfile.ZipFile, member: zipfile.ZipInfo, room: int) -> bytearray:
    """What comes out of a member, whatever the ZIP says of its size. Raises EmbedvizError if it has no room."""
    content = bytearray()
    for piece in _pieces(file, member):
        content += piece
        if len(content) > room:
            raise EmbedvizError("The file unpacks to more than {most:,} MiB, which is the limit.", most=MOST_MIB)
    return content


def _pieces(file: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[bytes]:
    if member.compress_type not in _METHODS:
        text = "{name} is packed in another way than NumPy packs. Save it with np.savez or np.savez_compressed."
        raise EmbedvizError(text, name=member.filename[:80])
    with file.open(member) as opened:
        while piece := opened.read(_PIECE):
            yield piece


def _fit(parts: Sequence[np.ndarray]) -> bool:
    """Whether arrays of two sentences share tables. As one array, each number or text is as wide as the widest."""
    n_bytes = sum(each.size for each in parts) * max(each.itemsize for each in parts)
    kinds = {(each.dtype.kind, each.shape[1:]) for each in parts}
    return len(kinds) == 1 and parts[0].ndim > 0 and n_bytes <= MOST_BYTES


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def _is_safetensors(data: bytes) -> bool:
    """Whether a header of JSON follows its length, which may begin with the same two bytes as a pickle."""
    return data[8:9] == b"{" and 2 <= int.from_bytes(data[:8], "little") <= len(data) - 8


def _safetensors(data: bytes) -> dict[str, np.ndarray]:
    header = 8, min(8 + int.from_bytes(data[:8], "little"), len(data))
    # Each tensor is an object of its own. The library makes one of each before anybody could count them.
    check_tables(data.count(b"{", *header) - 1 - data.count(b'"__metadata__"', *header))
    if data.count(b",", *header) > MAX_VALUES:
        raise ValueError(f"its header has more than {MAX_VALUES:,} values")
    tensors = torch.load(data)
    return {name: (each.float() if each.is_floating_point() else each).numpy() for name, each in tensors.items()}
