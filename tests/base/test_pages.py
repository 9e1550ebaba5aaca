"""The table of the pages, and the way from an address to its row."""

from itertools import accumulate

import pytest

from embedviz.base.pages import BESIDE, PAGES, ROAD, next_of, page_at, station_of
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


def test_every_page_is_a_station_of_the_road_or_belongs_to_one():
    beside = [page_at(name) for group in BESIDE.values() for name in group]
    assert sorted((*ROAD, *beside), key=PAGES.index) == list(PAGES)
    assert all(station_of(page) in ROAD for page in beside)


def test_the_road_leads_from_every_station_through_all_others():
    seen = list(accumulate(ROAD, lambda page, _: next_of(page)))
    assert set(seen) == set(ROAD)
    assert next_of(seen[-1]) is seen[0]
