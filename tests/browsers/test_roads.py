"""The main road of each page: open it, point at something, edit it, play, share it, leave it and come back."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from embedviz.base.pages import PAGES
from tests.browsers.window import Window

FIELD = "input[type=text], input[type=number], textarea"
HEAT = ".ev-plot .heatmaplayer"


@dataclass(frozen=True)
class Road:
    """What is done on a page, as names of the methods of a window with what they are given. At least it is opened.

    there, lit, changed: what holds in the page once it is drawn, while one points, and after the edit.
    """

    there: str = "found('h1').length === 1"
    point: tuple = ()
    lit: str = "isQuiet()"
    edit: tuple[tuple, ...] = ()
    changed: str = "isQuiet()"


HOVERED = "every('.hoverlayer .hovertext').length"
CHIP_LIT = "plots().every((plot) => plot.dataset.lit === '3797') && every('button.lit').length === 2"
ROADS = {
    "compare": Road(
        "every('.moves li').length === 6",
        ("hover", "button", "position 1: ␣cat, ID 3797"),
        CHIP_LIT,
        (("fill", FIELD, "Sentence A", "dog bites man"),),
        "every('.order path').length === 0 && location.search.includes('a=dog+bites+man')",
    ),
    "tour": Road(
        "found('.boxes li').length === 12",
        ("click", "button", "2 Tokens"),
        "found('.place')[0].textContent === '2 / 10'",
        (("press", "Home"), ("fill", FIELD, "Sentence A", "dog bites man")),
        "found('.boxes li').length === 9",
    ),
    "lookup": Road(
        "plots().length === 1",
        ("hover", HEAT, "", 0.1, 0.92),
        "plots()[0]?.dataset.lit === '5'",
        (("fill", FIELD, "Token IDs, or words: brown, dog, fox, jumps, lazy, over", "5, 1, 5"), ("press", "Enter")),
        "plots()[0]?.data[1].z.length === 3",
    ),
    "votes": Road(
        "found('.ballot li').length === 3",
        edit=(("fill", FIELD, "Question", "cat or mat?"),),
        changed="found('.ballot h2')[0].textContent === 'cat or mat?'",
    ),
    "tokenizers": Road(
        "every('.segments ol').length === 4",
        ("hover", ".segments [aria-label='Tokens of gpt2'] li:nth-child(2) button"),
        "every('.segments button.lit').length === 4 && every('.piece.lit').length === 2",
        (("click", FIELD, "Text"), ("press", "End", *" and ran")),
        "every(`.segments [aria-label='Tokens of gpt2'] button`).length === 8",
    ),
    "batches": Road(
        "found('.windows td').length === 64 && found('.windows td').every((cell) => cell.offsetWidth < 200)",
        ("hover", ".windows td:nth-child(3)"),
        "every('.token.lit')[0]?.textContent === '␣H' && every('.token.aim')[0]?.textContent === 'AD'",
        (("fill", FIELD, "max_length", "6"), ("press", "Enter")),
        "found('.windows td').length === 96",
    ),
    "positions": Road(
        "plots().length === 1",
        ("hover", HEAT),
        HOVERED,
        (("click", "[role=radio]", "learned"),),
        "found('h2').some((title) => title.textContent === 'GPT-2\\'s are learned')",
    ),
    "relative": Road(
        "plots().length === 1",
        ("hover", HEAT),
        HOVERED,
        (("fill", FIELD, "Sentence", "dog bites man"),),
        "plots()[0]?.data[0].y.length === 3",
    ),
    "rope": Road(
        "plots().length === 1",
        ("hover", ".ev-plot .js-line"),
        HOVERED,
        (("click", "[role=radio]", "Longer than trained"),),
        "location.search.includes('view=longer') && plots().length === 1",
    ),
    "attention": Road(
        "plots().length === 3",
        ("hover", "button", "position 1: ␣cat, ID 3797"),
        CHIP_LIT,
        (("fill", FIELD, "Sentence A", "dog bites man"),),
        "plots()[0]?.data[0].z.length === 3",
    ),
    "models": Road(
        "plots().length === 1",
        ("hover", ".ev-plot .points path"),
        HOVERED,
        (("click", "[role=radio]", "Which model has what"),),
        "found('.table tbody tr').length > 60",
    ),
    "training": Road(
        "plots().length === 2",
        ("hover", ".ev-plot .points path"),
        HOVERED,
        (("click", "button", "Train"), ("click", "input[type=range]", "Snapshot", 0.9), ("press", "Home")),
        "plots()[0]?.getAttribute('aria-label')?.endsWith('On screen: before training.')",
    ),
    "vocabulary": Road(
        "every('.map')[0]?.dataset.points === '37'",
        ("hover", "button[data-id]"),
        "every('button.lit').length === 1",
        (("fill", FIELD, "Token", "dog"), ("press", "Enter")),
        "found('h2, h3, h4').some((title) => title.textContent.startsWith('Nearest to dog'))",
    ),
}
ROADS = {page.name: ROADS.get(page.name, Road()) for page in PAGES}


def open_page(window: Window, name: str) -> Road:
    """Open it and wait until it is there."""
    road = ROADS[name]
    window.open("/" if name == "compare" else f"/{name}")
    window.until(f"() => {road.there} && isQuiet()")
    return road


@pytest.mark.parametrize("name", ROADS)
def test_a_page_opens_lights_up_and_takes_an_edit(window: Window, name: str):
    road = open_page(window, name)
    assert window.ask("() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth")
    # What lies under the pointer may be drawn anew, and Firefox notices only when the pointer moves again.
    window.wait(lambda: do(window, road.point) or window.ask(f"() => {road.lit}"), road.lit)
    for step in road.edit:
        do(window, step)
    window.until(f"() => {road.changed}")


@pytest.mark.parametrize("name", ROADS)
def test_a_page_is_saved_as_a_file_that_opens(window: Window, name: str):
    open_page(window, name)
    title = window.ask("() => found('h1')[0].textContent")
    path = saved(window, "Save page as HTML")
    window.browser.goto(path.as_uri())
    window.until("(title) => found('h1')[0]?.textContent === title && isQuiet()", title)


@pytest.mark.parametrize("name", ROADS)
def test_the_way_to_another_page_and_back_and_forward(window: Window, name: str):
    other = "lookup" if name == "compare" else "compare"
    open_page(window, name)
    address, title = here(window)
    window.click("a", other.capitalize())
    window.until(f"() => isQuiet() && {ROADS[other].there} && !{HOVERED}")
    away = here(window)
    assert away[1] != title
    window.browser.travel(-1)
    window.until("(title) => found('h1')[0]?.textContent === title && isQuiet()", title)
    window.until(f"() => {ROADS[name].there}")
    assert here(window) == [address, title]
    window.browser.travel(1)
    window.until(f"(title) => found('h1')[0]?.textContent === title && isQuiet() && {ROADS[other].there}", away[1])


def do(window: Window, step: tuple) -> None:
    if step:
        method, *values = step
        getattr(window, method)(*values)


def here(window: Window) -> list[str]:
    """Address and title."""
    return window.ask("() => [location.pathname, found('h1')[0].textContent]")


def saved(window: Window, button: str) -> Path:
    """The file that a button of the panel Share saves."""
    folder = window.browser.downloads
    before = set(folder.iterdir())
    window.click("button", "Share")
    window.click("button", button)
    return window.wait(lambda: next((path for path in set(folder.iterdir()) - before if _is_whole(path)), None))


def _is_whole(path: Path) -> bool:
    return path.suffix == ".html" and path.read_text("utf-8").endswith("</html>")
