"""The files of a model by their names: the small ones of them, which are JSON, and what may lie in their place."""

import codecs
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_
from embedviz.models.header import Tensor, Version, object_in

WEIGHTS, INDEX, CONFIG = "model.safetensors", "model.safetensors.index.json", "config.json"
PICKLES = ("pytorch_model.bin", "pytorch_model.bin.index.json")
LOOK_SECONDS = 20.0


class Files(Protocol):
    """The files of one model, on the Hub or on this machine."""

    def newest(self, file: str) -> Version:
        """The version of the file that is there now. Raises Missing if there is none."""
        ...

    def read(self, file: str, version: Version, start: int, length: int, deadline: float) -> bytes:
        """These bytes of this version, before the deadline. Raises Unavailable if they cannot be had."""
        ...


def small(files: Files, file: str, limit: int, version: Version | None = None) -> bytes:
    """A whole small file, which is JSON. Raises Unavailable if it is larger than `limit` bytes, or no JSON at all."""
    version = version or files.newest(file)
    check_small(file, version, limit)
    data = files.read(file, version, 0, version.size, time.monotonic() + LOOK_SECONDS)
    if not data.lstrip().startswith(b"{") or data[1:2] == b"\0":
        raise disguise(file, data, version.size) or _broken(file)
    return data


def check_small(file: str, version: Version, limit: int) -> None:
    """Raise Unavailable if the file is larger than `limit` bytes."""
    if version.size > limit:
        raise Unavailable(
            "{file} has {size:,.1f} MB; the limit is {limit:,.1f}. Choose another model.",
            file=file,
            size=version.size / 1e6,
            limit=limit / 1e6,
        )


def json_object(data: bytes, file: str = CONFIG) -> Mapping[str, object]:
    """What a small file says. Raises Unavailable if it is no JSON, or no object with names."""
    found = object_in(data)
    if found is None:
        raise _broken(file)
    return found


def _broken(file: str) -> Unavailable:
    return Unavailable("its {file} is broken: it is not JSON. Choose another model.", file=file)


def check_rows(wanted: Sequence[int], n_rows: int) -> None:
    """Refuse rows that would lie in another table. wanted: in ascending order."""
    if wanted and not 0 <= wanted[0] <= wanted[-1] < n_rows:
        raise EmbedvizError(
            "there is no row {row}: the rows are 0 to {last}.", row=wanted[wanted[0] >= 0 and -1], last=n_rows - 1
        )


def read_rows(files: Files, tensor: Tensor, run: range, deadline: float) -> bytes:
    """Consecutive rows of a table as they lie in its file. Raises as `Files.read` does."""
    start, length = tensor.start + run.start * tensor.row_bytes, len(run) * tensor.row_bytes
    return files.read(tensor.file, tensor.version, start, length, deadline)


_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_PICKLES = tuple(bytes([0x80, protocol]) for protocol in range(2, 6))
_MESSAGE_BYTES = 1000  # no file of a model that begins as a text does is so short

_ENCODED = N_("{file} is in UTF-16, or begins with a byte order mark. Save it as UTF-8 without one.")

# How each begins, and what is said of it.
_KINDS: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    (
        lambda head: head.startswith(b"version https://git-lfs"),
        N_("{file} is a Git LFS pointer of {size:,} bytes, not the file itself: run git lfs pull, or hf download."),
    ),
    (
        lambda head: head.lstrip().startswith(b"<"),
        N_("{file} is a web page, such as that of a login, and not the file itself. Download the file again."),
    ),
    (
        lambda head: head.startswith(_PICKLES),
        N_(
            "{file} is a pickle under another name. Opening one can run a program, so embedviz does not open it. "
            "Choose a model with safetensors."
        ),
    ),
    (
        lambda head: head.startswith(b"PK\x03\x04"),
        N_("{file} is a zip archive, as torch.save writes them too. Unpack it, or choose a model with safetensors."),
    ),
    (lambda head: head.startswith(b"\x1f\x8b"), N_("{file} is compressed with gzip. Unpack it.")),
    (
        lambda head: len(head) < _MESSAGE_BYTES and head[:1].isalpha() and head.isascii(),
        N_("{file} is a short text, perhaps what a server said instead of sending the file. Download the file again."),
    ),
)


def disguise(file: str, head: bytes, size: int) -> Unavailable | None:
    """What a file is that is not what its name says; None if that cannot be told. head: its first bytes."""
    start = head.removeprefix(codecs.BOM_UTF8)
    said = next((said for is_so, said in _KINDS if is_so(start)), None)
    if not said and file.endswith(".json") and (head.startswith(_MARKS) or b"\0" in head[:2]):
        said = _ENCODED
    return Unavailable(said, file=file, size=size) if said else None
