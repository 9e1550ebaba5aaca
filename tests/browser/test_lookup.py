"""The page "Lookup" as a person sees it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.views import outline


def open_view(visit, view: str, **window):
    page = visit(f"/lookup?view={view}&looked_up=ids", drawn=False, **window)
    page.wait_for_selector(".ev-plot[data-drawn]")
    return page


def test_the_numbers_stand_in_their_places_and_pointing_at_a_row_of_the_table_lights_its_copies(visit):
    page = open_view(visit, "Rows")
    for number in ("0.34", "−0.18", "−1.41"):
        expect(page.locator(".ev-plot").get_by_text(number).first).to_be_visible()
    page.get_by_role("textbox").fill("5, 1, 5")
    page.wait_for_function("document.querySelector('.ev-plot')?.data?.at(-1).z?.length === 3")
    box = outline(page.locator(".ev-plot .heatmaplayer").first)
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] * 11 / 12)
    page.wait_for_function("document.querySelector('.ev-plot')?.dataset.lit === '5'")
    assert (
        page.locator(".ev-plot").evaluate("plot => plot.layout.shapes.filter(shape => shape.type === 'rect').length")
        == 2  # above the last row of the table, and the middle one of the three rows of the output
    )


def test_a_picture_that_is_not_of_what_the_fields_say_is_dimmed(visit):
    page = open_view(visit, "Rows")
    picture = page.locator("[data-testid=stElementContainer]:has(.ev-plot) .stBidiComponent")
    for field, wrong, right in (("Token IDs", "99", "1, 2"), ("Rows", "99", "6")):
        box = page.get_by_label(re.compile(f"^{field}")).first
        for value, opacity in ((wrong, "0.4"), (right, "1")):
            box.fill(value)
            box.press("Enter")
            expect(picture).to_have_css("opacity", opacity)


def test_lines_lead_from_the_table_to_the_output_on_a_phone_too(visit):
    page = open_view(visit, "Rows", width=360, height=740)
    table, output = (outline(each) for each in page.locator(".ev-plot .heatmaplayer").all())
    assert table["x"] + table["width"] < output["x"]
    for line in map(outline, page.locator(".ev-plot .scatterlayer .lines path").all()):
        assert line["x"] == pytest.approx(table["x"] + table["width"], abs=2)
        assert line["x"] + line["width"] == pytest.approx(output["x"], abs=2)
        assert table["y"] <= line["y"]
        assert line["y"] + line["height"] <= table["y"] + table["height"]


def test_padded_sentences_stand_below_each_other(visit):
    page = visit("/batches?view=Padding", drawn=False)
    lists = page.get_by_role("list", name="Counted from the edge")
    expect(lists).to_have_count(2)
    short, long = ([round(outline(each)["x"]) for each in rows.get_by_role("listitem").all()] for rows in lists.all())
    assert len(short) == len(long) == 11  # with the next word
    assert short == long
