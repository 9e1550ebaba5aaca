"""The page "Vocabulary" as a person sees it."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect


@pytest.fixture
def open_map(visit):
    """Open the page and wait until its points are drawn."""

    def open_map(query: str = "", **window) -> Page:
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


def test_all_tokens_are_drawn_on_webgl_on_one_screen(open_map):
    page = open_map()
    assert (data(page)["points"], data(page)["by"]) == ("50257", "webgl")
    expect(page.locator(".map")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Download")).to_be_in_viewport(ratio=1)
    assert ink(page) > 20_000


def test_selecting_searching_colouring_and_turning_send_no_point_again(open_map):
    page = open_map()
    page.wait_for_timeout(1500)
    received = watch(page)
    page.reload()
    page.wait_for_selector(".map[data-points]")
    page.wait_for_timeout(1500)
    assert sum(received) > 50_257 * 3 * 4  # the points, once
    received.clear()
    page.get_by_role("button", name="␣Few").click()
    expect(page.get_by_role("textbox", name="Token")).to_have_value("␣Few")
    page.get_by_text("Search", exact=True).click()
    page.get_by_role("textbox", name="Search the tokens").fill("dog")
    expect(page.locator(".map")).to_have_attribute("data-lit", "14")
    box = page.locator(".map").bounding_box()
    drawn = data(page)["drawn"]
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(0, -300)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 230, steps=3)
    page.mouse.up()
    page.wait_for_timeout(500)
    assert data(page)["sent"] == "1"
    assert int(data(page)["drawn"]) >= int(drawn) + 2
    assert 0 < sum(received) < 100_000


def test_a_click_on_a_point_picks_it_and_the_address_holds_it(open_map):
    page = open_map("?list=Search&find=%5E%20cat%24&regex=true&alone=false")
    expect(page.locator(".map")).to_have_attribute("data-lit", "1")
    page.get_by_role("button", name="␣cat").hover()
    page.get_by_role("button", name="␣cat").click()
    expect(page.get_by_role("textbox", name="Token")).to_have_value("␣cat")
    expect(page.get_by_role("heading", name="Nearest to ␣cat (ID 3797)")).to_be_visible()
    box = page.locator(".map").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("textbox", name="Token")).not_to_have_value("␣cat")
    page.wait_for_url(re.compile("token="))
    name = page.get_by_role("textbox", name="Token").input_value()
    page.reload()
    page.wait_for_selector(".map[data-points]")
    expect(page.get_by_role("textbox", name="Token")).to_have_value(name)


def test_the_keyboard_moves_the_map(open_map):
    page = open_map()
    page.locator(".map").focus()
    before = page.locator(".map").screenshot()
    for key in ("+", "+", "ArrowLeft"):
        page.keyboard.press(key)
    page.wait_for_timeout(300)
    moved = page.locator(".map").screenshot()
    assert moved != before
    page.keyboard.press("0")
    page.wait_for_timeout(300)
    assert page.locator(".map").screenshot() != moved


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_the_picture_is_saved(open_map, kind):
    page = open_map("?tokenizer=words")
    page.wait_for_timeout(500)
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Save the map as {kind}").click()
    content = waiting.value.path().read_bytes()
    assert waiting.value.suggested_filename == f"vocabulary.{kind.lower()}"
    if kind == "SVG":
        assert content.count(b"h0") >= 589
        assert b"</svg>" in content
    else:
        assert len(Image.open(io.BytesIO(content)).getcolors(1 << 24)) > 30


def test_the_files_are_made_when_asked_for(open_map):
    page = open_map("?tokenizer=words&output_dim=8")
    page.get_by_role("button", name="Download").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="vectors.tsv").click()
    lines = waiting.value.path().read_text().splitlines()
    assert (len(lines), len(lines[0].split("\t"))) == (589, 8)


def test_without_webgl_the_map_is_drawn_all_the_same(visit):
    page = visit("/lookup", drawn=False)
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...more) {"
        " return kind === 'webgl2' ? null : get.call(this, kind, ...more) }"
    )
    page.goto(page.url.replace("lookup", "vocabulary"))
    page.wait_for_selector(".map[data-points]")
    assert data(page)["by"] == "canvas"
    assert ink(page) > 20_000


def test_hostile_tokens_stay_text(open_map):
    page = open_map("?list=Search&find=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&tokenizer=o200k_base")
    expect(page.get_by_role("heading", name="0 tokens")).to_be_visible()
    assert page.locator("img[src=x]").count() == 0


def test_the_program_is_shown_when_asked_for(open_map):
    page = open_map("?tokenizer=words")
    expect(page.locator("code")).to_have_count(0)
    page.get_by_text("Show the PyTorch").click()
    expect(page.locator("code").first).to_contain_text("torch.nn.Embedding(589, 256)")
    expect(page.locator(".map")).to_have_attribute("data-sent", "1")
