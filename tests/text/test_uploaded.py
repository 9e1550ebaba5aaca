"""Files that somebody brings along."""

import bz2
import codecs
import gzip
import io
import lzma
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.errors import EmbedvizError
from embedviz.text.uploaded import MAX_BYTES, read_text


def test_line_ends_stay_as_they_are():
    assert read_text(b"a\r\nb\nc\r") == "a\r\nb\nc\r"


TEXT = "The café sat on the мат 猫 🐈\r\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", ["cat", TEXT, "猫は座った"])
def test_a_byte_order_mark_says_the_encoding_and_is_no_text(encoding, text):
    assert read_text(text.encode(encoding)) == text


@pytest.mark.parametrize(("mark", "encoding"), [(codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF32_BE, "utf-32-be")])
def test_the_larger_byte_may_come_first(mark, encoding):
    assert read_text(mark + TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["cat", "the cat sat\n" * 20, "Кот сидел\nна коврике"])
def test_utf16_without_its_mark_is_said(encoding, text):
    with pytest.raises(EmbedvizError, match="UTF-16 without a byte order mark"):
        read_text(text.encode(encoding))


def zipped() -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("word/document.xml", "<w:t>the cat</w:t>")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (codecs.BOM_UTF8, "empty"),
        ("\n".encode("utf-16"), "empty"),
        (b"a" * (MAX_BYTES + 1), "the limit is 5,000,000"),
        (b"\x89PNG\r\n\x1a\n\0\0", "This file is a picture"),
        (b"%PDF-1.7\n", "This file is a PDF"),
        (b"{\\rtf1 the cat}", "This file is rich text"),
        (zipped(), r"This file is a ZIP file, as \.docx, .* Choose a \.txt file with its text, in UTF-8"),
        (gzip.compress(b"the cat", mtime=0), "This file is a gzip file"),
        (bz2.compress(b"the cat"), "This file is a bzip2 file"),
        (lzma.compress(b"the cat"), "This file is an xz file"),
        (b"the\0\0cat", "not a text file: it contains null bytes"),
        ("the\0cat".encode("utf-16"), "not a text file: it contains null bytes"),
        ("a 吾輩は猫である".encode("iso-2022-jp"), "not UTF-8: byte 2 .* Shift JIS. Save it as UTF-8"),
        ("café".encode("latin-1"), "not UTF-8: byte 3 .* such as Windows-1252 or Shift JIS. Save it as UTF-8"),
        ("猫が座った".encode("shift_jis"), "not UTF-8: byte 0"),
        ("cat".encode("utf-16") + b"\0", "not UTF-16: byte 8"),
        ("cat".encode("utf-16") + b"\0\xd8", "not UTF-16: byte 8"),
    ],
)
def test_what_cannot_be_read_is_refused(data, message):
    with pytest.raises(EmbedvizError, match=message):
        read_text(data)


@given(
    st.binary(max_size=50)
    | st.sampled_from(["utf-16", "utf-32", "utf-8"]).flatmap(
        lambda encoding: st.text(max_size=9).map(lambda text: text.encode(encoding))
    )
)
def test_any_file_is_read_or_refused(data):
    try:
        text = read_text(data)
    except EmbedvizError:
        return
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        assert text == data.decode("utf-32" if data.startswith(codecs.BOM_UTF32_LE) else "utf-16")
    elif not data.startswith(codecs.BOM_UTF32_BE):
        assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")
