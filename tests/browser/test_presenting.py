"""Projection mode, hidden controls and the QR code, in a real browser."""

import io
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from embedviz import __version__
from embedviz.ui.components.component import ASSETS_PATH
from tests.browser import projection
from tests.browser.access import PHONE, check_axe, check_layout
from tests.browser.test_loader import packed_cards
from tests.browser.views import DRAWN, TRAINED, VIEWS, arrive, come_back, outline, settle

# A view of two slides: the picture alone, and with the title of a finding.
TWO_SLIDES = "/?view=pairs&a=dog+bites+man&b=man+bites+a+dog&"


def present(visit, view: str, width: int = 1280, height: int = 720, theme: str = "light") -> Page:
    page = visit(f"{view}present=1", width, height, theme, drawn=False)
    page.locator(DRAWN).first.wait_for(state="attached")
    settle(page)
    return page


# A part of a page as Streamlit draws it, whose shadow tree comes later than the part, and its content later still.
_LATE_PART = """async ({ path, packed }) => {
  const { element } = await import(`${path}/embedviz/ui/components/shared/elements.js`)
  const { render } = await import(`${path}/embedviz/ui/components/cards/cards.js`)
  const { unpack } = await import(`${path}/embedviz/ui/components/shared/payload.js`)
  const host = element("div")
  host.dataset.testid = "stBidiComponentIsolated"
  const part = element("div", [element("div", [host], "stBidiComponent")], "st-key-cards_late")
  part.dataset.testid = "stElementContainer"
  document.querySelector("[class*=st-key-frame_slide_]").append(part)
  await new Promise((resolve) => setTimeout(resolve)) // by then the slides are counted without it
  host.attachShadow({ mode: "open" }).append(element("div", [element("div", "", "cards")]))
  Object.assign(host.dataset, { ideas: "section", loaded: "" }) // as the loader does
  const data = unpack(Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0)))
  render({ parentElement: host.shadowRoot.firstChild, data })
}"""


# Whatever state the page's script comes into from now on.
_NOTE_RUNS = """() => {
  window.runs = []
  new MutationObserver(([{ target }]) => window.runs.push(target.dataset.testScriptState))
    .observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] })
}"""


# How many frames show the title before the style of projection is there, which moves all of it.
_EARLY = """
window.early = 0
const look = () => {
  const isSeen = document.querySelector("h1")?.checkVisibility({ visibilityProperty: true })
  window.early += Boolean(isSeen && !getComputedStyle(document.documentElement).getPropertyValue("--ev-faint"))
  requestAnimationFrame(look)
}
look()
"""


def test_nothing_is_seen_before_it_stands_where_it_stays(visit):
    page = visit("/", drawn=False, new=True)
    page.add_init_script(_EARLY)
    for path in ("/?present=1", "/tour?present=1", "/next_word?present=1&sentences=own&small_a="):
        come_back(page, path)
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        settle(page)
        assert page.evaluate("window.early") == 0


def test_the_foot_says_the_version_and_a_slide_does_not(visit):
    page = visit("/lookup")
    said = "foot => getComputedStyle(foot, '::after').content"
    assert page.eval_on_selector(".st-key-frame_foot", said) == f'"embedviz {__version__}"'
    come_back(page, "/lookup?present=1")
    settle(page)
    assert page.eval_on_selector(".st-key-frame_foot", said) == "none"


def test_lines_and_markers_are_as_much_thicker_as_the_type_is_larger(visit):
    line = "() => [...document.querySelectorAll('.ev-plot path.js-line')].map((l) => parseFloat(l.style.strokeWidth))"
    page = visit("/positions?view=Pairs", drawn=False)
    page.locator(DRAWN).wait_for()
    usual = page.evaluate(line)
    come_back(page, "/positions?view=Pairs&present=1")
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()
    settle(page)
    assert page.evaluate(line) == [2.3 * width for width in usual] != []


