"""What a visitor takes along: the link, the page as a file, figures as pictures and tables."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

import embedviz as ev
from embedviz.vectors.tables import token_table
from tests.browser import access

NUMBERS = """() => {
  const number = (part) => (Number.isNaN(part) ? null : part) // which is never equal to itself
  const listed = (part) => (part?.length && typeof part !== "string" ? Array.from(part, number) : number(part))
  const axes = ({ x, y, z }) => [x, y, z].map((axis) => axis && Array.from(axis, listed))
  return [...document.querySelectorAll(".ev-plot")].map((plot) => plot.data.map(axes))
}"""


def open_panel(page: Page) -> None:
    page.get_by_role("button", name="Share", exact=True).click()


def saved(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name=button).first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_the_link_is_copied_and_the_numbers_of_a_figure_are_those_of_the_library(visit, tmp_path):
    page = visit("/lookup?looked_up=ids&table_seed=7", drawn=False)
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_panel(page)
    page.get_by_role("button", name="Copy link", exact=True).click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert "table_seed=7" in page.url
    the_numbers_of_a_figure_are_those_of_the_library(page, tmp_path)


def test_a_figure_becomes_a_table_with_formulas_as_text_and_a_picture_at_the_size_of_a_slide(visit, tmp_path):
    page = visit("/?view=map&a=%3D1%2B1&b=%40x&prefix_space=false&output_dim=4")
    open_panel(page)
    rows = list(csv.reader(io.StringIO(saved(page, "CSV: Scatter plot", tmp_path).read_text(encoding="utf-8-sig"))))
    assert "'=" in [row[0] for row in rows if row]
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "@")]
    picture = Image.open(saved(page, "PNG: Scatter plot", tmp_path))
    assert picture.size == (1920, 1080)
    colours = np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)
    assert len(colours) > 100  # drawn, not blank
    drawing = saved(page, "SVG: Scatter plot", tmp_path).read_text()
    page.set_content(drawing)  # a browser reads it as a picture of that size, with its words
    size = page.locator("svg").first.evaluate("svg => [svg.width.baseVal.value, svg.height.baseVal.value]")
    assert size == [960, 540]
    expect(page.get_by_text("A: input", exact=True)).to_be_visible()


def the_numbers_of_a_figure_are_those_of_the_library(page: Page, folder: Path) -> None:
    text = saved(page, "CSV: A table of 6 rows", folder).read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["table"]
    assert rows[2][0] == "0"
    shown = np.array([row[1:] for row in rows[2:8]], dtype=np.float64)
    assert np.array_equal(shown.astype(np.float32), token_table(6, ev.Spec(output_dim=3, seed=7)))


def test_a_figure_can_be_read_as_a_table_by_keyboard_and_axe_finds_nothing_in_the_panel(visit):
    page = visit("/lookup?looked_up=ids", drawn=False)
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    the_table_is_opened_and_left_by_keys(page)
    panel_and_table_are_without_fault(page)


def the_table_is_opened_and_left_by_keys(page: Page) -> None:
    page.get_by_role("button", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Table: A table of 6 rows").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    table = dialog.get_by_role("table", name="table, 6 × 3")
    first = table.get_by_role("row").nth(1).get_by_role("cell").first
    assert float(first.inner_text().replace("−", "-")) == pytest.approx(0.3374, abs=1e-4)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Table: A table of 6 rows")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Copy link")).to_be_hidden()
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_focused()


def test_the_panel_closes_when_a_view_is_chosen(visit):
    page = visit()
    open_panel(page)
    expect(page.get_by_role("button", name="Copy link", exact=True)).to_be_visible()
    page.get_by_role("radio", name="Map").click()
    expect(page.get_by_role("button", name="Copy link", exact=True)).to_be_hidden()
    expect(page.get_by_role("button", name="Share", exact=True)).to_have_attribute("aria-expanded", "false")


def test_what_comes_while_the_panel_is_open_is_offered_too(visit):
    page = visit("/attention", drawn=False)
    open_panel(page)  # before the page has run to its end
    for name in ("Notebook: Program", "CSV: Vectors", "PNG: No positions", "Table: No positions"):
        expect(page.get_by_role("button", name=name).first).to_be_visible()
    page.get_by_role("button", name="CSV: Vectors").focus()
    page.evaluate("document.querySelector('.ev-plot').removeAttribute('data-drawn')")
    expect(page.get_by_role("button", name="PNG: No positions")).to_have_count(0)
    expect(page.get_by_role("button", name="CSV: Vectors")).to_be_focused()


def panel_and_table_are_without_fault(page: Page) -> None:
    """By axe, and on the screen."""
    open_panel(page)
    for size, theme in ((access.WIDE, "light"), (access.PHONE, "dark")):
        access.resize(page, size, theme)
        box = page.get_by_role("region", name="Share").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        access.check(page)
    page.get_by_role("button", name="Table: A table of 6 rows").click()
    for size, theme in ((access.PHONE, "dark"), (access.WIDE, "light")):
        access.resize(page, size, theme)
        access.check(page)
