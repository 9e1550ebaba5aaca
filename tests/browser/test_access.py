"""Every page in every view: for those who see it badly, use no mouse, or have a small window."""

import pytest
from playwright.sync_api import Page

from tests.browser import access, keyboard
from tests.browser.views import VIEWS, arrive

# Those between them have every kind of control.
WALKED = [
    "compare", "lookup, rows", "lookup, sizes", "tokenizers", "batches, windows", "batches, shapes",
    "positions, past the end", "positions, adding", "relative, which one", "attention", "training, words",
    "training, not yet trained", "vocabulary, position",
]  # fmt: skip


@pytest.fixture
def open_view(visit):
    """Open a view by its name and wait until it is drawn; in a tall window, if asked, so that nothing scrolls."""

    def open_view(name: str, **window) -> Page:
        page = visit(VIEWS[name][0], drawn=False, **window)
        arrive(page, name)
        return page

    return open_view


@pytest.mark.parametrize("name", VIEWS)
def test_axe_finds_nothing_and_nothing_is_cut_off_covered_or_scrolls_sideways(open_view, name):
    page = open_view(name)
    access.check(page)
    access.resize(page, access.ZOOMED)
    access.check_layout(page)
    access.resize(page, access.PHONE)
    access.check(page)
    page.emulate_media(color_scheme="dark")
    for size in (access.PHONE, access.WIDE):
        access.resize(page, size)
        access.check_axe(page, "color-contrast")  # which is all that a theme can change


@pytest.mark.parametrize(
    ("name", "theme"), [*((name, "light") for name in WALKED), ("compare", "dark"), ("vocabulary, position", "dark")]
)
def test_all_is_reached_by_keys_in_order_with_a_name_and_a_mark(open_view, name, theme):
    page = open_view(name, height=1700, theme=theme)
    page.emulate_media(reduced_motion="reduce")
    stops = keyboard.walk(page)
    assert stops[0].name == "Skip to main content"
    assert keyboard.missed(page) == []
    assert [stop for stop in stops if not stop.name] == []
    assert [stop for stop in stops if stop.mark < stop.edge] == []