# Of each mark in a legend, how far its middle is from the middle of the room before its name, and its height, both as
# shares of the type's size.
_MARKS = """() => [...document.querySelectorAll(".ev-plot .legend .traces")].flatMap((entry) => {
  const [mark, name] = [entry.querySelector(".legendpoints path"), entry.querySelector(".legendtext")]
  if (!mark) return []
  const [room, at] = [entry.querySelector(".legendtoggle"), mark].map((part) => part.getBoundingClientRect())
  const size = parseFloat(getComputedStyle(name).fontSize)
  const middle = (room.left + name.getBoundingClientRect().left) / 2
  return [[Math.abs(at.left + at.width / 2 - middle) / size, at.height / size]]
})"""


@pytest.mark.parametrize("path", ["/?view=map", "/models?view=measured", "/models?view=published"])
def test_the_marks_of_a_legend_grow_with_its_type_and_stand_before_its_names(visit, path):
    page = visit(path, drawn=False)
    page.locator(DRAWN).wait_for()
    legend = outline(page.locator(".ev-plot .legend"))
    come_back(page, f"{path}&present=1")
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()
    settle(page)
    marks = page.evaluate(_MARKS)
    assert marks
    assert all(away < 0.4 and 0.4 < height < 1.3 for away, height in marks), marks
    come_back(page, path)
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_hidden()
    settle(page)
    assert outline(page.locator(".ev-plot .legend")) == pytest.approx(legend, abs=1)


@pytest.mark.parametrize("path", ["/rope?view=turn&", "/next_word?sentences=own&"])
def test_a_pair_whose_words_the_model_lacks_leaves_room_for_the_picture(visit, path):
    page = present(visit, f"{path}a=only+I+love+you&b=I+love+only+you&", 1024, 768)
    expect(page.get_by_text("does not know all of these words")).to_be_visible()
    assert not any(projection.faults(page).values())


def test_the_signs_of_help_have_the_size_of_the_type_in_projection_and_after_it(visit):
    sizes = "() => [...document.querySelectorAll('[data-testid=stTooltipIcon] svg')].map((sign) => sign.clientWidth)"
    page = visit("/vocabulary?source=trained", drawn=False)
    page.locator(".map[data-points]").wait_for()
    for mode, size in (("&present=1", 36.8), ("", 16)):
        come_back(page, f"/vocabulary?source=trained{mode}")
        expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible(visible=bool(mode))
        settle(page)
        shown = [each for each in page.evaluate(sizes) if each]
        assert shown == pytest.approx([size] * len(shown), abs=1)
        assert shown


def test_the_mode_is_entered_from_the_panel_and_left_by_its_button_and_by_escape(visit):
    page = visit("/?view=pairs&seed=7")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Present", exact=True).click()
    leave = page.get_by_role("button", name="Leave the presentation")
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
    page.locator(DRAWN).first.wait_for(state="attached")
    settle(page)
    escape_closes_what_is_open_before_it_leaves(page)
    assert "present" not in page.url


# Heights that figures are told to have from now on.
_NOTE_HEIGHTS = """() => {
  const { react } = Plotly
  window.heights = []
  Plotly.react = (root, data, layout, config) => {
    window.heights.push(layout.height)
    return react(root, data, layout, config)
  }
}"""


def test_on_the_way_back_out_of_projection_no_figure_is_squeezed(visit):
    page = visit(f"/training?{TRAINED}", drawn=False, new=True)
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(2)
    projection.enter(page)
    settle(page)
    page.evaluate(_NOTE_HEIGHTS)
    page.go_back()
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_hidden()
    settle(page)
    usual = page.locator(".ev-plot").evaluate_all("plots => plots.map(plot => plot.clientHeight)")
    assert set(page.evaluate("window.heights")) == set(usual)


def test_on_a_phone_a_projection_has_the_type_and_the_layouts_of_a_phone(visit):
    page = visit("/?present=1", *PHONE, drawn=False)
    for name in ("compare whole", "compare pairs", "models published", "training words"):
        path = VIEWS[name][0]
        come_back(page, f"{path}{'&' if '?' in path else '?'}present=1")
        arrive(page, name)
        check_layout(page)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "16px"
        title = page.get_by_role("heading", level=1)
        assert title.bounding_box()["width"] > 0.8 * PHONE[0]


