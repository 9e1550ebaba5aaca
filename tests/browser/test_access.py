"""Every page in every view: for those who see it badly, use no mouse, or have a small window."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser import access, keyboard, projection
from tests.browser.views import TRAINED, VIEWS, arrive, come_back, has_slides

# Those between them have every kind of control; some are walked through in both themes.
AXIS, UNTRAINED = "vocabulary tokenizer=words colour=kind map=axis", "training words steps=77 seed=77"
WALKED = dict.fromkeys(("compare whole", "compare pairs", AXIS), ("light", "dark")) | dict.fromkeys(
    ("lookup rows", "tokenizers", "batches windows", "positions end", "positions adding", "relative far",
     "attention order", "training words", UNTRAINED),
    ("light",),
)  # fmt: skip

PAGES = dict.fromkeys(urlsplit(path).path for path, *_ in VIEWS.values())
KNOWN: set[str] = set()  # kinds of stops whose marks were looked at, in each theme
ON_ONE_SCREEN = ("positions table", "positions pairs", "positions adding", "positions end")


@pytest.fixture
def open_view(visit):
    """Open a view by its name and wait until it is drawn; in a tall window, if asked, so that nothing scrolls."""

    def open_view(name: str, **window) -> Page:
        page = visit(VIEWS[name][0], drawn=False, **window)
        arrive(page, name)
        return page

    return open_view


@pytest.mark.parametrize("of", PAGES)
def test_the_views_of_a_page_are_without_fault_for_axe_whole_on_any_screen_and_reached_by_keys(open_view, of):
    first, *others = [name for name, (path, *_) in VIEWS.items() if urlsplit(path).path == of]
    page = open_view(first)
    is_without_fault(page, first)
    for n, name in enumerate(others):
        is_without_fault_too(page, name, on_a_phone=n % 2 == 0)


def is_without_fault(page: Page, name: str) -> None:
    """Of a page's first view: by axe on a wide screen, on a phone and in projection, and laid out well on any."""
    with in_view(name):
        access.check(page)
        fits_and_is_reached(page, name)
        access.resize(page, access.ZOOMED, "light")
        access.check_layout(page)
        access.resize(page, access.PHONE, "dark")
        access.check(page)
        if has_slides(page, name):
            access.resize(page, access.WIDE, "light")
            projection.enter(page)
            projection.check(page, on_the_large_one=True)
            access.check_axe(page, but="color-contrast")  # the colours are the usual ones, in larger type


def is_without_fault_too(page: Page, name: str, *, on_a_phone: bool) -> None:
    """Of another view of the page that is open.

    It shares the frame with the first one, and its controls and colours with other views, so it is looked at in one
    theme, and by axe once: in the dark on a phone, or in the light on a wide screen. How it is laid out is looked at
    on all screens.
    """
    path, theme = VIEWS[name][0], "dark" if on_a_phone else "light"
    with in_view(name):
        access.look(page, access.PHONE, theme)
        come_back(page, path)
        arrive(page, name)
        access.check_layout(page)
        if on_a_phone:
            access.check_axe(page, but=known_fault(page))
        access.resize(page, access.WIDE)
        access.check_layout(page)
        if not on_a_phone:
            access.check_axe(page, but=known_fault(page))
        fits_and_is_reached(page, name)
        if has_slides(page, name):
            access.look(page, access.WIDE)
            come_back(page, f"{path}{'&' if '?' in path else '?'}present=1")
            expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()
            projection.check(page)


def known_fault(page: Page) -> str:
    """The rule that the open view breaks knowingly, if any: what is still shown after a mistake is faint on purpose.

    And Streamlit's field for a file has a role and can have the focus all the same.
    """
    if page.locator("[data-testid=stFileUploaderDropzone]").count():
        return "presentation-role-conflict"
    return "color-contrast" if page.locator("[data-testid=stAlertContentError]").count() else ""


def fits_and_is_reached(page: Page, name: str) -> None:
    """On the wide screen: figures have tables, and stand where they are seen; keys reach everything."""
    access.check_tables(page)
    for plot in page.locator(".ev-plot").all() if name in ON_ONE_SCREEN else ():
        expect(plot).to_be_in_viewport(ratio=0.9)
    for theme in WALKED.get(name, ()):
        all_is_reached_by_keys(page, theme)


@contextmanager
def in_view(name: str) -> Iterator[None]:
    """Whatever goes wrong says in which view it did."""
    try:
        yield
    except Exception as error:
        error.add_note(f"in the view “{name}”")
        raise


