"""What every view says of itself: what to look at, why it matters, and what its terms mean."""

import re

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.base.pages import PAGES, ROAD, STEPS, next_of, station_of
from embedviz.ui.guide import TERMS, Guide
from tests.pages.site import before_visit, shown, visit
from tests.views import VIEWS

GUIDED = [page for page in PAGES if page.name != "tour"]  # its steps have words of their own


def guides() -> dict[tuple[str, str], Guide]:
    """Each guide by its page and the name of its view."""
    for page in GUIDED:
        assert [name for of, name in VIEWS if of == page.name] == list(page.views or [""])
    return {at: view.guide for at, view in VIEWS.items() if at[0] != "tour"}


def glossary_of(at: AppTest) -> list[list[str]]:
    """The terms of both lists, if the glossary is open."""
    lists = [part for each in at.get("html") for part in each.value.split("<dl>")[1:]]
    return [re.findall("<dt>(.*?)</dt>", part) for part in lists]


@pytest.mark.parametrize(("name", "view"), guides())
def test_a_view_says_what_to_look_at_and_why_and_explains_its_terms(name, view):
    guide = guides()[name, view]
    (page,) = (page for page in PAGES if page.name == name)
    at = before_visit("" if page is PAGES[0] else name, **({"view": view} if view else {}))
    at.session_state["glossary"] = True  # somebody has opened it
    at.run()
    assert not at.exception
    assert at.caption[0].value.endswith(guide.look)
    assert [card["text"] for card in shown(at, "why")["cards"]] == [guide.why]
    own, others = glossary_of(at)
    assert own == [TERMS[term][0] for term in guide.terms.split()]
    assert sorted(own + others) == sorted(term for term, _ in TERMS.values())


@pytest.mark.parametrize("page", GUIDED, ids=lambda page: page.name)
def test_the_glossary_comes_when_somebody_opens_it(page):
    at = visit("" if page is PAGES[0] else page.name)
    assert glossary_of(at) == []
    at.session_state["glossary"] = True
    assert len(glossary_of(at.run())) == 2


@pytest.mark.parametrize("page", GUIDED, ids=lambda page: page.name)
def test_a_station_ends_with_the_step_to_the_next_and_a_page_beside_the_road_with_the_way_back(page):
    at = visit("" if page is PAGES[0] else page.name)
    link = at.get("page_link")[-1].proto
    to = next_of(page) if page in ROAD else station_of(page)
    assert link.page == to.address
    assert link.label == (f"**Next: {to.title}.\u2060** {STEPS[page.name]}" if page in ROAD
                          else f"**Back to the road: {to.title}.\u2060** {to.help}")  # fmt: skip


def test_every_term_is_explained_where_it_is_used():
    used = {term for guide in guides().values() for term in guide.terms.split()}
    assert used == TERMS.keys()


SAID = [text for guide in guides().values() for text in (guide.look, guide.why)]


@pytest.mark.parametrize("text", [*SAID, *STEPS.values()])
def test_a_guide_is_short_and_of_whole_sentences(text):
    assert text[0].isupper()
    assert text.endswith((".", "?"))
    assert len(text.split()) <= 32


def test_a_step_of_training_changes_only_the_rows_whose_ids_occur():
    """As Lookup's guide to the view One-hot says."""
    torch.manual_seed(0)
    table = torch.nn.Embedding(6, 3)
    before = table.weight.detach().clone()
    (torch.nn.functional.one_hot(torch.tensor([2, 3, 5, 3]), 6).float() @ table.weight).square().sum().backward()
    torch.optim.SGD(table.parameters(), lr=0.1).step()
    assert (table.weight != before).any(dim=1).tolist() == [False, False, True, True, False, True]


def test_adding_a_position_is_the_same_arrow_for_every_token():
    """As Compare's guide to the Map says: exact in all dimensions, but for rounding."""
    found = ev.embed("the cat sat", ev.Spec()), ev.embed("on mat dog", ev.Spec())
    for n in range(3):
        arrows = [each.input_embeddings[n] - each.token_embeddings[n] for each in found]
        assert np.allclose(*arrows, atol=1e-6)
        assert not np.array_equal(found[0].token_embeddings[n], found[1].token_embeddings[n])
