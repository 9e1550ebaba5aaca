"""The page "Tour" as a reader and as a presenter see it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from embedviz import tour

N_STEPS = len(tour.NAMES)
PATIENCE = 20_000  # milliseconds: the first picture loads its library
QUESTIONS = {2, 4, 8, 10, 11, 12}
PICTURE = ".ev-plot, .boxes"
# Height that does not fit the window, of the page and of the part of it that scrolls.
OVERFLOW = """() => ["html", "[data-testid=stMain]"].map((name) => {
  const part = document.querySelector(name)
  return part.scrollHeight - part.clientHeight
})"""
SIZES = """(picture) => [...picture.querySelectorAll("text, li span, .name")].filter((part) =>
  part.textContent.trim() && part.getClientRects().length && getComputedStyle(part).visibility !== "hidden"
).map((part) => [part.textContent, parseFloat(getComputedStyle(part).fontSize)])"""


@pytest.fixture
def opened(visit):
    def open_page(query: str = "", **window) -> Page:
        page = visit(f"/tour{query}", drawn=False, **window)
        expect(page.locator(".place")).to_contain_text("/", timeout=PATIENCE)  # from then on it listens to keys
        return page

    return open_page


def at(page: Page, step: int) -> None:
    expect(page.locator(".place")).to_have_text(f"{step} / {N_STEPS}", timeout=PATIENCE)


def drawn(page: Page) -> None:
    page.wait_for_selector(".ev-plot[data-drawn], .boxes li")


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(1280, 720, "light"), (1024, 768, "dark"), (1920, 1080, "light")]
)
def test_from_the_first_to_the_last_step_by_keys_alone_in_projection(opened, width, height, theme):
    page = opened("?present=1", width=width, height=height, theme=theme)
    for step in range(1, N_STEPS + 1):
        at(page, step)
        if step in QUESTIONS:
            expect(page.locator(".asked")).to_be_visible()
            expect(page.locator(PICTURE)).to_have_count(0)
            assert page.evaluate(OVERFLOW) == [0, 0]
            page.keyboard.press("PageDown")
            expect(page.locator(".verdict")).to_contain_text("Answer: ", timeout=PATIENCE)
        drawn(page)
        expect(page.locator(PICTURE)).to_have_count(1)
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        expect(page.locator(".words")).to_be_in_viewport(ratio=1)
        expect(page.locator(PICTURE)).to_be_in_viewport(ratio=1)
        page.wait_for_timeout(300)
        assert page.evaluate(OVERFLOW) == [0, 0], step
        box = page.locator(PICTURE).bounding_box()
        assert box["height"] > 0.45 * height
        page.keyboard.press(["PageDown", "ArrowRight", "Space", "ArrowDown"][step % 4])
    at(page, N_STEPS)
    page.keyboard.press("Home")
    at(page, 1)
    page.keyboard.press("End")
    at(page, N_STEPS)
    for key in ("PageUp", "ArrowLeft", "ArrowUp", "Shift+Space"):
        page.keyboard.press(key)
    at(page, N_STEPS - 4)
    page.wait_for_url(f"**step={N_STEPS - 4}*")


def test_nothing_in_a_projected_picture_is_smaller_than_18_pixels(opened):
    page = opened("?present=1")
    for step in range(1, N_STEPS + 1):
        at(page, step)
        if step in QUESTIONS:
            page.keyboard.press("PageDown")
            expect(page.locator(".verdict")).to_be_visible(timeout=PATIENCE)
        drawn(page)
        page.wait_for_timeout(400)
        sizes = page.locator(PICTURE).evaluate(SIZES)
        assert sizes
        assert [(text, size) for text, size in sizes if size < 18] == [], step
        page.keyboard.press("PageDown")


def test_keys_do_nothing_while_one_types(opened):
    page = opened()
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
    expect(page.locator(".words")).to_contain_text("A has 4 IDs", timeout=PATIENCE)
    at(page, 3)


@pytest.mark.parametrize("present", ["", "&present=1"])
def test_keys_work_while_a_slider_has_the_focus_and_up_and_down_still_move_it(opened, present):
    page = opened(f"?step=9{present}")
    slider = page.get_by_role("slider", name="Positions shown")
    drawn(page)
    slider.focus()
    slider.press("ArrowDown")
    expect(slider).to_have_value("99")
    at(page, 9)
    slider.press("PageUp")
    at(page, 8)
    page.keyboard.press("PageDown")
    if present:
        at(page, 8)
        page.keyboard.press("PageDown")
    at(page, 9)
    page.get_by_role("slider", name="Positions shown").focus()
    page.keyboard.press("Space")
    at(page, 10)


def test_space_and_enter_press_the_button_that_has_the_focus(opened):
    page = opened("?step=5")
    previous = page.get_by_role("button", name="Previous")
    previous.focus()
    page.keyboard.press("Space")
    at(page, 4)
    page.keyboard.press("Enter")
    at(page, 3)
    page.get_by_role("button", name="6 Positions").focus()
    page.keyboard.press("Space")
    at(page, 6)
    expect(page.get_by_role("button", name="6 Positions")).to_have_attribute("aria-current", "step")
    assert page.locator(".steps [aria-current]").count() == 1


def test_many_keys_at_once_are_all_counted(opened):
    page = opened()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".place")).to_have_text(f"7 / {N_STEPS}", timeout=PATIENCE)
    drawn(page)
    page.wait_for_url("**step=7*")


def test_an_answer_by_keyboard_opens_the_picture_and_is_counted(opened):
    page = opened("?step=8")
    expect(page.locator(".asked")).to_contain_text("8 identical pairs")
    page.get_by_role("button", name="None").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Right: “None”.")
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    expect(page.locator(".score")).to_have_text("1 of 1 right")
    drawn(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    at(page, 8)
    expect(page.locator(".verdict")).to_be_visible(timeout=PATIENCE)


def test_an_open_table_keeps_its_keys(opened):
    page = opened("?step=3")
    drawn(page)
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("button", name="Table: ").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("PageDown")
    page.keyboard.press("End")
    page.wait_for_timeout(500)
    at(page, 3)


def test_compare_leads_to_the_tour_of_its_sentences(visit):
    page = visit("/?a=dog+bites+man&b=man+bites+dog", drawn=False)
    page.wait_for_selector(".ev-plot[data-drawn]", timeout=PATIENCE)
    link = page.get_by_role("link", name="Take the tour")
    expect(link).to_be_in_viewport(ratio=1)
    link.click()
    expect(page.locator(".words")).to_contain_text("cuts A into 3 tokens", timeout=PATIENCE)
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("man bites dog")


def test_words_and_picture_are_on_one_screen(opened):
    page = opened()
    for step in range(1, N_STEPS + 1):
        at(page, step)
        if step in QUESTIONS:
            page.locator(".answer").first.click()
            expect(page.locator(".verdict")).to_be_visible(timeout=PATIENCE)
        drawn(page)
        page.wait_for_timeout(200)
        expect(page.locator(PICTURE)).to_be_in_viewport(ratio=0.97)
        page.keyboard.press("ArrowRight")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("step", ["1", "2", "9", "13", "7&present=1", "11&present=1"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(opened, theme, step, width):
    page = opened(f"?step={step}", width=width, theme=theme)
    page.wait_for_selector(".ev-plot[data-drawn], .boxes li, .asked")
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found] == []
