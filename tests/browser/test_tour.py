"""The page "Tour" as a reader and as a presenter see it."""

import pytest
from playwright.sync_api import Page, expect

from embedviz.text.samples import usual_pair
from embedviz.ui.whole_way.pair import Asked
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.browser.access import PHONE, WIDE, check_axe, look, resize
from tests.browser.projection import LARGE
from tests.browser.views import come_back, settle

N_STEPS = len(STEPS)
SCREENS = [(1024, 768), (1280, 720)]  # on the large one, all is 1.5 times as large as on the last
STORY = Story(Asked((usual_pair().a, usual_pair().b)))
QUESTIONS = {n for n, step in enumerate(STEPS, 1) if step.asked(STORY)}
PICTURE = ".way.told .picture"
# Height that does not fit the window, of the page and of the part of it that scrolls.
OVERFLOW = """() => ["html", "[data-testid=stMain]"].map((name) => {
  const part = document.querySelector(name)
  return part.scrollHeight - part.clientHeight
})"""
SIZES = """(picture) => [...picture.querySelectorAll("text, .word")].filter((part) =>
  part.textContent.trim() && part.getClientRects().length && getComputedStyle(part).visibility !== "hidden"
).map((part) => [part.textContent, parseFloat(getComputedStyle(part).fontSize)])"""


@pytest.fixture
def opened(visit):
    def open_page(query: str = "", **window) -> Page:
        page = visit(f"/tour{query}", drawn=False, **window)
        expect(page.locator(".place")).to_contain_text("/")  # from then on it listens to keys
        return page

    return open_page


def at(page: Page, step: int) -> None:
    expect(page.locator(".place")).to_have_text(f"{step} / {N_STEPS}")


def step_of(query: str) -> int:
    """The number of the step that an address names."""
    return [step.key for step in STEPS].index(query.partition("&")[0]) + 1


def drawn(page: Page) -> None:
    page.wait_for_selector(".st-key-tour_picture [data-drawn]")


def test_from_the_first_to_the_last_step_by_keys_alone_in_projection(opened):
    page = opened("?present=1")
    screens = [LARGE, *SCREENS]
    for step in range(1, N_STEPS + 1):
        at(page, step)
        if step in QUESTIONS:
            expect(page.locator(".asked")).to_be_visible()
            drawn(page)
            expect(page.locator(PICTURE)).to_have_count(1)
            for size in screens:
                resize(page, size)
                assert page.evaluate(OVERFLOW) == [0, 0], (step, size)
            screens.reverse()
            page.keyboard.press("PageDown")
            expect(page.locator(".verdict")).to_contain_text("Answer: ")
        drawn(page)
        expect(page.locator(PICTURE)).to_have_count(1)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        for size in screens:
            resize(page, size)
            fills_the_screen(page, step, size[1])
        screens = [size for size in screens[::-1] if size != LARGE]  # the first is the one that is there
        page.keyboard.press(["PageDown", "ArrowRight", "Space", "ArrowDown"][step % 4])
    at(page, N_STEPS)
    page.keyboard.press("Home")
    at(page, 1)
    page.keyboard.press("End")
    at(page, N_STEPS)
    for key in ("PageUp", "ArrowLeft", "ArrowUp", "Shift+Space"):
        page.keyboard.press(key)
    at(page, N_STEPS - 4)
    page.wait_for_url(f"**view={STEPS[N_STEPS - 5].key}*")


def fills_the_screen(page: Page, step: int, height: int) -> None:
    """Words and picture are on the screen, large, and nothing of them is smaller than 18 pixels."""
    expect(page.locator(".words")).to_be_in_viewport(ratio=1)
    expect(page.locator(PICTURE)).to_be_in_viewport(ratio=1)
    assert page.evaluate(OVERFLOW) == [0, 0], step
    assert page.locator(PICTURE).bounding_box()["height"] > 0.55 * height
    sizes = page.locator(PICTURE).evaluate(SIZES)
    assert sizes
    least = 18 * height / LARGE[1]  # a hall's screen is as large whatever its pixels
    assert [(text, size) for text, size in sizes if size < least] == [], step


