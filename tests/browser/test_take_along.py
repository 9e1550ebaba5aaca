"""What a visitor takes along beyond figures: notebooks, vectors, maps, and every page as a file."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

import embedviz as ev
from tests.browser import access, chromium
from tests.browser.conftest import watch
from tests.browser.test_share import NUMBERS, open_panel, saved
from tests.browser.views import COMING, EMPTY, SETTLED, TRAINED, come_back, settle

# What the components say, in any order: the text under every shadow root but that of the panel, without styles.
WORDS = """() => {
  const roots = [...document.querySelectorAll("*")].map((element) => element.shadowRoot).filter(Boolean)
  const words = (node) => {
    // A file has no site to which a card leads, and no server that reads with another model.
    if (node.nodeName === "STYLE" || node.matches?.("section p a, .models")) return ""
    return node.nodeType === Node.TEXT_NODE ? node.data : [...node.childNodes].map(words).join(" ")
  }
  const ours = roots.filter((root) => !root.querySelector(".panel"))
  return ours.map((root) => words(root).replace(/\\s+/g, " ").trim()).filter(Boolean).sort()
}"""


# Comes to its end when the page has nothing left to do, where nothing may be asked with wait_for_function.
RESTS = f"""async (most) => {{
  const settled = {SETTLED}, until = performance.now() + most
  while (!settled()) {{
    if (performance.now() > until) throw new Error("The page does not come to rest.")
    await new Promise(requestAnimationFrame)
  }}
}}"""
# What they say once it is this, where nothing may be asked with wait_for_function. A part's script may still come.
COMES_TO_SAY = f"""async ([wanted, most]) => {{
  const words = {WORDS}, isSaid = () => JSON.stringify(words()) === JSON.stringify(wanted)
  const until = performance.now() + most
  while (!isSaid() && performance.now() < until) await new Promise(requestAnimationFrame)
  return words()
}}"""
# A saved page shows each of its parts as soon as that part's script is there.
N_PARTS = "JSON.parse(document.getElementById('page').textContent).instances.length"
ALL_ARE_THERE = """n => {
  const inOwnRoots = [...document.querySelectorAll("div")].filter(({ shadowRoot }) => shadowRoot)
  return inOwnRoots.length + document.querySelectorAll(".ev-plot").length === n
}"""
PROGRAM = "[data-testid=stCode] code, [data-testid=stExpander] [data-testid=stText]"


@pytest.fixture(scope="module")
def offline_window(browser: Browser) -> BrowserContext:
    """A window without a network, in whose process the scripts of saved pages are compiled once."""
    return chromium.window(browser, offline=True, viewport={"width": 1280, "height": 720})


@pytest.fixture
def alone(offline_window: BrowserContext, tmp_path: Path):
    """Open a saved page alone, from disk; afterwards nothing may have gone wrong there or been asked for elsewhere."""
    complaints: list[str] = []
    page = (offline_window.pages or [offline_window.new_page()])[0]
    end = watch(page, tmp_path.as_uri(), complaints)

    def open_alone(path: Path) -> Page:
        page.goto(path.as_uri())
        page.wait_for_function(ALL_ARE_THERE, arg=page.evaluate(N_PARTS))
        return page

    yield open_alone
    end()
    page.mouse.move(0, 0)
    assert complaints == []


def scroll_through(page: Page) -> None:
    """Figures below the window are drawn late."""
    for figure in page.locator(".ev-plot").all():
        figure.scroll_into_view_if_needed()
    expect(page.locator(".ev-plot:not([data-drawn])")).to_have_count(0)


@pytest.fixture(scope="module")
def strict_window(browser: Browser) -> BrowserContext:
    """A window that keeps to the site's own Content-Security-Policy, which forbids all that the site does not need.

    Nothing may be asked of its pages with wait_for_function, since that evaluates a text in the page.
    """
    return chromium.window(browser, viewport={"width": 1280, "height": 720})


@pytest.fixture
def strict(strict_window: BrowserContext, address: str):
    """Open a path of the app under its own policy; afterwards none of its rules may have been broken."""
    complaints: list[str] = []
    page = strict_window.new_page()
    watch(page, address, complaints)

    def open_page(path: str) -> Page:
        page.goto(address + path)
        return page

    yield open_page
    page.goto(address + EMPTY)
    if len(strict_window.pages) > 1:  # one stays, and with it the process that has the scripts
        page.close()
    assert complaints == []


@pytest.mark.parametrize(
    "figures_of",
    [
        {"/": 0, "/?view=pairs": 0, "/tokenizers": 0, "/?view=map": 1, "/batches": 0, "/positions?view=Adding": 0},
        {"/lookup?ids=5%2C+1%2C+5": 1, "/positions?view=table": 1, "/relative": 1, "/attention?causal=true": 3,
         f"/training?{TRAINED}": 2},
    ],
    ids=["Compare and pages of words", "pages of figures"],
)  # fmt: skip
def test_every_page_breaks_no_rule_and_shows_the_same_alone(figures_of, strict, alone, tmp_path):
    page = None
    for path, n_figures in figures_of.items():
        if page:
            come_back(page, path)
        else:
            page = strict(path)
        expect(page.locator(PROGRAM).first).to_be_attached()
        page.evaluate(RESTS, chromium.HANGS)
        expect(page.locator(".ev-plot")).to_have_count(n_figures)
        shows_the_same_alone(page, n_figures, alone, tmp_path)


def shows_the_same_alone(page: Page, n_figures: int, alone: Callable[[Path], Page], folder: Path) -> None:
    """The page, saved as a file, has the same words, numbers and program."""
    scroll_through(page)
    open_panel(page)
    file = alone(saved(page, "Save page as HTML", folder))
    page.keyboard.press("Escape")
    expect(file.locator(".ev-plot")).to_have_count(n_figures)
    scroll_through(file)
    assert file.evaluate(NUMBERS) == page.evaluate(NUMBERS)
    said = file.evaluate(WORDS)
    assert said
    assert page.evaluate(COMES_TO_SAY, [said, chromium.HANGS]) == said
    program = page.locator(PROGRAM).all_text_contents()
    assert file.locator("details pre").all_text_contents() == program


@pytest.mark.parametrize(
    "late",
    [
        ("/batches", "batches/windows", ".windows table", 2),
        ("/positions?view=table", "plot/plot", ".ev-plot[data-drawn]", 1),
    ],
)
def test_a_part_whose_script_is_still_on_its_way_is_saved_too(visit, alone, tmp_path, late):
    path, script, drawn, count = late
    page = visit(EMPTY, drawn=False, new=True)
    held: list[Route] = []
    page.route(f"**/{script}.js", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(f"**/{script}.js"):
        page.goto(page.url.replace(EMPTY, path))
    expect(page.locator(PROGRAM).first).to_be_attached()
    expect(page.locator(COMING)).to_have_count(1)
    expect(page.locator(drawn)).to_have_count(0)
    open_panel(page)
    file = alone(saved(page, "Save page as HTML", tmp_path))
    expect(file.locator(drawn)).to_have_count(count)
    held[0].continue_()
    expect(page.locator(drawn)).to_have_count(count)


def test_the_saved_page_opens_from_disk_without_a_network_and_shows_the_same_numbers(visit, alone, tmp_path):
    page = visit("/?view=map&a=dog+bites+man&b=man+bites+%3C%2Fscript%3E&output_dim=8")
    open_panel(page)
    path = saved(page, "Save page as HTML", tmp_path)
    assert path.name == "embedviz-compare.html"
    page.mouse.move(1, 1)
    file = alone(path)
    expect(file.locator(".ev-plot[data-drawn]")).to_have_count(1)
    assert file.evaluate(NUMBERS) == page.evaluate(NUMBERS)
    says_the_same(file, page)
    page.get_by_role("radio", name="Pairs").click()  # which closes the panel
    settle(page)
    open_panel(page)
    path = saved(page, "Save page as HTML", tmp_path)
    page.mouse.move(1, 1)
    file = alone(path)
    expect(file.locator(".st-key-strips [data-drawn], .strips canvas").first).to_be_attached()
    says_the_same(file, page)
    expect(file.locator(".order .tools")).to_be_hidden()  # nobody is there to answer
    file.get_by_role("button", name="position 1: ␣bites").first.hover()
    assert file.locator("button.lit").count() == 2


# What each element says, without links to challenges, which lead nowhere from a file.
_SAID = """all => all.map((one) => {
  const copy = one.cloneNode(true)
  copy.querySelectorAll("a").forEach((link) => link.remove())
  return copy.textContent.trim()
})"""


def says_the_same(file: Page, page: Page) -> None:
    headline = page.get_by_role("heading", level=1).inner_text()
    assert file.get_by_role("heading", level=1).inner_text() == headline
    for texts in ("section h2", "section p", "ol .text", "ol .id"):
        assert file.locator(texts).evaluate_all(_SAID) == page.locator(texts).evaluate_all(_SAID)


def test_a_map_alone_has_its_points_and_names_what_is_pointed_at(visit, alone, tmp_path):
    page = visit("/vocabulary?tokenizer=o200k_base&output_dim=16", drawn=False)
    page.wait_for_selector(".map[data-points='200019']")
    settle(page)
    page.mouse.move(1, 1)
    open_panel(page)
    path = saved(page, "Save page as HTML", tmp_path)
    assert path.stat().st_size < 10_000_000
    file = alone(path)
    map_ = file.locator(".map[data-points='200019']")
    expect(map_).to_be_visible()
    assert map_.get_attribute("aria-label") == page.locator(".map").get_attribute("aria-label")
    picture = np.asarray(Image.open(io.BytesIO(map_.screenshot())).convert("RGB")).astype(int)
    assert (np.abs(picture - picture[3, picture.shape[1] // 2]).sum(axis=2) > 40).sum() > 20_000
    before = map_.screenshot()
    box = map_.bounding_box()
    file.evaluate("document.addEventListener('embedviz:hover', ({ detail }) => (window.hovered = detail.ids))")
    file.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(map_).to_have_css("cursor", "pointer")
    assert file.evaluate("window.hovered.length") == 1
    assert map_.screenshot() != before  # its name stands on the map now
    drawn = int(map_.get_attribute("data-drawn"))
    file.get_by_role("button", name="Zoom in").click()
    expect(map_).not_to_have_attribute("data-drawn", str(drawn))


def test_the_map_breaks_no_rule_and_is_saved_from_the_panel(strict, tmp_path):
    page = strict("/vocabulary?tokenizer=words&output_dim=8")
    expect(page.locator(".map[data-points]")).to_be_visible()
    page.evaluate(RESTS, chromium.HANGS)
    open_panel(page)
    assert saved(page, "Save page as HTML", tmp_path).stat().st_size > 10_000
    picture = Image.open(saved(page, "PNG: Map of", tmp_path))
    page.evaluate(RESTS, chromium.HANGS)
    box = page.locator(".map").bounding_box()
    assert picture.width == pytest.approx(box["width"], abs=3)
    colours = np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)
    assert len(colours) > 50
    assert saved(page, "SVG: Map of", tmp_path).read_text().startswith("<svg")


def test_program_and_vectors_are_saved_from_the_panel_by_keyboard(visit, tmp_path):
    page = visit("/?view=pairs&a=%3D1%2B1&b=dog+bites+man&output_dim=8", drawn=False)
    expect(
        page.get_by_role("combobox", name="Language").locator("option").first
    ).to_be_attached()  # the script is there
    settle(page)
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    files = {}
    for name in ("Notebook: Program", "CSV: Vectors", "NPZ: Vectors"):
        page.get_by_role("button", name=name).focus()
        with page.expect_download() as download:
            page.keyboard.press("Enter")
        assert download.value.suggested_filename.startswith("embedviz-where-does-word-order-enter.")
        download.value.save_as(tmp_path / name)
        files[name[:3]] = (tmp_path / name).read_bytes()
    notebook = nbformat.reads(files["Not"].decode(), as_version=4)
    nbformat.validate(notebook)
    assert any("' =1+1'" in cell.source for cell in notebook.cells)
    expected = ev.embed("=1+1", ev.Spec(output_dim=8))
    first = next(csv.DictReader(io.StringIO(files["CSV"].decode("utf-8-sig"), newline="")))
    assert json.loads(first["token"]) == expected.tokens.texts[0]
    numbers = np.array([first[str(n)] for n in range(8)], np.float32)
    assert numbers.tobytes() == expected.token_embeddings[0].tobytes()
    with np.load(io.BytesIO(files["NPZ"]), allow_pickle=False) as arrays:
        assert np.array_equal(arrays["A_token_embeddings"], expected.token_embeddings)


def test_files_are_those_of_the_last_edit(visit, alone, tmp_path):
    page = visit("/?view=pairs&output_dim=8", drawn=False)
    page.get_by_role("textbox", name="Sentence A").fill("a new one")
    expect(page.get_by_role("button", name="position 2: ␣one").first).to_be_visible()
    settle(page)
    open_panel(page)
    found = saved(page, "CSV: Vectors", tmp_path).read_text(encoding="utf-8-sig")
    rows = [row for row in csv.DictReader(io.StringIO(found, newline="")) if row["sentence"] == "A"]
    assert [json.loads(row["token"]) for row in rows[:3]] == [" a", " new", " one"]
    file = alone(saved(page, "Save page as HTML", tmp_path))
    tokens = file.get_by_role("list", name="Tokens of A").locator(".text")
    expect(tokens).to_have_text(["␣a", "␣new", "␣one"])
    scroll_through(file)


def test_axe_finds_nothing_where_files_are_offered(visit):
    page = visit("/positions?view=table", drawn=False)
    page.get_by_text("Show the PyTorch code").click()
    expect(page.get_by_role("button", name="Vectors (NPZ)")).to_be_visible()
    expect(page.locator("[data-testid=stCode] .token").first).to_be_visible()
    open_panel(page)
    expect(page.get_by_role("button", name="NPZ: Vectors")).to_be_visible()
    expect(page.get_by_role("group", name="Program")).to_have_attribute("tabindex", "0")
    for size, theme in ((access.WIDE, "light"), (access.PHONE, "dark")):
        access.resize(page, size, theme)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= size[0]
        page.locator("h1").scroll_into_view_if_needed()  # where the panel hides no half of a word of the program
        access.check_axe(page)