def all_is_reached_by_keys(page: Page, theme: str) -> None:
    """In order, with a name and a mark that one sees; in a tall window, so that nothing scrolls."""
    access.resize(page, (1280, 1700), theme)
    stops = keyboard.walk(page, KNOWN)
    assert stops[0].name == "Skip to the content"
    assert keyboard.missed(page) == []
    assert [stop for stop in stops if not stop.name] == []
    assert [stop for stop in stops if stop.mark < stop.edge] == []


def test_a_popover_opens_closes_and_gives_the_focus_back_by_keys(open_view):
    page = open_view("compare map")
    settings = page.get_by_role("button", name="Settings")
    settings.focus()
    page.keyboard.press("Enter")
    field = page.get_by_role("dialog", name="Settings").get_by_role("combobox", name="Source")
    expect(page.get_by_role("button", name="Help for Source")).to_be_focused()
    page.keyboard.press("Tab")
    expect(field).to_be_focused()
    expect(
        page.get_by_role("dialog", name="Settings").get_by_text("Token vectors × √d")
    ).to_be_visible()  # the last one
    inside = "() => document.activeElement.closest('[data-testid=stPopoverBody]') !== null"
    stops = 2
    while page.evaluate(inside):
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 40
    assert stops > 8
    expect(settings).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Help for Source")).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_have_count(0)
    expect(settings).to_be_focused()


def test_a_token_is_pinned_in_all_figures_by_keys(open_view):
    page = open_view("compare pairs")
    chip = page.get_by_role("list", name="Tokens of A").get_by_role("button").first
    chip.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Sentence B").focus()
    expect(page.get_by_role("button", name="position 1: ␣cat").first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".st-key-strips li:not(.dim) .word")).to_have_text(["␣cat"])
    page.get_by_role("radio", name="Map").press("Enter")
    expect(page.locator(".ev-plot")).to_have_attribute("data-lit", "3797")


def test_a_cell_of_a_batch_is_chosen_by_keys(open_view):
    page = open_view("batches windows")
    page.get_by_role("grid", name="inputs", exact=True).get_by_role("rowheader").first.focus()
    for key in ("ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("grid", name="inputs", exact=True).locator(".chosen")).to_have_attribute("data-step", "0")


def test_the_map_is_a_table_too(open_view):
    page = open_view("vocabulary tokenizer=words token=hough")
    page.get_by_role("button", name="Show the map as a table").press("Enter")
    table = page.get_by_role("dialog", name="The map as a table")
    expect(table).to_contain_text("3 of 589 tokens: those that are highlighted.")
    rows = [row.split("\t") for row in table.locator("tr").all_inner_texts()]
    assert rows[0] == ["token", "ID", "kind", "x", "y"]
    drawn = (
        page.get_by_role("list", name="3 tokens have")
        .locator("button")
        .evaluate_all("all => all.map(b => b.dataset.id)")
    )
    assert [row[1] for row in rows[1:]] == drawn
    assert all(float(number) for row in rows[1:] for number in row[3:])
    access.check_axe(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Show the map as a table")).to_be_focused()


def test_the_kinds_on_the_map_are_counted_in_words(open_view):
    page = open_view(AXIS)
    counts = page.locator(".legend span").all_inner_texts()
    assert all(re.fullmatch(r"[a-z, ]+: [\d,]+", text) for text in counts)
    total = sum(int(text.split(": ")[1].replace(",", "")) for text in counts)
    assert total == int(page.locator(".map").get_attribute("data-points"))


def test_with_reduced_motion_nothing_moves_by_itself(open_view):
    page = open_view(f"training words {TRAINED}", moves=True)
    page.emulate_media(reduced_motion="reduce")
    slider = page.get_by_role("slider", name="Snapshot")
    play = page.get_by_role("button", name="Play the training")
    play.click()
    expect(slider).to_have_value("0")  # it jumped
    assert play.count() == 1  # and stays: while it plays, the button is called "Pause"
    longest = page.evaluate(
        """() => {
          const seconds = list => Math.max(...list.split(',').map(parseFloat))
          return Math.max(...[...document.querySelectorAll('*')].map(getComputedStyle)
            .flatMap(style => [style.transitionProperty === 'none' ? 0 : seconds(style.transitionDuration),
              seconds(style.animationDuration)]))
        }"""
    )
    assert longest <= 0.001
