"""Projection mode, hidden controls and the QR code, in a real browser."""

import io

import numpy as np
import pytest
import zxingcpp
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Page, expect

SIZES = [(1280, 720), (1920, 1080), (1024, 768)]
# Each page and view with what is there once it is drawn.
FIGURE, MAP = ".ev-plot[data-drawn]", ".st-key-cloud .map[data-drawn]"
VIEWS = {
    "/?": FIGURE,
    "/lookup?": FIGURE,
    "/lookup?show=One-hot&": FIGURE,
    "/lookup?show=Mistakes&": FIGURE,
    "/lookup?show=Positions&": FIGURE,
    "/lookup?show=Sizes&": ".st-key-sizes table",
    "/tokenizers?": ".st-key-findings h2",
    "/batches?": ".st-key-windows table",
    "/batches?part=Shapes&": FIGURE,
    "/batches?part=Padding&": ".st-key-real_1 .pad, .st-key-real_1 button",
    "/positions?": FIGURE,
    "/positions?view=Pairs&": FIGURE,
    "/positions?view=Similarity&": FIGURE,
    "/positions?view=Side+by+side&": FIGURE,
    "/positions?view=Past+the+end&": FIGURE,
    "/positions?view=Adding&": ".st-key-nearest h2",
    "/relative?": FIGURE,
    "/relative?relative=Shift+test&": FIGURE,
    "/relative?relative=By+distance&": FIGURE,
    "/relative?relative=Longer+texts&": FIGURE,
    "/relative?relative=Which+one&": ".st-key-schemes table",
    "/attention?": FIGURE,
    "/training?": FIGURE,
    "/training?part=Positions&": FIGURE,
    "/training?part=Order&": ".st-key-order .ev-plot[data-drawn], [data-testid=stAlert]",
    "/vocabulary?": MAP,
    "/vocabulary?list=With+a+position&": MAP,
    "/vocabulary?list=Search&find=cat&": MAP,
}
# Every element with a text of its own that can be seen, and its font size; also in shadow trees.
SMALL = """() => {
  const found = []
  const visit = (element) => {
    const parts = [...(element.shadowRoot?.children ?? []), ...element.children]
    parts.forEach(visit)
    if (["STYLE", "SCRIPT", "TITLE"].includes(element.tagName)) return
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
    const box = element.getBoundingClientRect()
    if (!own || !box.width || !box.height || getComputedStyle(element).visibility === "hidden") return
    const size = parseFloat(getComputedStyle(element).fontSize)
    if (size < 17.99) found.push(`${size} px: ${element.textContent.slice(0, 40)}`)
  }
  visit(document.body)
  return found
}"""
OVER = """() => [document.scrollingElement, document.querySelector("[data-testid=stMain]")].flatMap(
  (part) => [part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight])"""
# Controls that can be seen, apart from those in the corner and the ones that a figure has itself.
CONTROLS = """() => [...document.querySelectorAll("input, textarea, summary, [role=radio], [role=combobox]")]
  .filter((control) => control.offsetParent !== null).map((control) => control.outerHTML.slice(0, 80))"""
# Words of a figure that are cut off at its edge.
CUT = """() => [...document.querySelectorAll(".ev-plot")].flatMap((plot) => {
  const edge = plot.getBoundingClientRect()
  return [...plot.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect()
    return box.width > 0 && text.textContent.trim() && (box.left < edge.left - 1.5 || box.right > edge.right + 1.5
      || box.top < edge.top - 1.5 || box.bottom > edge.bottom + 1.5)
  }).map((text) => text.textContent)
})"""

# A figure is drawn anew for another size in a later step.
FITS = """() => [...document.querySelectorAll(".ev-plot[data-drawn]")].every(
  (plot) => Math.abs(plot._fullLayout.width - plot.clientWidth) < 2
    && Math.abs(plot._fullLayout.height - plot.clientHeight) < 2)"""


def present(visit, view: str, width: int = 1280, height: int = 720, theme: str = "light") -> Page:
    page = visit(f"{view}present=1", width, height, theme, drawn=False)
    page.locator(VIEWS[view]).first.wait_for()
    page.wait_for_function("matchMedia('(min-width: 1px)').matches && !document.querySelector('[data-stale=true]')")
    return page


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_fills_the_screen_in_large_type_without_scrolling(visit, view):
    page = present(visit, view, theme="dark" if len(view) % 2 else "light")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"({OVER})().every((over) => over <= 0)", timeout=5000)
        page.wait_for_function(FITS, timeout=5000)
        assert page.evaluate(SMALL) == []
        assert page.evaluate(CUT) == []
        assert page.evaluate(CONTROLS) == []
        for figure in page.locator(".ev-plot").all():
            expect(figure).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", ["/?", "/lookup?", "/tokenizers?", "/batches?", "/positions?", "/relative?",
                                  "/attention?", "/training?", "/vocabulary?"])  # fmt: skip
def test_axe_finds_nothing_at_all_in_projection(visit, view, theme):
    page = present(visit, view, theme=theme)
    found = Axe().run(page).response["violations"]
    assert [(rule["id"], [node["html"][:200] for node in rule["nodes"]]) for rule in found] == []


def test_the_type_grows_with_the_screen(visit):
    sizes = [
        present(visit, "/?", *size).evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        for size in SIZES
    ]
    assert sizes == pytest.approx([24, 36, 24], abs=0.01)