def escape_closes_what_is_open_before_it_leaves(page: Page) -> None:
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
    page = visit("/?view=pairs&output_dim=256&seed=123&tokenizer=gpt2&a=the+cat+sat+on+the+mat&position_scale=2")
    page.wait_for_function("!location.search.includes('seed')")
    assert page.url.split("?")[1] == "position_scale=2"


def test_what_a_page_has_to_be_asked_for_can_be_asked_for_in_projection(visit):
    page = visit("/training?seed=5&present=1", drawn=False)
    button = page.get_by_role("button", name="Train", exact=True)
    expect(button).to_be_in_viewport(ratio=1)
    corner = page.get_by_role("button", name="Leave the presentation").bounding_box()
    assert button.bounding_box()["y"] >= corner["y"] + corner["height"]


def test_keys_and_buttons_lead_through_the_slides_of_a_view_and_on_to_the_next(visit):
    page = present(visit, TWO_SLIDES)
    before = page.evaluate("history.length")
    page.evaluate(_NOTE_RUNS)
    cards, pairs = page.locator("[class*=st-key-cards_] section"), page.locator(".st-key-strips")
    mark = page.get_by_role("navigation", name="Slides")
    _at, total = projection.place(page)
    assert total == 2  # the lines between copies, and their vectors
    expect(cards.filter(visible=True)).to_have_count(0)
    expect(mark.get_by_role("status")).to_have_attribute("aria-live", "polite")
    the_first_key_adds_the_positions_and_one_that_leads_back_takes_them_away(page, total)
    for n, key in enumerate(["ArrowRight", "PageDown"] * total, 2):
        if n > total:
            break
        page.keyboard.press(key)
        assert projection.place(page) == (n, total)
        assert address_of(page).get("slide") == [str(n - 1)]
        expect(pairs).to_be_visible()
        expect(cards.filter(visible=True)).to_have_count(0)
    settle(page)
    assert page.evaluate("window.runs") == []  # a slide asks nothing of the server, and is no place in the history
    assert page.evaluate("history.length") == before
    slider = page.get_by_role("slider", name="Share of the positions")
    page.keyboard.press("ArrowRight")  # which adds them to this picture, too
    expect(slider).to_have_value("100")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**view=map*")
    settle(page)
    assert projection.place(page)[0] == 1
    assert "slide" not in address_of(page)
    mark.get_by_role("button", name="Previous slide").click()
    page.wait_for_url("**view=pairs*")
    settle(page)
    assert projection.place(page) == (total, total)
    page.keyboard.press("PageUp")  # from the button, which has the focus
    expect(slider).to_have_value("0")
    page.keyboard.press("PageUp")
    assert projection.place(page) == (total - 1, total)


def the_first_key_adds_the_positions_and_one_that_leads_back_takes_them_away(page: Page, total: int) -> None:
    slider = page.get_by_role("slider", name="Share of the positions")
    expect(slider).to_have_value("0")
    for key, share in (("ArrowRight", "100"), ("ArrowLeft", "0"), ("PageDown", "100")):
        page.keyboard.press(key)
        expect(slider).to_have_value(share)
        assert projection.place(page) == (1, total)


def test_a_key_after_a_click_on_a_slide_draws_no_mark_of_focus_over_it(visit):
    page = present(visit, "/?view=pairs&a=dog+bites+man&b=man+bites+dog&")
    main = page.get_by_test_id("stMain")
    main.click(position={"x": 640, "y": 700})
    page.keyboard.press("ArrowRight")
    expect(main).to_be_focused()
    marks = "main => [getComputedStyle(main).outlineStyle, getComputedStyle(main, '::before').content]"
    assert main.evaluate("main => main.matches(':focus-visible')")
    assert main.evaluate(marks) == ["none", "none"]


