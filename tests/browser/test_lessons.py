"""Lessons as a reader walks through them, and their sheets as a printer gets them."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from embedviz.base.locale.catalogues import languages
from embedviz.teaching.lessons import lessons
from tests.browser import projection
from tests.browser.access import PHONE, WIDE, check, check_axe, resize
from tests.browser.views import settle

WALKED = "dog-bites-man"
FORMATS = ("A4", "Letter")
MOST_PAGES = 2
MOST_HIGH = 120  # pixels of a station's line on a phone, as long as what to do is not shown


def onward(page: Page, way: str = "next") -> None:
    page.locator(f".strip [rel={way}]").click()


def is_at(page: Page, n: int) -> None:
    """The page shows this station, in the state in which the lesson opens it."""
    lesson = lessons()[WALKED]
    strip = page.locator(".st-key-strip_lesson")
    expect(strip).to_contain_text(f"Station {n} of {len(lesson.stations)}")
    expect(strip).to_contain_text(lesson.stations[n - 1].question)
    expect(page).to_have_url(re.compile(f"lesson={WALKED}&station={n}"))
    settle(page)


def test_a_lesson_is_walked_from_the_list_to_its_end_and_back(visit):
    page, n_stations = visit("/lessons", drawn=False), len(lessons()[WALKED].stations)
    settle(page)  # the list grows while the page runs
    page.locator(f".st-key-lesson_{WALKED} a").click()
    expect(page.get_by_role("heading", name=lessons()[WALKED].title)).to_be_visible()
    settle(page)
    page.locator(".st-key-lesson_next a").click()
    for n in range(1, n_stations + 1):
        is_at(page, n)
        if n == 2:
            page.get_by_role("button", name="Positions on").click()
            expect(page.locator("#root")).to_contain_text("2 of 3 vectors of A are no longer in B")
            settle(page)
            page.reload()
            is_at(page, n)
            expect(page.locator("#root")).to_contain_text("2 of 3 vectors of A are no longer in B")
            page.get_by_role("link", name=f"Station {n} of").click()
            expect(page.locator("#root")).to_contain_text("3 of 3")  # said by the browser, before the page's run
            settle(page)
        onward(page)
    expect(page).to_have_url(re.compile(rf"/lessons\?lesson={WALKED}&station=end$"))
    page.locator(".st-key-lesson_all a").click()
    expect(page.locator(f".st-key-lesson_{WALKED} a")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/lessons$"))
    page.go_back()
    expect(page.locator(".st-key-lesson_all a")).to_be_visible()
    page.go_back()
    is_at(page, n_stations)
    onward(page, "prev")
    is_at(page, n_stations - 1)
    view = page.get_by_role("radio", checked=True).first.inner_text()
    page.get_by_role("link", name="Leave", exact=True).click()
    expect(page.locator(".st-key-strip_lesson")).to_have_count(0)
    expect(page).not_to_have_url(re.compile("lesson="))
    expect(page.get_by_role("radio", checked=True).first).to_have_text(view)


def test_on_a_phone_what_to_do_stands_behind_a_press(visit):
    page = visit(f"/attention?lesson={WALKED}&station=1", width=PHONE[0], height=PHONE[1], drawn=False)
    strip, station = page.locator(".st-key-strip_lesson"), lessons()[WALKED].stations[0]
    settle(page)
    assert strip.bounding_box()["height"] <= MOST_HIGH
    for is_shown in (True, False):
        page.get_by_role("button", name="What to do", expanded=not is_shown).click()
        for text in (station.task, station.question):
            expect(page.get_by_text(text, exact=True)).to_be_visible(visible=is_shown)
    resize(page, WIDE)
    expect(page.get_by_role("button", name="What to do")).to_be_hidden()
    expect(page.get_by_text(station.question, exact=True)).to_be_visible()


@pytest.mark.parametrize("path", ["/lessons", f"/lessons?lesson={WALKED}", f"/attention?lesson={WALKED}&station=1"])
def test_pages_of_a_lesson_have_no_fault_on_any_screen(visit, path):
    page = visit(path, drawn=False)
    for size in (WIDE, PHONE):
        resize(page, size)
        check(page)


def test_on_a_slide_the_station_stands_right_below_the_title(visit):
    for n in (1, 4):  # the pictures of the fourth one would take the room
        here = lessons()[WALKED].address(n)[0].address
        page = visit(f"/{here}?lesson={WALKED}&station={n}&present=1", drawn=False)
        settle(page)
        title, station = page.locator("h1").bounding_box(), page.locator(".strip").bounding_box()
        assert 0 <= station["y"] - title["y"] - title["height"] < title["height"]


def test_in_a_hall_one_key_leads_from_question_to_answer_to_question_and_to_what_was_learned(visit):
    lesson = lessons()[WALKED]
    page = visit(f"/lessons?lesson={WALKED}&present=1", drawn=False)
    expect(page.get_by_text(lesson.title, exact=True).first).to_be_visible()
    settle(page)
    for station in lesson.stations:
        for text, other in ((station.question, station.answer), (station.answer, station.question)):
            page.keyboard.press("PageDown")
            expect(page.get_by_text(text, exact=True)).to_be_visible()
            expect(page.get_by_text(other, exact=True)).to_have_count(0)
            settle(page)
            projection.check_one(page)
    page.keyboard.press("PageDown")
    for station in lesson.stations:
        expect(page.get_by_text(station.question).last).to_be_visible()
    settle(page)
    projection.check_one(page)
    page.keyboard.press("PageUp")
    expect(page.get_by_text(lesson.stations[-1].answer, exact=True)).to_be_visible()


def test_a_picture_that_would_answer_is_covered_until_the_answer_comes(visit):
    lesson, n = next((each, n) for each in lessons().values() for n, one in enumerate(each.stations, 1) if one.covered)
    where, said = lesson.address(n)
    page = visit(f"/{where.address}?{urlencode(said)}&present=1", drawn=False)
    picture = page.locator("[class*=st-key-frame_slide_] .ev-plot").first
    expect(page.get_by_text(lesson.stations[n - 1].question, exact=True)).to_be_visible()
    expect(picture).to_have_css("visibility", "hidden")
    settle(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text(lesson.stations[n - 1].answer, exact=True)).to_be_visible()
    expect(picture).to_have_css("visibility", "visible")


@pytest.mark.parametrize("name", lessons())
def test_no_sheet_has_more_than_two_pages_in_any_language(visit, address, name):
    page = visit("/_stcore/health", drawn=False)
    for tag in languages():
        for reader in ("students", "teacher"):
            page.goto(f"{address}/lesson/{name}/sheet?for={reader}&lang={tag}")
            for paper in FORMATS:
                n_pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
                assert 1 <= n_pages <= MOST_PAGES, (tag, reader, paper)


def test_a_sheet_has_no_fault_that_axe_knows(visit):
    page = visit(f"/lesson/{WALKED}/sheet?for=teacher", drawn=False)
    check_axe(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(lessons()[WALKED].title)
