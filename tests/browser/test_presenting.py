"""Projection mode, hidden controls and the QR code, in a real browser."""

import io

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser import projection
from tests.browser.access import check_axe
from tests.browser.views import DRAWN, settle


def present(visit, view: str, width: int = 1280, height: int = 720, theme: str = "light") -> Page:
    page = visit(f"{view}present=1", width, height, theme, drawn=False)
    page.locator(DRAWN).first.wait_for()
    settle(page)
    return page


def test_lines_and_markers_are_as_much_thicker_as_the_type_is_larger(visit):
    line = "() => [...document.querySelectorAll('.ev-plot path.js-line')].map((l) => parseFloat(l.style.strokeWidth))"
    usual = visit("/positions?view=Pairs", drawn=False)
    usual.locator(DRAWN).wait_for()
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
    page.locator(DRAWN).first.wait_for()
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


def test_arrow_keys_lead_from_view_to_view_as_from_slide_to_slide(visit):
    page = visit("/?present=1")
    for key, view in (("ArrowRight", "map"), ("PageDown", "distances"), ("ArrowLeft", "map")):
        page.keyboard.press(key)
        page.wait_for_url(f"**compare={view}*")
        expect(page.locator(DRAWN)).to_have_count(1)
    page.keyboard.press("PageUp")
    page.wait_for_function("!location.search.includes('compare')")
    page.keyboard.press("PageUp")  # there is none before it
    assert "present=1" in page.url


def test_the_mode_survives_a_change_of_the_page(visit):
    page = visit("/?present=1&compare=map", drawn=False)
    page.locator(DRAWN).first.wait_for()
    page.evaluate("document.querySelector('[data-testid=stTopNavLink][href*=lookup]').click()")
    expect(page.get_by_role("heading", name="An embedding layer is a lookup")).to_be_visible()
    page.wait_for_url("**/lookup?*present=1*")
    expect(page.get_by_role("textbox")).to_have_count(0)
    expect(page.get_by_role("button", name="Leave projection")).to_be_visible()


def test_hidden_controls_are_gone_with_their_columns_and_keep_their_values(visit):
    page = visit("/?compare=numbers&hide=tokenizer,pair,nonsense&output_dim=8")
    expect(page.get_by_role("combobox", name="Ready pairs")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("combobox", name="Positions")).to_be_visible()
    expect(page.get_by_role("combobox", name="Tokenizer")).to_have_count(0)
    page.keyboard.press("Escape")
    assert page.locator(".ev-plot").first.evaluate("plot => plot.data[0].z[0].length") == 8
    page.get_by_role("textbox", name="Sentence A").fill("dog bites man")
    expect(page.get_by_role("button", name="position 1: ␣bites")).to_be_visible()
    expect(page.get_by_role("combobox", name="Ready pairs")).to_have_count(0)


def test_an_older_link_hides_the_settings_by_the_name_that_they_had(visit):
    page = visit("/?hide=more")
    expect(page.get_by_role("button", name="Settings")).to_have_count(0)


def test_a_link_without_controls_is_copied_and_shows_the_same_page_without_them(visit):
    page = visit("/?compare=numbers&seed=7")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Copy link without controls").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "hide=all" in copied
    assert "seed=7" in copied
    seen = page.evaluate("[...document.querySelectorAll('.ev-plot')].map(plot => [...plot.data[0].z?.[0] ?? []])")
    page.goto(copied)
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 1")
    assert page.evaluate(projection.CONTROLS) == []
    assert (
        page.evaluate("[...document.querySelectorAll('.ev-plot')].map(plot => [...plot.data[0].z?.[0] ?? []])") == seen
    )


def scanned(page: Page) -> str:
    """What a camera reads that sees the whole screen."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("L")
    [found] = zxingcpp.read_barcodes(np.asarray(picture), formats=zxingcpp.BarcodeFormat.QRCode)
    return found.text


@pytest.mark.parametrize(("present", "theme"), [("", "dark"), ("&present=1", "light")])
def test_a_hall_can_scan_the_address_of_the_view(visit, theme, present):
    page = visit(f"/?a=dog+bites+man&b=%3Cb%3E+%26+%22%E7%8C%AB{present}", theme=theme, drawn=False)
    settle(page)
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
    check_axe(page)
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