def test_before_the_first_slide_and_after_the_last_there_is_none(visit):
    page = present(visit, "/?")
    expect(page.get_by_role("button", name="Previous slide")).to_be_disabled()
    page.keyboard.press("PageUp")
    assert projection.place(page)[0] == 1
    come_back(page, "/vocabulary?tokenizer=words&present=1&slide=999")
    page.locator(".map[data-points]").wait_for(state="attached")
    settle(page)
    at, total = projection.place(page)
    assert at == total
    expect(page.get_by_role("button", name="Next slide")).to_be_disabled()


def test_a_slide_has_a_pair_that_stays_and_one_that_parts_and_nothing_that_is_hidden_takes_the_focus(visit):
    page = present(visit, "/?view=pairs&a=dog+bites+man&b=man+bites+dog&")
    visit_slide(page, 1)
    pairs = page.get_by_role("listitem").filter(has_text="unrelated")
    expect(pairs.filter(visible=True)).to_have_count(2)
    for n, word in enumerate(("bites", "dog")):
        expect(pairs.nth(n)).to_contain_text(word)
    expect(page.get_by_role("button", name="Positions on")).to_be_visible()
    expect(page.get_by_role("list", name="Tokens of A")).to_be_hidden()
    page.get_by_role("button", name="Positions on").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.checkVisibility()")


def test_a_key_leads_on_from_a_pages_last_slide_to_the_next_station_and_back_to_that_slide(visit):
    page = present(visit, "/?view=orders&shown=100&")
    page.keyboard.press("PageDown")
    page.wait_for_url("**/tokenizers?*")
    expect(page.locator(".st-key-frame_views")).to_have_text("One text, several ways to cut it")
    settle(page)
    page.keyboard.press("PageUp")
    page.wait_for_url("**view=orders*")
    expect(page.locator(".st-key-frame_views")).to_contain_text("All orders")


def test_a_part_whose_shadow_tree_comes_later_than_the_part_has_its_slides(visit):
    page = present(visit, "/?view=orders&")
    _at, total = projection.place(page)
    page.evaluate(_LATE_PART, {"path": ASSETS_PATH, "packed": packed_cards("one", "two")})
    mark = page.get_by_role("navigation", name="Slides").get_by_role("status")
    expect(mark).to_have_text(f"1 / {total + 1}")  # the picture with each of its two ideas


def test_a_link_opens_on_its_slide_and_a_bad_one_on_the_nearest(visit):
    page = present(visit, f"{TWO_SLIDES}slide=1&")
    total = is_at(page, 2)
    for given, at in (("-1", 1), ("1e9", 1), ("two", 1), ("", 1), ("999", total)):
        come_back(page, f"{TWO_SLIDES}slide={given}&present=1")
        settle(page)
        assert is_at(page, at) == total
    leaving_drops_the_slide_and_shows_all_of_the_page(page)


def is_at(page: Page, at: int) -> int:
    """This slide is on, also by the address; how many there are."""
    found, total = projection.place(page)
    assert found == at
    assert address_of(page).get("slide", ["0"]) == [str(found - 1)]
    return total