def test_lines_and_markers_are_as_much_thicker_as_the_type_is_larger(visit):
    line = "() => [...document.querySelectorAll('.ev-plot path.js-line')].map((l) => parseFloat(l.style.strokeWidth))"
    usual = visit("/positions?view=Pairs", drawn=False)
    usual.locator(FIGURE).wait_for()
    large = present(visit, "/positions?view=Pairs&")
    assert large.evaluate(line) == [1.5 * width for width in usual.evaluate(line)] != []


def test_the_mode_is_entered_from_the_panel_and_left_by_its_button_and_by_escape(visit):
    page = visit("/?seed=7")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Project", exact=True).click()
    leave = page.get_by_role("button", name="Leave projection")
    expect(leave).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.wait_for_url("**/?*present=1*")
    assert "seed=7" in page.url
    leave.click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()
    expect(leave).to_be_hidden()
    assert "present" not in page.url
    assert "seed=7" in page.url
    page.goto(page.url + "&present=1")
    expect(leave).to_be_visible()
    page.locator(FIGURE).first.wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()
    assert "present" not in page.url


def test_escape_closes_what_is_open_before_it_leaves(visit):
    page = present(visit, "/?")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="QR code").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="QR code")).to_be_hidden()
    assert "present=1" in page.url
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()


def test_addresses_are_short_since_what_has_its_default_value_is_left_out_of_them(visit):
    page = visit("/?output_dim=256&seed=123&tokenizer=gpt2&a=the+cat+sat+on+the+mat&position_scale=2")
    page.wait_for_function("!location.search.includes('seed')")
    assert page.url.split("?")[1] == "position_scale=2"


def test_what_a_page_has_to_be_asked_for_can_be_asked_for_in_projection(visit):
    page = visit("/training?seed=5&present=1", drawn=False)
    button = page.get_by_role("button", name="Train", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    corner = page.get_by_role("button", name="Leave projection").bounding_box()
    assert button.bounding_box()["y"] >= corner["y"] + corner["height"]


def test_the_mode_survives_a_change_of_the_page(visit):
    page = visit("/?present=1", drawn=False)
    page.locator(FIGURE).first.wait_for()
    page.evaluate("document.querySelector('[data-testid=stTopNavLink][href*=lookup]').click()")
    expect(page.get_by_role("heading", name="An embedding layer is a lookup")).to_be_visible()
    page.wait_for_url("**/lookup?*present=1*")
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_role("button", name="Leave projection")).to_be_visible()


def test_hidden_controls_are_gone_with_their_columns_and_keep_their_values(visit):
    page = visit("/?hide=tokenizer,more,pair,nonsense&output_dim=8")
    expect(page.get_by_role("combobox", name="Positions")).to_be_visible()
    for name in ("Tokenizer", "Ready pairs"):
        expect(page.get_by_role("combobox", name=name)).to_have_count(0)
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    assert page.locator(".ev-plot").first.evaluate("plot => plot.data[0].z[0].length") == 8
    column = page.locator("[data-testid=stColumn]:has(> [data-testid=stVerticalBlock] > .st-key-tokenizer)")
    expect(column).to_be_hidden()
    page.get_by_role("textbox", name="Sentence A").fill("dog bites man")
    expect(page.get_by_role("button", name="position 1: ␣bites")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_count(0)


def test_a_link_without_controls_is_copied_and_shows_the_same_page_without_them(visit):
    page = visit("/?seed=7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link without controls").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "hide=all" in copied
    assert "seed=7" in copied
    seen = page.evaluate("[...document.querySelectorAll('.ev-plot')].map(plot => [...plot.data[0].z?.[0] ?? []])")
    page.goto(copied)
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 3")
    assert page.evaluate(CONTROLS) == []
    assert (
        page.evaluate("[...document.querySelectorAll('.ev-plot')].map(plot => [...plot.data[0].z?.[0] ?? []])") == seen
    )


def scanned(page: Page) -> str:
    """What a camera reads that sees the whole screen."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    [found] = zxingcpp.read_barcodes(np.asarray(picture), formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("present", ["", "&present=1"])
def test_a_hall_can_scan_the_address_of_the_view(visit, theme, present):
    page = visit(f"/?a=dog+bites+man&b=%3Cb%3E+%26+%22%E7%8C%AB{present}", theme=theme, drawn=not present)
    page.locator(FIGURE).first.wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="QR code").click()
    dialog = page.get_by_role("dialog", name="Scan to open this view")
    code = dialog.get_by_role("img", name="QR code")
    expect(code).to_be_in_viewport(ratio=1)
    drawn = code.locator("path").bounding_box()  # without the white margin
    assert min(drawn["width"], drawn["height"]) >= 0.6 * 720
    said = dialog.get_by_role("group", name="Address").text_content()
    assert scanned(page) == said
    assert said == page.url.replace("&present=1", "").replace("present=1&", "")  # a phone is no projector
    size = dialog.get_by_role("group", name="Address").evaluate("text => parseFloat(getComputedStyle(text).fontSize)")
    assert size >= (18 if present else 16)
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Close").first.click()
    expect(dialog).to_be_hidden()


def test_an_address_that_does_not_fit_is_said_to_be_too_long_and_shown_as_text(visit):
    page = visit(f"/?a={'%F0%9F%90%88' * 250}&b=x", drawn=False)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="QR code").click()
    dialog = page.get_by_role("dialog", name="Scan to open this view")
    expect(dialog.get_by_text("do not fit into a QR code, which holds 2,953 at most")).to_be_visible()
    expect(dialog.get_by_role("img")).to_be_hidden()
    assert dialog.get_by_role("group", name="Address").text_content() == page.url[:4000]
