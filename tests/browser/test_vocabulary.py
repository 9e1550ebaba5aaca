"""The page "Vocabulary" as a person sees it."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from embedviz.ui.components.component import ASSETS_PATH
from embedviz.vocabulary.word_map import word_map
from tests.browser.views import outline, settle, through_menu


@pytest.fixture
def open_map(visit):
    """Open the page and wait until its points are drawn."""

    def open_map(query: str = "?source=random", **window) -> Page:
        page = visit(f"/vocabulary{query}", drawn=False, **window)
        page.wait_for_selector(".map[data-points]")
        return page

    return open_map


def data(page: Page) -> dict[str, str]:
    return page.locator(".map").evaluate("map => ({...map.dataset})")


def watch(page: Page) -> list[int]:
    """Bytes of each message that comes from the server from now on, once the page is loaded again."""
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda message: received.append(len(message))))
    return received


def ink(page: Page) -> int:
    """How many pixels of the map's picture are not background."""
    picture = np.asarray(Image.open(io.BytesIO(page.locator(".map").screenshot())).convert("RGB")).astype(int)
    return int((np.abs(picture - picture[3, picture.shape[1] // 2]).sum(axis=2) > 40).sum())


def test_all_tokens_are_drawn_on_webgl_on_one_screen_and_the_keyboard_moves_them(open_map):
    page = open_map()
    assert (data(page)["points"], data(page)["by"]) == ("50257", "webgl")
    expect(page.locator(".map")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Download")).to_be_in_viewport(ratio=1)
    assert ink(page) > 20_000
    the_keyboard_moves_the_map(page)


def test_selecting_searching_and_moving_send_no_point_again(open_map):
    page = open_map(new=True)
    settle(page)
    received = watch(page)
    page.reload()
    page.wait_for_selector(".map[data-points]")
    settle(page)
    assert sum(received) > 50_257 * 2 * 4  # the points, once
    received.clear()
    page.get_by_role("button", name="␣Few").click()
    expect(page.get_by_role("textbox", name="Token")).to_have_value("␣Few")
    page.get_by_role("textbox", name="Token").fill("ificat")
    expect(page.locator(".map")).to_have_attribute("data-lit", "32")
    box = outline(page.locator(".map"))
    drawn = data(page)["drawn"]
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(0, -300)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 230, steps=3)
    page.mouse.up()
    settle(page)
    assert data(page)["sent"] == "1"
    assert int(data(page)["drawn"]) >= int(drawn) + 2
    assert 0 < sum(received) < 100_000


def test_a_click_on_a_point_picks_it_and_the_address_holds_it(open_map):
    page = open_map("?source=random&token=%E2%90%A3ca&alone=false")
    page.get_by_role("list", name="tokens have").get_by_role("button", name="␣cat", exact=False).first.click()
    expect(page.get_by_role("textbox", name="Token")).to_have_value("␣cat")
    expect(page.get_by_role("heading", name="Nearest to ␣cat (ID 3797)")).to_be_visible()
    box = outline(page.locator(".map"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("textbox", name="Token")).not_to_have_value("␣cat")
    page.wait_for_url(re.compile("token="))
    name = page.get_by_role("textbox", name="Token").input_value()
    page.reload()
    page.wait_for_selector(".map[data-points]")
    expect(page.get_by_role("textbox", name="Token")).to_have_value(name)


def test_what_the_page_opens_on_is_in_the_address_and_is_taken_nowhere(open_map):
    page = open_map("", new=True)
    page.wait_for_url(re.compile(r"/vocabulary\?source=minilm-words$"))
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Without positions, one layer gives")).to_be_visible()
    assert "source" not in page.url


def test_a_link_to_the_map_of_words_takes_it_to_no_other_page(open_map):
    page = open_map("?source=minilm-words&token=dog", new=True)
    assert data(page)["points"] == "15000"
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Without positions, one layer gives")).to_be_visible()
    assert "source" not in page.url


def test_random_vectors_are_still_there_after_another_page(open_map):
    page = open_map("?source=trained", new=True)
    page.get_by_text("Random vectors", exact=True).click()
    page.wait_for_url(re.compile("source=random"))
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="6 of 6 token vectors of A are in B too")).to_be_visible()
    through_menu(page, "Vocabulary")
    expect(page.get_by_role("switch", name="Random vectors")).to_be_checked()
    assert "source=random" in page.url


# Streamlit tells a part of its end only a while after it has taken it off the page.
AWAY = """() => {
  const part = document.querySelector(".st-key-cloud .stBidiComponent"), place = document.createComment("")
  part.replaceWith(place)
  document.dispatchEvent(new CustomEvent("embedviz:cloud"))
  place.replaceWith(part)
}"""
# What the panel waits for before it says what can be taken along.
PANEL = """path => Promise.all(['share/taking', 'plot/pictures'].map(
  (name) => import(`${path}/embedviz/ui/components/${name}.js`)))"""


def test_a_map_that_has_left_the_page_may_still_hear_of_other_marks(open_map):
    page = open_map("?tokenizer=words")
    settle(page)
    page.evaluate(AWAY)


def test_before_its_marks_have_come_a_map_is_neither_saved_nor_offered_for_saving(open_map):
    page = open_map("?tokenizer=words", new=True)
    held: list[Route] = []
    page.route("**/cloud/marks.js", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/cloud/marks.js"):
        page.reload()
    page.get_by_role("button", name="Save the map as SVG").click()
    page.get_by_role("button", name="Share", exact=True).click()
    page.evaluate(PANEL, ASSETS_PATH)
    expect(page.get_by_role("button", name="SVG: Map of")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_role("button", name="SVG: Map of")).to_be_visible()


def test_a_hostile_token_stays_text(open_map):
    page = open_map("?token=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&tokenizer=words")
    expect(page.get_by_text("is not one token of words")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_the_table_has_what_is_lit(open_map):
    page = open_map("?source=trained")
    page.get_by_role("button", name="Show the map as a table").click()
    expect(page.locator("dialog tbody tr")).to_have_count(11)  # cat and its neighbours, which are lit


# The first and the last point of each line that is drawn from now on, in pixels of the map.
DRAWN = """() => {
  const { moveTo, lineTo } = CanvasRenderingContext2D.prototype
  window.drawn = []
  let from
  CanvasRenderingContext2D.prototype.moveTo = function (...at) { from = at; return moveTo.apply(this, at) }
  CanvasRenderingContext2D.prototype.lineTo = function (...at) {
    window.drawn.push([from, at])
    return lineTo.apply(this, at)
  }
}"""


def places(page: Page, points: np.ndarray, lit: list[int]) -> np.ndarray:
    """Where each point stands in the map that shows all of it: as large as fits, its middle in the middle."""
    width, height = page.locator(".map").evaluate("map => [map.clientWidth, map.clientHeight]")
    step = max(1, len(points) // 5000)
    seen = np.sort(points[::step], axis=0)
    cut = int(len(seen) * (1 - 0.998) / 2 + 1e-9)
    low = np.minimum(seen[cut], points[lit].min(axis=0))
    high = np.maximum(seen[len(seen) - 1 - cut], points[lit].max(axis=0))
    scale = 0.92 * min(np.array([width, height]) / (high - low))
    return np.array([width, height]) / 2 + scale * (points - (low + high) / 2) * [1, -1]


def test_lines_lead_from_the_word_to_the_places_of_the_neighbours_that_the_headline_names(open_map):
    """Where these places are is computed here, from the file that comes with the app."""
    page, known = open_map(""), word_map()
    settle(page)
    page.evaluate(DRAWN)
    page.get_by_role("textbox", name="Token").fill("dog")
    expect(page.get_by_role("heading", level=1, name="Nearest to dog")).to_be_visible()
    page.get_by_role("button", name="Zoom in").click()
    page.evaluate("window.drawn.length = 0")
    page.locator(".map").press("0")
    settle(page)
    id_ = known.tokens.find("dog")
    rows = np.searchsorted(known.points.ids, [id_, *known.near(id_).ids])
    own, *others = places(page, known.points.points, rows)[rows]
    lines = np.array(page.evaluate("window.drawn"))[:, :, None]
    apart = [np.abs(lines - np.stack([own, each])[None, :, None]).max(axis=(1, 2, 3)).min() for each in others]
    assert max(apart[:3]) < 0.5
    from_own = lines[np.abs(lines[:, 0, 0] - own).max(axis=1) < 0.5]
    ends = np.unique(from_own[:, 1, 0], axis=0)
    assert len(ends) <= 6  # of each of the three its place, and its name if this stands away from it


def test_a_picture_of_the_map_has_the_lines_too(open_map):
    page = open_map("?source=trained")
    settle(page)
    drawing = downloaded(page, "Save the map as SVG", "vocabulary.svg").decode()
    (path,) = re.findall(r'<path class="near"[^>]* d="([^"]*)"', drawing)
    starts, ends = zip(*(each.split("L") for each in path.split("M")[1:]), strict=True)
    assert starts[:3] == starts[:1] * 3
    assert len(set(ends[:3])) == 3
    page.get_by_role("textbox", name="Token").fill("ca")
    expect(page.locator(".map")).to_have_attribute("data-lit", "1")
    assert (
        ' d=""'
        in re.search(r'<path class="near".*?>', downloaded(page, "Save the map as SVG", "vocabulary.svg").decode())[0]
    )


def test_no_turn_of_the_wheel_empties_the_map_and_all_of_it_can_be_shown_again(open_map):
    """Four turns over the middle of a map whose points lie at its edges left an empty frame."""
    page = open_map("?source=trained")
    whole = page.get_by_role("button", name="Show all")
    expect(whole).to_be_hidden()
    box = outline(page.locator(".map"))
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(12):
        page.mouse.wheel(0, -200)
    expect(whole).to_be_visible()
    settle(page)
    assert ink(page) > 50
    whole.click()
    expect(whole).to_be_hidden()


def the_keyboard_moves_the_map(page: Page) -> None:
    page.locator(".map").focus()
    before = page.locator(".map").screenshot()
    for key in ("+", "+", "ArrowLeft"):
        page.keyboard.press(key)
    settle(page)
    moved = page.locator(".map").screenshot()
    assert moved != before
    page.keyboard.press("0")
    settle(page)
    assert page.locator(".map").screenshot() != moved


def test_the_map_is_saved_as_a_picture_its_vectors_as_a_file_and_its_program_is_shown_when_asked_for(open_map):
    page = open_map("?tokenizer=words&output_dim=8")
    settle(page)
    expect(page.locator("code")).to_have_count(0)
    page.get_by_text("Show the PyTorch code").click()
    expect(page.locator("code").first).to_contain_text("torch.nn.Embedding(589, 8)")
    expect(page.locator(".map")).to_have_attribute("data-sent", "1")
    picture = Image.open(io.BytesIO(downloaded(page, "Save the map as PNG", "vocabulary.png")))
    assert len(picture.getcolors(1 << 24)) > 30
    drawing = downloaded(page, "Save the map as SVG", "vocabulary.svg")
    assert drawing.count(b"h0") >= 589
    assert b"</svg>" in drawing
    page.get_by_role("button", name="Download").click()
    lines = downloaded(page, "vectors.tsv", "vectors.tsv").decode().splitlines()
    assert (len(lines), len(lines[0].split("\t"))) == (589, 8)


def downloaded(page: Page, button: str, name: str) -> bytes:
    """What the file of this name holds that the button gives."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=button).click()
    assert waiting.value.suggested_filename == name
    return waiting.value.path().read_bytes()


def test_without_webgl_the_map_is_drawn_all_the_same(visit):
    page = visit("/lookup", drawn=False, new=True)
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        " return kind === 'webgl2' ? null : get.call(this, kind, ...more) }"
    )
    page.goto(page.url.replace("lookup", "vocabulary?source=random"))
    page.wait_for_selector(".map[data-points]")
    assert data(page)["by"] == "canvas"
    assert ink(page) > 20_000
