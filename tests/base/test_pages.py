"""The table of the pages, and the way from an address to its row."""

import pytest

from embedviz.base.pages import PAGES, page_at
from embedviz.base.settings import ROOT


def test_every_page_is_in_the_table_once():
    assert sorted(page.script for page in PAGES) == sorted(ROOT.glob("pages/*/page.py"))


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("", "compare"),
        ("/", "compare"),
        ("http://localhost:8501", "compare"),
        ("https://somewhere.org/words/tour?a=x/lookup#batches", "tour"),
        ("/lookup/", "lookup"),
        ("/compare", "compare"),
        ("/no-such-page", "compare"),
        ("/LOOKUP", "compare"),
    ],
)
def test_an_address_leads_to_its_page_and_what_somebody_made_up_to_the_first(address, name):
    assert page_at(address).name == name


def test_the_first_page_has_the_address_of_the_site():
    assert [page.address for page in PAGES] == ["", *(page.name for page in PAGES[1:])]
