"""A hall votes: a projector and phones, each a browser with cookies of its own."""

import re
import time

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from pages.tour.steps import STEPS
from tests.browser.access import PHONE, check_axe
from tests.browser.server import PATIENCE
from tests.browser.views import settle


@pytest.fixture
def phones(browser):
    """Opens an address of the hall as a new phone would, without scripts."""
    opened = []

    def phone(address: str) -> Page:
        context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, java_script_enabled=False)
        opened.append(context)
        page = context.new_page()
        page.goto(address)
        return page

    yield phone
    for context in opened:
        context.close()


def scanned(page: Page, tmp_path) -> str:
    """What a camera reads of the screen, which it looks at until there is a code."""
    until = time.monotonic() + PATIENCE
    codes = []
    while not codes:
        assert time.monotonic() < until
        page.screenshot(path=tmp_path / "screen.png")
        codes = zxingcpp.read_barcodes(np.array(Image.open(tmp_path / "screen.png").convert("L")))
    [code] = codes
    return code.text


def address_of(page: Page) -> str:
    """Where phones find the vote."""
    site, _slash, query = page.url.partition("/tour")
    return f"{site}/vote/{re.search('vote=([A-Z]+)', query)[1]}"


def test_a_hall_votes_on_a_question_of_the_tour(visit, phones, tmp_path):
    page = visit("/tour?view=after&present=1", drawn=False)
    page.get_by_role("button", name="Let the hall vote").click()
    expect(page.locator(".st-key-tour_ballot .way svg path")).to_be_attached()
    settle(page)
    address = scanned(page, tmp_path)
    assert address.split("/")[-2:-1] == ["vote"]
    assert page.locator(".st-key-tour_ballot .way .address").inner_text().replace("\n", "") in address
    for n, choice in enumerate((2, 0, 2), 1):
        phone = phones(address)
        assert [each["name"] for each in phone.context.cookies()] == ["embedviz_vote"]
        phone.get_by_role("button").nth(choice).click()
        expect(phone.get_by_role("heading")).to_have_text("Your vote is counted")
        expect(phone.locator("p").first).to_have_text(re.compile("^You chose “.+”.$"))
        expect(page.locator(".count output")).to_have_text(f"{n} vote{'s' * (n > 1)} so far")
        expect(page.locator(".count span")).to_have_text("from 1 network address")
    page.reload()
    expect(page.locator(".count output")).to_have_text("3 votes so far")
    assert scanned(page, tmp_path) == address
    page.keyboard.press("PageDown")
    expect(page.locator(".bars li > :last-child")).to_have_text(["1 · 33 %", "0 · 0 %", "2 · 67 %"])
    expect(page.locator(".verdict")).to_have_count(0)
    expect(phones(address).get_by_role("heading")).to_have_text("This vote is over")
    page.keyboard.press("PageDown")
    expect(page.locator(".verdict")).to_have_text("Answer: Some of them.")
    page.wait_for_selector(".st-key-tour_picture [data-drawn]")
    expect(page.locator(".bars")).to_have_count(0)


def test_axe_finds_nothing_on_a_phone_before_and_after_a_vote(visit, phones, window):
    page = visit("/tour?view=after", drawn=False)
    page.get_by_role("button", name="Let the hall vote").click()
    page.wait_for_url("**vote=*")
    expect(page.locator(".st-key-tour_ballot .way svg path")).to_be_attached()
    settle(page)
    check_axe(page)
    phone = window.new_page()
    phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    phone.goto(address_of(page))
    for scheme in ("light", "dark"):
        phone.emulate_media(color_scheme=scheme)
        check_axe(phone)
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    phone.get_by_role("button").first.click()
    expect(phone.get_by_role("heading")).to_have_text("Your vote is counted")
    check_axe(phone)
    page.get_by_role("button", name="Show the bars").click()
    expect(page.locator(".bars li")).to_have_count(3)
    settle(page)
    check_axe(page)


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 768)])
def test_in_projection_the_code_is_large_and_nothing_is_cut(visit, size, tmp_path):
    page = visit(f"/tour?view={STEPS[3].key}&present=1", drawn=False, width=size[0], height=size[1])
    page.get_by_role("button", name="Let the hall vote").click()
    expect(page.locator(".st-key-tour_ballot .way svg path")).to_be_attached()
    settle(page)
    assert "/vote/" in scanned(page, tmp_path)
    expect(page.locator(".st-key-tour_ballot .way")).to_be_in_viewport(ratio=1)
    assert page.locator(".st-key-tour_ballot .way svg").bounding_box()["height"] > 0.33 * size[1]
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= size[1]
