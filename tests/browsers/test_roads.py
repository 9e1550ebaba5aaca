"""The main road of each page: open it, point at something, edit it, play, share it, leave it and come back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import pytest

from embedviz.base.pages import PAGES, ROAD, page_at
from embedviz.text.samples import usual_pair
from embedviz.text.tokens import tokenize
from pages.tour.steps import STEPS
from tests.browsers.window import Window

HEAT = ".ev-plot .heatmaplayer"


def field_of(key: str) -> str:
    """The field of a parameter of the address."""
    return f".st-key-{key} input, .st-key-{key} textarea"


def view_of(page: str, view: str) -> tuple[str, ...]:
    """The click that opens a view of the page that is open."""
    return "click", "[role=radio]", page_at(page).views[view]


def n_tokens(text: str) -> int:
    """How many tokens GPT-2 has for a text."""
    return len(tokenize(text, "gpt2", prefix_space=False).ids)


@dataclass(frozen=True)
class Road:
    """What is done on a page, as names of the methods of a window with what they are given. At least it is opened.

    query: what of the page the road needs, its view for example, whatever the page shows by itself. there, lit,
    changed: what holds in the page once it is drawn, while one points, and after the edit.
    """

    query: Mapping[str, str] = field(default_factory=dict)
    there: str = "found('h1').length === 1"
    point: tuple[str, ...] = ()
    lit: str = "isQuiet()"
    edit: tuple[tuple, ...] = ()
    changed: str = "isQuiet()"


HOVERED = "every('.hoverlayer .hovertext').length"
PAIR = {"a": usual_pair().a, "b": usual_pair().b}
N_PAIR, SHORTER = n_tokens(PAIR["a"]), "dog bites man"
CAT = tokenize(" cat", "gpt2", prefix_space=False).ids[0]
CHIP = f"button[data-id='{CAT}']"
CHIP_LIT = f"plots().every((plot) => plot.dataset.lit === '{CAT}') && every('button.lit').length === 2"
ROADS = {
    "compare": Road(
        {"view": "pairs"} | PAIR,
        f"every('.moves li').length === {N_PAIR}",
        ("hover", CHIP),
        CHIP_LIT,
        (("fill", field_of("a"), SHORTER),),
        "every('.order path').length === 0 && location.search.includes('a=dog+bites+man')",
    ),
    "tour": Road(
        PAIR,
        "found('.way svg .sentence').length === 2",
        ("click", ".steps li:nth-child(2) button"),
        f"found('.place')[0].textContent === '2 / {len(STEPS)}'",
        (("press", "Home"), ("fill", field_of("a"), SHORTER)),
        "found('.way svg .sentence')[0].textContent === 'A  dog bites man'",
    ),
    "lookup": Road(
        {"view": "rows", "looked_up": "ids"},
        "plots().length === 1",
        ("hover", HEAT, "", 0.1, 0.92),
        "plots()[0]?.dataset.lit === '5'",
        (("fill", field_of("ids"), "5, 1, 5"), ("press", "Enter")),
        "plots()[0]?.data.at(-1).z?.length === 3",
    ),
    "tokenizers": Road(
        {"text": PAIR["a"]},
        "every('.segments ol').length === 4",
        ("hover", ".segments section:nth-of-type(2) li:nth-child(2) button"),
        "every('.segments button.lit').length === 4 && every('.piece.lit').length === 2",
        (("click", field_of("text")), ("press", "End", *" and ran")),
        f"every('.segments section:nth-of-type(2) button').length === {N_PAIR + 2}",
    ),
    "batches": Road(
        {"view": "windows", "sample": "verdict", "batch_size": "8", "max_length": "4"},
        "found('.windows td').length === 64 && found('.windows td').every((cell) => cell.offsetWidth < 200)",
        ("hover", ".windows td:nth-child(3)"),
        "every('.token.lit')[0]?.textContent === '␣H' && every('.token.aim')[0]?.textContent === 'AD'",
        (("fill", field_of("max_length"), "6"), ("press", "Enter")),
        "found('.windows td').length === 96",
    ),
    "positions": Road(
        {"view": "table", "kind": "sinusoidal"},
        "plots().length === 1",
        ("hover", HEAT),
        HOVERED,
        (("click", "[role=radio]", "learned"),),
        "location.search.includes('kind=learned') && plots().length === 1",
    ),
    "relative": Road(
        {"view": "shift"},
        "plots().length === 1",
        ("hover", HEAT),
        HOVERED,
        (("fill", field_of("sentence"), SHORTER),),
        "plots()[0]?.data[0].y.length === 3",
    ),
    "rope": Road(
        {"view": "turn"},
        "plots().length === 1",
        ("hover", ".ev-plot .js-line"),
        HOVERED,
        (view_of("rope", "longer"),),
        "location.search.includes('view=longer') && plots().length === 1",
    ),
    "attention": Road(
        {"view": "order"} | PAIR,
        "plots().length === 3",
        ("hover", CHIP),
        CHIP_LIT,
        (("fill", field_of("a"), "the cat sat"),),
        "plots()[0]?.data[0].z.length === 3",
    ),
    "models": Road(
        {},
        "plots().length === 2 && found('.table tbody tr').length > 60",
        ("hover", ".ev-plot .points path"),
        HOVERED,
        (("fill", field_of("named"), "llama 3"),),
        "found('.table tbody tr').length === 2",
    ),
    "training": Road(
        {"view": "words"},
        "plots().length === 2",
        ("hover", ".ev-plot .points path"),
        HOVERED,
        (
            ("click", ".st-key-train button"),
            ("until", "() => location.search.includes('trained=') && found('output')[0]"),
            ("click", "input[type=range]", "", 0.9),
            ("press", "Home"),
        ),
        "found('input[type=range]')[0]?.value === '0' && plots().length === 2",
    ),
    "vocabulary": Road(
        {"source": "trained"},
        "every('.map')[0]?.dataset.points === '31'",
        ("hover", "button[data-id]"),
        "every('button.lit').length === 1",
        (("fill", field_of("token"), "dog"), ("press", "Enter")),
        "location.search.includes('token=dog') && found('h2')[0]?.textContent.includes('dog')",
    ),
}
ROADS = {page.name: ROADS.get(page.name, Road()) for page in PAGES}


def open_page(window: Window, name: str) -> Road:
    """Open it and wait until it is there."""
    road = ROADS[name]
    window.open(f"/{page_at(name).address}?{urlencode(road.query)}")
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
    path = saved(window)
    window.browser.goto(path.as_uri())
    window.until("(title) => found('h1')[0]?.textContent === title && isQuiet()", title)


@pytest.mark.parametrize("name", ROADS)
def test_the_way_to_another_page_and_back_and_forward(window: Window, name: str):
    other = next(page.name for page in ROAD if page.name != name)
    open_page(window, name)
    address, title = here(window)
    follow(window, other)
    window.until(
        f"(title) => isQuiet() && ![title, undefined].includes(found('h1')[0]?.textContent) && !{HOVERED}", title
    )
    away = here(window)
    window.browser.travel(-1)
    window.until("(title) => found('h1')[0]?.textContent === title && isQuiet()", title)
    window.until(f"() => {ROADS[name].there}")
    assert here(window) == [address, title]
    window.browser.travel(1)
    window.until("(title) => found('h1')[0]?.textContent === title && isQuiet()", away[1])


def do(window: Window, step: tuple) -> None:
    if step:
        method, *values = step
        getattr(window, method)(*values)


def here(window: Window) -> list[str]:
    """Address and title."""
    return window.ask("() => [location.pathname, found('h1')[0].textContent]")


def follow(window: Window, name: str) -> None:
    """Go to a page by the menu, as within a page: what was changed in it stays."""
    if page_at(name) not in ROAD:
        window.click(".ev-more")
    window.click(".ev-pages a", page_at(name).title)


def saved(window: Window) -> Path:
    """The file that the button "Save page as HTML" of the panel Share saves."""
    folder = window.browser.downloads
    before = set(folder.iterdir())
    window.click("button.open")
    window.click(".panel .page")
    return window.wait(lambda: next((path for path in set(folder.iterdir()) - before if _is_whole(path)), None))


def _is_whole(path: Path) -> bool:
    return path.suffix == ".html" and path.read_text("utf-8").endswith("</html>")
