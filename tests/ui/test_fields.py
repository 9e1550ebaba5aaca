"""Text from outside, shown literally in Markdown."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.ui.messages import literal


@pytest.mark.parametrize("char", string.punctuation)
def test_every_ascii_punctuation_mark_is_escaped(char):
    assert literal(f"a{char}b") == f"a\\{char}b"


@given(st.text())
def test_nothing_else_changes(text):
    shown = literal(text)
    assert re.sub(r"\\(.)", r"\1", shown) == text
    assert len(shown) == len(text) + sum(char in string.punctuation for char in text)


def test_directives_formulas_links_images_and_tags_are_broken_up():
    hostile = ":red[x] $x^2$ [a](b) ![a](b) <script> `c` **d** :material/home:"
    assert not re.search(r"(?<!\\)[\[\](){}:$!<>`*_^/]", literal(hostile))
