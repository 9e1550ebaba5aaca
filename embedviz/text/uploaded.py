"""A text file that a visitor uploads."""

import codecs
from collections.abc import Mapping

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, translated
from embedviz.base.settings import configured

MAX_BYTES = configured().upload_mb * 1_000_000
# By their first bytes. UTF-32 comes before UTF-16, whose mark is the beginning of its own.
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_ISO_2022 = b"\x1b$"  # begins Japanese in an old mail, each of whose bytes is ASCII
_KINDS = {
    b"%PDF": N_("a PDF"),
    b"{\\rtf": N_("rich text (RTF)"),
    b"PK\x03\x04": N_("a ZIP file, as .docx, .odt and .epub files are"),
    b"\xd0\xcf\x11\xe0": N_("an old Office file, such as .doc"),
    b"\x1f\x8b": N_("a gzip file"),
    b"BZh": N_("a bzip2 file"),
    b"\xfd7zXZ": N_("an xz file"),
    b"7z\xbc\xaf": N_("a 7z file"),
    b"\x89PNG": N_("a picture"),
    b"\xff\xd8\xff": N_("a picture"),
    b"GIF8": N_("a picture"),
}


def read_text(data: bytes, most: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file, or of UTF-16 or -32 with a byte order mark. Raises EmbedvizError for all others."""
    if len(data) > most:
        raise EmbedvizError("The file has {n:,} bytes; the limit is {most:,}.", n=len(data), most=most)
    text = _decoded(data)
    if not text or text.isspace():
        raise EmbedvizError("The file is empty. Take a text file with some words in it.")
    if "\0" in text:
        raise EmbedvizError("This is not a text file: it contains null bytes. Choose a plain .txt file.")
    return text


def encoding_of(data: bytes) -> str:
    """What the first bytes of a text file say about its encoding."""
    return _of_first_bytes(_MARKS, data) or "utf-8"


def _decoded(data: bytes) -> str:
    encoding = encoding_of(data)
    if kind := _of_first_bytes(_KINDS, data):
        raise EmbedvizError(
            "This file is {kind}, not plain text. Choose a .txt file with its text, in UTF-8.", kind=translated(kind)
        )
    if encoding == "utf-8" and _is_unmarked_utf16(data):
        raise EmbedvizError("The file is UTF-16 without a byte order mark. Save it as UTF-8 and try again.")
    try:
        # One byte is found twenty times as fast as two.
        if encoding == "utf-8" and b"\x1b" in data and (start := data.find(_ISO_2022)) >= 0:
            raise UnicodeDecodeError(encoding, data, start, start + len(_ISO_2022), "ISO-2022")
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise EmbedvizError(
            "The file is not {encoding}: byte {start:,} cannot be read. Older files are often in another encoding, "
            "such as Windows-1252 or Shift JIS. Save it as UTF-8 and try again.",
            encoding=encoding.removesuffix("-sig").upper(),
            start=error.start,
        ) from error


def _of_first_bytes(known: Mapping[bytes, str], data: bytes) -> str | None:
    return next((name for first, name in known.items() if data.startswith(first)), None)


def _is_unmarked_utf16(data: bytes) -> bool:
    """Whether all zeros are at every other byte, as in UTF-16 of most languages, and the rest can be read so."""
    if b"\0" not in data:
        return False
    zeros = [data[n::2].count(0) for n in (0, 1)]
    if all(zeros) or not any(zeros):
        return False
    try:
        data.decode("utf-16-be" if zeros[0] else "utf-16-le")
    except UnicodeDecodeError:
        return False
    return True
