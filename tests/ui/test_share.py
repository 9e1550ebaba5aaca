"""QR codes, read by another library (ZXing)."""

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from embedviz import EmbedvizError
from embedviz.ui.components.share.share import MAX_BYTES, qr_rows

ADDRESS = "http://localhost:8501/positions?view=Pairs&sentence=%E7%8C%AB+%26+%22%3Cb%3E%22"


def read(rows: list[str]) -> str:
    """What a camera reads: four pixels a module, and the white margin that the page draws too."""
    pixels = np.kron(np.pad([list(map(int, row)) for row in rows], 4), np.ones((4, 4)))
    picture = np.where(pixels, 0, 255).astype(np.uint8)
    [found] = zxingcpp.read_barcodes(picture, formats=zxingcpp.BarcodeFormat.QRCode, is_pure=True)
    return found.bytes.decode("utf-8")


@pytest.mark.parametrize("text", [ADDRESS, "a", "猫 и собака", "x" * MAX_BYTES, "é" * (MAX_BYTES // 2)])
def test_the_code_says_what_it_was_made_of(text):
    assert read(qr_rows(text)) == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text_comes_back(text):
    assert read(qr_rows(text)) == text


@pytest.mark.parametrize("text", ["x" * (MAX_BYTES + 1), "é" * MAX_BYTES])
def test_a_text_that_is_too_long_is_refused_with_both_numbers(text):
    with pytest.raises(EmbedvizError, match=rf"^{len(text.encode()):,} bytes do not fit .* 2,953 at most"):
        qr_rows(text)


def test_nothing_to_encode_is_an_error():
    with pytest.raises(EmbedvizError, match="no text"):
        qr_rows("")


def test_the_code_is_square():
    found = qr_rows(ADDRESS)
    assert {len(row) for row in found} == {len(found)}


def test_half_of_a_pair_of_surrogates_is_no_traceback():
    assert read(qr_rows("a\ud800b"))
