"""Token texts made visible and literal."""

import html
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.text.visible import in_figure, on_axis, visible

ISOLATE, POP = "\u2068", "\u2069"
ANY_TEXT = st.text(st.characters())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" the", "␣the"),
        ("a\n\t\r\u00a0", "a⏎⇥␍⍽"),
        ("\x00\x1b\x7f", r"\x00\x1b\x7f"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("\u200b\u200d\ufeff", r"\u200b\u200d\ufeff"),
        ("\u3000\u2028\ue000", r"\u3000\u2028\ue000"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
        ("e\u0301", "e\u0301"),
        ("\u0301e", "◌\u0301e"),
        (" \u0301", "␣◌\u0301"),
        ("กำลัง", "กำลัง"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("👨\u200d", r"👨\u200d"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("a\u200db", r"a\u200db"),
        ("é 猫 🐈 שלום", "é␣猫␣🐈␣שלום"),
        ("<b>&amp;", "<b>&amp;"),
        (r"\xf0", r"\xf0"),
        ("", ""),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown


@given(ANY_TEXT)
def test_nothing_invisible_is_left(text):
    shown = visible(text)
    joiners = "\u200c\u200d"
    assert all(char in joiners or unicodedata.category(char)[0] != "C" for char in shown)
    assert not any(char.isspace() for char in shown)
    assert not any(char in joiners and mark in joiners for char, mark in pairwise(shown))
    marks = "␣⏎⇥␍⍽"
    assert not any(char in marks for char, mark in pairwise(shown) if unicodedata.combining(mark))
    assert not shown or not (unicodedata.combining(shown[0]) or shown[0] in joiners or shown[-1] in joiners)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" the", "␣the"),
        ("<b>", "&lt;b&gt;"),
        ("&lt;", "&amp;lt;"),
        ("a\"b'", "a\"b'"),
        ("fourteen chars", "fourteen␣chars"),
        ("fifteen letters", "fifteen␣lette…"),
        ("<" * 20, "&lt;" * 13 + "…"),
        ("猫" * 7, "猫" * 7),
        ("猫" * 8, "猫" * 6 + "…"),
        ("e\u0301" * 14, "e\u0301" * 14),
        ("e\u0301" * 15, "e\u0301" * 13 + "…"),
    ],
)
def test_in_figure(text, shown):
    assert in_figure(text) == f"{ISOLATE}{shown}{POP}"


@given(ANY_TEXT)
def test_in_figure_is_isolated_escaped_and_short(text):
    label = in_figure(text)
    inner = label[1:-1].removeprefix("\u200e")
    assert (label[0], label[-1]) == (ISOLATE, POP)
    assert not {ISOLATE, POP, "<", ">"} & set(inner)
    plain = html.unescape(inner)
    assert len(plain) <= 14
    assert visible(text).startswith(plain.removesuffix("…"))


@pytest.mark.parametrize(
    ("head", "text", "shown"),
    [
        ("A5 ", " sentence", "␣sentence"),
        ("A5 ", " sentences", "␣sentences"),
        ("A12 ", " sentences", "␣sentenc…"),
        ("7 ", "<b>&amp;<i><u>", "&lt;b&gt;&amp;amp;&lt;i…"),
        ("B0 ", "猫は寝る犬", "猫は寝る犬"),
        ("B0 ", "猫は寝る犬も", "猫は寝る…"),
        ("B0 ", "שלום", "שלום"),
    ],
)
def test_on_axis(head, text, shown):
    assert on_axis(head + in_figure(text)) == f"{head}{ISOLATE}{shown}{POP}"


def test_on_axis_leaves_names_without_a_text_alone():
    assert on_axis(" ") == " "


def test_bytes_are_written_from_left_to_right_even_after_a_letter_that_runs_the_other_way():
    mark = "\u200e"  # decides which way an isolated text runs
    assert in_figure(r"ا\xd8") == f"{ISOLATE}{mark}ا\\xd8{POP}"
    assert on_axis("A10 " + in_figure(r"ا\xd8")) == f"A10 {ISOLATE}{mark}ا\\xd8{POP}"
    assert in_figure("ا") == f"{ISOLATE}ا{POP}"
