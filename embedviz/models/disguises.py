"""What lies in the place of a model's file, from its first bytes: a pointer, a web page, an archive, a pickle."""

import codecs
from collections.abc import Callable

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import N_

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
    return said and Unavailable(said, file=file, size=size)
