"""The page "Positions" as a person sees it."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import access, chromium
from tests.browser.views import come_back, settle

VIEWS = ("Table", "Pairs", "Past the end")


@pytest.fixture
def opened(visit):
    def open_page(view: str = "Table", **window) -> Page:
        page = visit(f"/positions?view={quote(view)}&held_numbers=2", drawn=False, **window)
        page.wait_for_selector(".ev-plot[data-drawn]" if view in VIEWS else ".arrows .input")
        return page

    return open_page


def test_sliding_past_the_end_is_an_error_for_the_learned_table_even_if_the_page_answers_too_slowly(opened):
    page = opened("Past the end")
    expect(page.get_by_role("heading", name="Learned: an error, no row 64")).to_be_visible()
    length = page.get_by_role("slider", name="Length of the text")
    length.focus()
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name="Learned: an error, no row 64")).to_be_visible()
    for pause in (0, 10):
        length.focus()
        for key in ["ArrowLeft"] * 8 + ["ArrowRight"] * 10:
            length.press(key, delay=pause)
    page.keyboard.press("Home")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_be_visible()
    expect(page.get_by_role("radio", name="Pairs")).to_be_enabled()
    come_back(page, "/positions?view=Table")
    expect(page.get_by_role("heading", name="Learned: every position has a row")).to_have_count(0)
    settle(page)
    switching_the_table_redraws(page)


# Axes of the figures, by whether Plotly measures all their labels again for each of them.
MEASURED_AGAIN = """() => [...document.querySelectorAll(".ev-plot")].flatMap(({ _fullLayout }) =>
  Object.entries(_fullLayout).filter(([name]) => /^[xy]axis/.test(name))
    .map(([, { ticklabeloverflow }]) => ticklabeloverflow !== "allow"))"""


def switching_the_table_redraws(page: Page) -> None:
    axes = page.evaluate(MEASURED_AGAIN)
    assert axes
    assert not any(axes)
    page.get_by_role("radio", name="learned").click()
    expect(page.get_by_role("heading", name="GPT-2's are learned")).to_be_visible()
    page.wait_for_url("**kind=learned*")


# Of the colour bars: their boxes, and what their ticks say.
BARS = """() => [...document.querySelectorAll(".ev-plot .colorbar")].map((bar) => {
  const { left, right, top, bottom } = bar.querySelector(".cbfills").getBoundingClientRect()
  return [right - left, bottom - top, [...bar.querySelectorAll("text")].map((text) => text.textContent)]
})"""


def test_a_colour_bar_lies_on_a_phone_and_stands_on_a_wide_screen_with_its_own_numbers_alone(opened):
    page = opened("Past the end", width=1280, height=720)
    (wide, high, said), *others = page.evaluate(BARS)
    assert not others
    assert high > 5 * wide
    assert said[1:-1] == ["0"]
    assert said[0] == f"−{said[-1]}"
    access.resize(page, access.PHONE)
    (lying_wide, lying_high, lying), *others = page.evaluate(BARS)
    assert not others
    assert lying_wide > 5 * lying_high
    assert lying == said
    access.check_layout(page)
    access.resize(page, access.WIDE)
    assert page.evaluate(BARS) == [[wide, high, said]]


def test_arrows_follow_the_mouse_a_finger_and_keys_and_stand_in_the_address(opened):
    page = opened("Adding")
    token, position = page.get_by_role("slider").all()
    said = page.locator(".arrows p")
    expect(said).to_have_text(re.compile(r"^\(3.00, 1.00\) \+ \(−1.00, 2.00\) = \(2.00, 3.00\)\. "))
    (x, y), (to_x, _y) = middle(token), middle(position)
    one = abs(to_x - x)  # the tips are 1 apart along the first axis
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - one, y)
    expect(said).to_contain_text("(2.00, 1.00) + (−1.00, 2.00) = (1.00, 3.00)")  # before anything is let go
    assert "held=" not in page.url
    page.mouse.up()
    page.wait_for_url("**held=2.00%2C1.00%2C-1.00%2C2.00*")
    position.focus()
    page.keyboard.press("Shift+ArrowDown")
    expect(said).to_contain_text("(2.00, 1.00) + (−1.00, 1.00) = (1.00, 2.00). The input is 1.41 from its own token")
    page.wait_for_url("**held=2.00%2C1.00%2C-1.00%2C1.00*")


def test_a_finger_moves_a_tip_and_does_not_scroll(browser: Browser, address: str):
    window = chromium.window(browser, bypass_csp=True, has_touch=True, viewport={"width": 360, "height": 740})
    page = window.new_page()
    page.goto(f"{address}/positions?view=adding&held_numbers=2")
    tip = page.get_by_role("slider").last
    expect(tip).to_be_attached()
    settle(page)
    tip.scroll_into_view_if_needed()
    x, y = middle(tip)
    finger = window.new_cdp_session(page)
    for kind, points in (("Start", [(x, y)]), ("Move", [(x, y - 9)]), ("Move", [(x, y - 40)]), ("End", [])):
        at = [{"x": x, "y": y} for x, y in points]
        finger.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})
    assert middle(tip) == pytest.approx((x, y - 40), abs=1)
    window.close()


def middle(tip: Locator) -> tuple[float, float]:
    box = tip.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_on_a_phone_the_parts_of_a_switch_stand_alone_and_two_numbers_share_a_line(opened):
    page = opened(width=access.PHONE[0], height=access.PHONE[1])
    corners = "buttons => buttons.map(button => getComputedStyle(button).borderRadius)"
    parts = page.locator("[role=radio]:not(.st-key-frame_views *)")  # names of views are text
    assert set(parts.evaluate_all(corners)) == {"8px"}
    one, other = (page.get_by_label(name, exact=True).bounding_box() for name in ("Dimension", "Other dimension"))
    assert one["y"] == other["y"]
    assert one["x"] + one["width"] < other["x"]