def test_a_lectures_link_on_a_phone_shows_the_picture_whatever_was_there_before(opened):
    page = opened("?view=positions", width=PHONE[0], height=PHONE[1])
    ways = (
        ((640, 360), "positions&present=1"),
        (WIDE, "after&present=1"),
        (PHONE, "same&present=1"),
        (PHONE, "positions"),
    )
    for size, step in ways:
        look(page, size, "light")
        come_back(page, f"/tour?view={step}")
        at(page, step_of(step))
        drawn(page)
        settle(page)
        if size == PHONE:
            assert page.locator(PICTURE).bounding_box()["height"] > 0.45 * PHONE[1]


def keys_do_nothing_while_one_types(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    at(page, 3)
    field = page.get_by_role("textbox", name="Sentence A")
    field.fill("a dog")
    for key in ("Space", "ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "PageUp"):
        field.press(key)
    field.press("End")
    field.type(" ran")
    expect(field).to_have_value("a dog  ran")
    drawn(page)
    expect(page.locator(".way .chips")).to_contain_text("dog")
    at(page, 3)


def space_and_enter_press_the_button_that_has_the_focus(page: Page) -> None:
    previous = page.get_by_role("button", name="Previous")
    previous.focus()
    page.keyboard.press("Space")
    at(page, 3)
    page.keyboard.press("Enter")
    at(page, 2)
    page.get_by_role("button", name="5 Positions").focus()
    page.keyboard.press("Space")
    at(page, 5)
    expect(page.get_by_role("button", name="5 Positions")).to_have_attribute("aria-current", "step")
    assert page.locator(".steps [aria-current]").count() == 1


def test_many_keys_at_once_are_all_counted_and_keys_are_the_other_pages_own_after_the_tour(opened):
    page = opened()
    keys_do_nothing_while_one_types(page)
    page.get_by_role("button", name="1 Question").click()
    at(page, 1)
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".place")).to_have_text(f"7 / {N_STEPS}")
    drawn(page)
    page.wait_for_url(f"**view={STEPS[6].key}*")
    page.get_by_role("link", name="Lookup").click()
    page.get_by_role("radio", name="Rows").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="One-hot")).to_be_focused()


def test_an_answer_by_keyboard_opens_the_picture_and_is_counted(opened):
    page = opened("?view=without")
    space_and_enter_press_the_button_that_has_the_focus(page)
    come_back(page, "/tour?view=after")
    at(page, 6)
    expect(page.locator(".asked")).to_contain_text("how many tokens are still identical")
    page.get_by_role("button", name="Some of them").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Right: “Some of them”.")
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    expect(page.locator(".score")).to_have_text("1 of 1 right")
    drawn(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    at(page, 6)
    expect(page.locator(".verdict")).to_be_visible()
    settle(page)  # the server has heard of both keys


def test_compare_leads_to_the_tour_of_its_sentences(visit):
    page = visit("/?view=pairs&a=dog+bites+man&b=man+bites+dog")
    link = page.get_by_role("link", name="Take the tour")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()
    expect(page.locator(".way svg .sentence")).to_have_text(["A  dog bites man", "B  man bites dog"])
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("man bites dog")


def test_words_and_picture_are_on_one_screen(opened):
    page = opened()
    for step in range(1, N_STEPS + 1):
        at(page, step)
        if step in QUESTIONS:
            drawn(page)
            settle(page)
            expect(page.locator(PICTURE)).to_be_in_viewport(ratio=0.97)
            page.locator(".answer").first.click()
            expect(page.locator(".verdict")).to_be_visible()
        drawn(page)
        settle(page)
        expect(page.locator(PICTURE)).to_be_in_viewport(ratio=0.97)
        page.keyboard.press("ArrowRight")


def test_axe_finds_nothing_and_nothing_scrolls_sideways(opened):
    """The kinds of steps share words, picture and keys, so axe looks at each in one of the two windows."""
    page = opened()
    windows = ((WIDE, "light"), (PHONE, "dark"))
    for n, step in enumerate(("tokens", "same", "next_word", "without&present=1", "attention&present=1")):
        resize(page, WIDE, "light")
        come_back(page, f"/tour?view={step}")
        at(page, step_of(step))
        page.locator(".st-key-tour_picture [data-drawn]").first.wait_for()
        settle(page)
        for window in windows:
            resize(page, *window)
            assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= window[0][0]
            if window == windows[n % 2]:
                check_axe(page)
