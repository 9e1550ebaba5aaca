"""Options have names of their own in addresses, which no wording changes."""

import re

import pytest

from embedviz.base.pages import PAGES
from embedviz.text import samples
from embedviz.ui.inputs.options import OPTIONS

LISTS = [*OPTIONS.values(), *(page.views for page in PAGES)]


@pytest.mark.parametrize("options", LISTS, ids=str)
def test_no_name_is_what_another_option_shows(options):
    assert len(set(options.values())) == len(options)
    assert all(text == name or text not in options for name, text in options.items())


@pytest.mark.parametrize("options", LISTS, ids=str)
def test_names_need_no_signs_in_an_address(options):
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in options)


def test_every_sample_text_is_an_option():
    assert [*OPTIONS["sample"].values()][:-2] == [sample.name for sample in samples.texts()]


def test_a_text_that_is_an_excerpt_is_called_one():
    """The Verdict has some 20,000 characters, and Romeo and Juliet more than 100,000."""
    verdict, romeo, _mat = samples.texts()
    assert len(verdict.text) < 2_000
    assert "opening" in verdict.name
    assert len(romeo.text) < 1_000
    assert "prologue" in romeo.name
    assert "THE PROLOGUE" in romeo.text
