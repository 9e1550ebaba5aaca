"""The page "Layers" as a person sees it, with the small GPT that lies in the data."""

import re
from itertools import pairwise

from playwright.sync_api import expect

from tests.browser.views import outline, settle


def test_the_switch_makes_the_lines_part_and_their_names_do_not_touch(visit):
    page = visit("/layers?reader=small-gpt-rope&positions=off")
    expect(page.get_by_role("heading", name="The same at the input, apart after layer 1")).to_have_count(0)
    page.get_by_role("radio", name="Positions on").click()
    expect(page.get_by_role("heading", name="The same at the input, apart after layer 1")).to_be_visible()
    expect(page).not_to_have_url(re.compile("positions="))  # as the page opens
    names = page.locator(".ev-plot .annotation-text")
    expect(names.filter(has_text="off, mean")).to_be_visible()
    boxes = sorted((outline(each) for each in names.all()), key=lambda box: box["y"])
    assert len(boxes) == 11
    for upper, lower in pairwise(boxes):
        assert upper["y"] + upper["height"] <= lower["y"] + 0.25 * lower["height"]


def test_a_hall_sees_the_buttons_beside_the_picture_and_no_other_control(visit):
    page = visit("/layers?present=1")
    expect(page.get_by_role("radio", name="Exchange two")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_count(0)
    page.get_by_role("radio", name="Positions on").click()
    expect(page.locator(".ev-plot .annotation-text").filter(has_text="off, mean")).to_be_in_viewport(ratio=1)


def test_a_click_on_a_line_picks_the_layer_of_the_strips(visit):
    page = visit("/layers?reader=small-gpt-rope&positions=on")
    expect(page.get_by_text("After layer 1: the first 32 of 32 numbers")).to_be_visible()
    box = outline(page.locator(".ev-plot .scatterlayer .points path").first)  # at the input
    at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*at)
    settle(page)  # what is pointed at lights up, and a figure that is just drawn anew hears no click
    page.mouse.click(*at)
    expect(page.get_by_text("At the input: the first 32 of 32 numbers")).to_be_visible()
    page.wait_for_url("**at=0*")
    expect(page.get_by_text("identical", exact=True).first).to_be_visible()


def test_in_a_hall_a_key_switches_the_positions_on_before_another_leads_on(visit):
    """And whoever goes back switches them off before the view is left."""
    page = visit("/layers?view=memory&present=1")
    switch, ends = page.get_by_role("radio", name="Positions on"), page.locator(".ev-plot .annotation-text")
    expect(switch).not_to_be_checked()
    expect(ends.filter(has_text="guessing ")).to_have_count(1)
    for key, is_on in (("PageDown", True), ("PageUp", False), ("ArrowRight", True)):
        page.keyboard.press(key)
        expect(switch).to_be_checked(checked=is_on)
        expect(ends.filter(has_text="straight line 4.8" if is_on else "straight line 8.0")).to_have_count(1)
        settle(page)
    page.keyboard.press("PageUp")
    expect(switch).not_to_be_checked()
    settle(page)
    page.keyboard.press("PageUp")
    expect(page.locator(".st-key-frame_views")).to_contain_text("Order and meaning")
