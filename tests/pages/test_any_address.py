"""Whatever an address says of a control, the page comes: in a fresh session, and after any other address."""

import pytest
from streamlit.testing.v1 import AppTest

from embedviz.base.pages import PAGES
from tests.pages.controls import BAD, State, controls, go, red, states, values
from tests.pages.site import visit

NAMES = [pytest.param(page.name, marks=pytest.mark.xdist_group(f"controls of {page.name}")) for page in PAGES]
CHOICES = ("button_group", "selectbox", "slider", "toggle")


def culprits(state: State, bad: object) -> list[str]:
    """Which of the controls cannot bear this value."""
    return [key for key in state.free if red(visit(state.page, **dict(state.query), **{key: bad}))]


def is_usual(at: AppTest, key: str, state: State) -> bool:
    """Whether a control that knows only certain values has its usual one. All of several may be taken away.

    What is usual may depend on another control, so what the page itself gives to a select box counts too. A select box
    that takes names beside its options knows not only certain values: the page says what is wrong with such a name.
    """
    usual, control = state.usual.get(key), controls(at)[key]
    takes_any = getattr(control.proto, "accept_new_options", False)
    is_free = control.type not in CHOICES or isinstance(usual, list) or takes_any
    if is_free or control.value == usual:
        return True
    return control.type == "selectbox" and control.index == control.proto.default


@pytest.mark.parametrize("page", NAMES)
def test_whatever_a_page_offers_can_be_in_its_address(page):
    assert {str(state): state.failed for state in states(page) if state.failed} == {}


@pytest.mark.parametrize("page", NAMES)
def test_no_address_ends_in_red_nor_what_comes_after_it(page):
    """One session goes from one bad address to the next, as the browser's history does, and ends at a good one."""
    for state in states(page):
        at, query = visit(page, **dict(state.query)), dict(state.query)
        for name, bad in BAD.items():
            go(at, query | dict.fromkeys(state.free, bad))
            assert not at.exception, (str(state), name, culprits(state, bad), red(at))
            assert name != "unknown" or all(is_usual(at, key, state) for key in values(at)), str(state)
        go(at, query)
        found = values(at)  # a text that cannot be used leaves the one before it in use, with a message
        assert found == {key: state.usual[key] for key in found}, str(state)


@pytest.mark.parametrize("page", NAMES)
def test_a_control_that_is_told_nothing_has_its_usual_value(page):
    """Each in a session of its own, since an empty text ends most pages before their other controls come."""
    failed = []
    for state in states(page):
        for key in filter(state.free.__contains__, state.fresh):
            at = visit(page, **dict(state.query), **{key: ""})
            if at.exception or not is_usual(at, key, state):
                failed.append((str(state), key))
    assert failed == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.views], ids=lambda page: page.name)
@pytest.mark.parametrize("bad", ["", "nobody"])
def test_a_view_that_is_told_nothing_or_nonsense_is_the_first_one(page, bad):
    usual, at = visit(page.name), visit(page.name, view=bad)
    assert not at.exception
    assert values(at) == values(usual)