def leaving_drops_the_slide_and_shows_all_of_the_page(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Sentence A")).to_be_visible()
    assert "slide" not in address_of(page)
    expect(page.get_by_role("navigation", name="Slides")).to_be_hidden()
    assert page.locator("[data-off]").count() == 0
    expect(page.locator(".st-key-order")).to_be_visible()


def visit_slide(page: Page, number: int) -> None:
    """Go on to a slide, counted from 0, by keys."""
    at, total = projection.place(page)
    for _press in range(2 * (number + 1 - at)):  # for each slide at most one key that only moves a picture
        if projection.place(page)[0] == number + 1:
            break
        page.keyboard.press("ArrowRight")
    assert projection.place(page) == (number + 1, total)
    settle(page)


def address_of(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_the_mode_survives_a_change_of_the_page(visit):
    page = visit("/?present=1&view=map", drawn=False)
    page.locator(DRAWN).first.wait_for(state="attached")
    page.evaluate("document.querySelector('.ev-pages [href*=lookup]').click()")
    expect(page.locator(".st-key-frame_views")).to_contain_text("An embedding layer is a lookup")
    page.wait_for_url("**/lookup?*present=1*")
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()


def test_hidden_controls_are_gone_with_their_columns_and_keep_their_values(visit):
    page = visit("/?view=pairs&hide=tokenizer,pair,nonsense&output_dim=8")
    expect(page.get_by_role("combobox", name="Example pairs")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("combobox", name="Position scheme")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_count(0)
    page.keyboard.press("Escape")
    assert page.locator(".strips canvas").first.evaluate("strip => strip.width") == 8
    page.get_by_role("textbox", name="Sentence A").fill("dog bites man")
    expect(page.get_by_role("button", name="position 1: ␣bites")).to_be_visible()
    expect(page.get_by_role("combobox", name="Example pairs")).to_have_count(0)
    come_back(page, "/?view=pairs&hide=settings")
    expect(page.get_by_role("button", name="Settings")).to_have_count(0)


def test_a_link_without_controls_is_copied_and_shows_the_same_page_without_them(visit):
    page = visit("/?view=orders&seed=7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link without controls").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "hide=all" in copied
    assert "seed=7" in copied
    numbers = "[...document.querySelectorAll('.ev-plot')].map(plot => ['x', 'y'].map(axis => [...plot.data[0][axis]]))"
    seen = page.evaluate(numbers)
    page.goto(copied)
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 1")
    assert page.evaluate(projection.CONTROLS) == []
    assert page.evaluate(numbers) == seen


def scanned(page: Page) -> str:
    """What a camera reads that sees the whole screen."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    [found] = zxingcpp.read_barcodes(np.asarray(picture), formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


def test_a_hall_can_scan_the_address_of_the_view_unless_it_is_too_long(visit):
    view = "/?a=dog+bites+man&b=%3Cb%3E+%26+%22%E7%8C%AB"
    page = visit(view, theme="dark", drawn=False)
    settle(page)
    all_can_scan_the_address(page, 16)
    page.emulate_media(color_scheme="light")  # draws all anew, but not the code that was closed
    come_back(page, f"{view}&present=1")
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_visible()
    settle(page)
    all_can_scan_the_address(page, 18)
    come_back(page, f"/?view=pairs&a={'%F0%9F%90%88' * 250}&b=x")
    expect(page.get_by_role("button", name="Leave the presentation")).to_be_hidden()
    settle(page)
    an_address_that_does_not_fit_is_said_to_be_too_long_and_shown_as_text(page)


def all_can_scan_the_address(page: Page, least: float) -> None:
    """least: pixels of the type in which the address stands below its code."""
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="QR code").click()
    dialog = page.get_by_role("dialog", name="Scan to open this view")
    code = dialog.get_by_role("img", name="QR code")
    expect(code).to_be_in_viewport(ratio=1)
    drawn = code.locator("path").bounding_box()  # without the white margin
    assert min(drawn["width"], drawn["height"]) >= 0.6 * 720
    expect(dialog.get_by_text("Only this machine can open this address")).to_be_visible()  # which the server's is
    said = dialog.get_by_role("group", name="Address").text_content()
    assert scanned(page) == said
    assert said == page.url.replace("&present=1", "").replace("present=1&", "")  # a phone is no projector
    size = dialog.get_by_role("group", name="Address").evaluate("text => parseFloat(getComputedStyle(text).fontSize)")
    assert size >= least
    check_axe(page)
    for _ in range(2):  # the second time, the code is the same
        page.get_by_role("button", name="Close").first.click()
        expect(dialog).to_be_hidden()
        page.get_by_role("button", name="QR code").click()
        expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="QR code")).to_be_hidden()


def an_address_that_does_not_fit_is_said_to_be_too_long_and_shown_as_text(page: Page) -> None:
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="QR code").click()
    dialog = page.get_by_role("dialog", name="Scan to open this view")
    expect(dialog.get_by_text("do not fit into a QR code, which holds 2,953 at most")).to_be_visible()
    expect(dialog.get_by_role("img")).to_be_hidden()
    assert dialog.get_by_role("group", name="Address").text_content() == page.url[:4000]
