"""Files that somebody brings along."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.errors import EmbedvizError
from embedviz.text.uploaded import MAX_BYTES, read_text


def test_line_ends_stay_as_they_are():
    assert read_text(b"a\r\nb\nc\r") == "a\r\nb\nc\r"


def test_a_byte_order_mark_is_no_text():
    assert read_text(b"\xef\xbb\xbfcat") == "cat"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"a" * (MAX_BYTES + 1), "the limit is 5,000,000"),
        (b"\x89PNG\0\0", "not a text file"),
        ("café".encode("latin-1"), "not UTF-8: byte 3"),
        ("cat".encode("utf-16"), "not a text file"),
    ],
)
def test_what_cannot_be_read_is_refused(data, message):
    with pytest.raises(EmbedvizError, match=message):
        read_text(data)


@given(st.binary(max_size=50))
def test_any_file_is_read_or_refused(data):
    try:
        text = read_text(data)
    except EmbedvizError:
        return
    assert text.encode() == data.removeprefix(b"\xef\xbb\xbf")
