"""The page "Training" as a person sees it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import WIDE, resize
from tests.browser.views import come_back, settle, through_menu

pytestmark = pytest.mark.xdist_group("training")  # one after the other, since they wait in the line of one server

RANGE = "plot => plot.layout.xaxis.range"
WORDS = "plot => Array.from(plot.data.at(-1).x)"
SEEN = """() => {
  window.seen = new Set()
  document.addEventListener("embedviz:snapshot", ({ detail }) => window.seen.add(Math.floor(detail.at)))
}"""


def test_the_record_plays_from_its_beginning_and_the_slider_moves_it_without_a_rerun(visit):
    page = visit("/training?seed=5", drawn=False, moves=True)
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 2")
    words = page.locator(".ev-plot").first
    slider = page.get_by_role("slider", name="Snapshot")
    expect(slider).to_have_attribute("max", "0")
    page.evaluate(SEEN)
    come_back(page, "/training")
    expect(slider).to_have_value("24")
    assert page.evaluate("[...window.seen].some(n => 0 < n && n < 24)")  # it was on its way
    settle(page)
    last = words.evaluate(RANGE)
    gaps = "plot => plot.data[0].x.filter(x => !Number.isFinite(x)).length"
    assert words.evaluate(gaps) == 31  # a trail for each word
    slider.fill("0")
    page.wait_for_function(
        "document.querySelector('.ev-plot')?.getAttribute('aria-label').endsWith('On screen: before training.')"
    )
    before, first = words.evaluate(WORDS), words.evaluate(RANGE)
    assert first[1] - first[0] < (last[1] - last[0]) / 2
    resize(page, WIDE, "dark")  # draws the figures anew, at the same snapshot
    assert words.evaluate(WORDS) == before
    assert words.evaluate(RANGE) == first
    page.reload()
    expect(slider).to_have_value("24")
    expect(page.get_by_role("button", name="Play the training")).to_be_visible()


LONG = "/training?steps=1000&n_layers=4&dims=64"


def untrained(visit, address: str) -> Page:
    page = visit(address, drawn=False)
    expect(page.get_by_text("Press “Train”")).to_be_visible()
    settle(page)
    return page


def train(page: Page) -> None:
    page.get_by_role("button", name="Train", exact=True).click()


def test_a_run_is_seen_while_it_goes_and_stays_when_it_ends(visit):
    page = untrained(visit, "/training?steps=100&n_layers=4&dims=64&seed=41")
    train(page)  # it takes seconds, so that one look falls into it
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text("of 100, about")).to_be_visible()
    page.wait_for_function("document.querySelectorAll('.ev-plot[data-drawn]').length === 2")
    expect(page.get_by_text("step 100 of 100")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("heading", name="The nearest word is of the same kind for")).to_be_visible()


def test_who_waits_sees_the_place_and_going_to_another_page_or_cancelling_ends_a_run(visit):
    first, second = untrained(visit, f"{LONG}&seed=44"), untrained(visit, f"{LONG}&seed=45")
    train(first)
    expect(first.get_by_text("of 1,000, about")).to_be_visible()
    train(second)
    expect(second.get_by_text("1 run is ahead of yours")).to_be_visible()
    first.get_by_role("link", name="Lookup").click()
    expect(second.get_by_text("of 1,000, about")).to_be_visible()
    second.get_by_role("button", name="Cancel").click()
    expect(second.get_by_text("Press “Train”")).to_be_visible()
    through_menu(first, "Training")
    expect(first.get_by_text("Press “Train”")).to_be_visible()
    come_back(second, "/training?steps=20&seed=43")
    settle(second)
    train(second)
    expect(second.get_by_text("step 20 of 20")).to_be_visible()


# Of each word that has a name in the picture: whether the name has no room, and whether no line leads to it.
_LEFT_OUT = """() => {
  const { data } = document.querySelector(".ev-plot"), at = data.findIndex(({ meta }) => meta?.around)
  const [lines, names] = [data[at - 1], data[at]]
  const hasNoLine = (n) => ["x", "y"].every((axis) => lines[axis][3 * n] === lines[axis][3 * n + 1])
  return names.text.map((_, n) => [isNaN(names.x[n]), hasNoLine(n)])
}"""


def test_in_a_hall_a_word_without_room_has_no_name_and_no_line(visit):
    page = visit("/training?present=1", width=1024, height=768, drawn=False)
    page.locator(".ev-plot[data-drawn]").first.wait_for()
    settle(page)
    found = page.evaluate(_LEFT_OUT)
    assert {is_left_out for is_left_out, _has_no_line in found} == {True, False}
    assert all(has_no_line for is_left_out, has_no_line in found if is_left_out)
