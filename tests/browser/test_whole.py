"""The whole way as a person sees it: switched, dragged, by keys, on a phone, and how it plays once."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.views import settle

OFF, ON = "Without positions, one layer gives two orders one answer", "With positions, two orders get two answers"
PICTURE = ".st-key-whole [data-drawn]"


@pytest.fixture
def opened(visit):
    def open_page(query: str = "view=whole", **window) -> Page:
        page = visit(f"/?{query}", drawn=False, **window)
        expect(page.locator(PICTURE)).to_be_attached()
        return page

    return open_page


def headline(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()


def test_the_switch_the_slider_and_the_headline_say_one_state(opened):
    page = opened()
    headline(page, OFF)
    page.get_by_role("button", name="Positions on", exact=True).click()
    headline(page, ON)
    expect(page.get_by_role("button", name="Positions on", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("slider")).to_have_value("100")
    page.get_by_role("slider").press("Home")
    headline(page, OFF)
    page.get_by_role("slider").press("ArrowRight")
    expect(page.get_by_text("50 %", exact=True)).to_be_visible()


def test_it_plays_once_for_who_comes_and_not_for_who_prefers_stillness(opened):
    page = opened(moves=True, new=True)
    headline(page, OFF)
    headline(page, ON)
    still = opened(new=True)
    still.wait_for_timeout(4000)
    headline(still, OFF)


def test_two_tokens_of_b_change_places_by_dragging_and_by_keys(opened):
    page = opened("view=whole&shown=100")
    chips = page.locator(f"{PICTURE} .chips button, .st-key-whole .chips button")
    settle(page)
    cat, mat = (chips.nth(n).bounding_box() for n in (1, 5))
    page.mouse.move(cat["x"] + 20, cat["y"] + 8)
    page.mouse.down()
    page.mouse.move(mat["x"] + 20, mat["y"] + 4, steps=6)
    page.mouse.up()
    headline(page, "One sentence twice")
    expect(page.get_by_label("Sentence B")).to_have_value("the cat sat on the mat")
    settle(page)
    chips.nth(1).press("Enter")
    chips.nth(5).press("Enter")
    headline(page, ON)
    expect(page.get_by_label("Sentence B")).to_have_value("the mat sat on the cat")


def test_a_strip_opens_its_numbers_in_place(opened):
    page = opened("view=whole&shown=100")
    settle(page)
    page.locator("[data-strip]").first.click()
    numbers = page.locator(".numbers")
    expect(numbers).to_contain_text("Token vectors")
    expect(numbers.locator("li")).to_have_count(32)
    page.keyboard.press("Escape")
    expect(numbers).to_be_hidden()


def test_pointing_at_a_token_leaves_its_line_and_fades_the_others(opened):
    page = opened("view=whole&shown=100")
    settle(page)
    chips = page.locator(".st-key-whole .chips button")
    chips.nth(1).hover()
    expect(page.locator(".st-key-whole .chips button.dim")).to_have_count(9)
    page.mouse.move(0, 0)
    expect(page.locator(".st-key-whole .dim")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_the_way_leads_down_and_nothing_is_wider_than_the_screen(opened, theme):
    page = opened("view=whole&shown=100", width=360, height=740, theme=theme)
    settle(page)
    assert page.locator(".st-key-whole .chips button").all_inner_texts() == ["cat\nA 1\nB 5", "mat\nA 5\nB 1", "?\n9"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_another_head_is_drawn_on_demand(opened):
    page = opened("view=whole&shown=100")
    settle(page)
    expect(page.locator(".st-key-whole svg text", has_text="A 0.95")).to_be_visible()
    heads = page.get_by_role("combobox", name="Head")
    expect(heads.locator("option")).to_have_text([f"head {n} of 4" for n in range(1, 5)])
    heads.select_option("head 2 of 4")
    expect(page.locator(".st-key-whole svg text", has_text="A 0.95")).to_have_count(0)


def test_the_name_of_a_column_leads_to_its_page_with_these_sentences(opened):
    page = opened("view=whole&a=the+dog+sat+on+the+mat&b=the+mat+sat+on+the+dog")  # with which no page begins
    settle(page)
    name = page.get_by_role("link", name="Attention of “?”")
    said = re.compile(r"/attention\?.*b=the\+mat\+sat\+on\+the\+dog")
    name.hover()  # which completes the address, for whoever opens it in a new tab
    expect(name).to_have_attribute("href", said)
    name.click()
    settle(page)
    expect(page).to_have_url(said)
    expect(page.get_by_label("Sentence B")).to_have_value("the mat sat on the dog")


def test_one_answer_for_both_is_said_to_be_the_same_and_in_a_hall_no_field_chooses_a_head(opened):
    said = ".st-key-whole svg text"
    page = opened()
    settle(page)
    for verdict in ("wrong word", "same answer"):
        expect(page.locator(said, has_text=verdict)).to_have_count(1)
    hall = opened("view=whole&shown=100&present=1")
    settle(hall)
    expect(hall.locator(said, has_text="right word")).to_have_count(2)
    expect(hall.locator(said, has_text="head 1 of 4")).to_have_count(1)
    expect(hall.get_by_role("combobox", name="Head")).to_have_count(0)


@pytest.mark.parametrize("more", ["", "&present=1", "&reader=small-gpt-rope&present=1"])
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768)])
def test_where_order_enters_is_said_below_the_names_of_columns_and_no_number_stands_in_a_bar(opened, more, size):
    page = opened(f"view=whole&shown=100{more}", width=size[0], height=size[1])
    settle(page)
    mark = page.locator(".st-key-whole svg .mark").bounding_box()
    notes = page.locator(".st-key-whole svg text", has_text=re.compile("^(one row for|none: RoPE|dotted)"))
    for note in notes.all():
        box = note.bounding_box()
        assert box["y"] + box["height"] <= mark["y"] + 0.25 * mark["height"]  # above its letters
    bars = [each.bounding_box() for each in page.locator(".st-key-whole svg rect[rx]").all()]
    numbers = page.locator(".st-key-whole svg text", has_text=re.compile(r"^[<>] 0\.\d\d$")).all()
    assert len(numbers) == 6
    for box in (each.bounding_box() for each in numbers):
        beside = [
            bar for bar in bars if abs(bar["y"] + bar["height"] / 2 - box["y"] - box["height"] / 2) < bar["height"] / 2
        ]
        assert len(beside) == 2
        assert all(bar["x"] + bar["width"] < box["x"] for bar in beside)
