"""Files that were made without a browser: a browser shows in them what it shows on the page itself."""

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from embedviz.command.notebook import NotebookView
from embedviz.command.saved import saved
from tests.browser.conftest import watch
from tests.browser.test_share import NUMBERS
from tests.browser.test_take_along import ALL_ARE_THERE, N_PARTS, WORDS, alone, offline_window, scroll_through  # noqa: F401
from tests.browser.views import settle

ADDRESSES = {
    "pairs": ("compare", {"view": "pairs", "a": "dog bites man", "b": "man bites </script>"}),
    "whole": ("compare", {}),
    "map": ("compare", {"view": "map", "output_dim": "8"}),
    "windows": ("batches", {}),
    "cloud": ("vocabulary", {"tokenizer": "words", "output_dim": "8"}),
    "word map": ("vocabulary", {}),
    "table": ("positions", {"view": "table"}),
    "arrows": ("positions", {}),
    "layers": ("models", {"lang": "de"}),
}


@pytest.mark.parametrize(("name", "query"), ADDRESSES.values(), ids=ADDRESSES)
def test_a_file_made_without_a_browser_shows_what_the_page_shows(name, query, visit, alone, tmp_path):  # noqa: F811
    address = "/" if name == "compare" else f"/{name}"
    page = visit(f"{address}?{urlencode(query)}", drawn=False)
    settle(page)
    scroll_through(page)
    (tmp_path / "page.html").write_text(saved(name, query, language=query.get("lang", "en")), "utf-8")
    file = alone(tmp_path / "page.html")
    scroll_through(file)
    assert file.evaluate(NUMBERS) == page.evaluate(NUMBERS)
    assert file.evaluate(WORDS) == page.evaluate(WORDS)
    heading = file.get_by_role("heading", level=1).inner_text()
    expect(file.get_by_role("heading", name=heading, exact=True)).to_have_count(1)


def test_a_cell_shows_the_page_and_its_slider_moves(window, tmp_path):
    complaints: list[str] = []
    html = saved("compare", {"view": "pairs", "a": "dog bites man", "b": "man bites dog"})
    (tmp_path / "cell.html").write_text(f"<!doctype html><body>{NotebookView(html, 700)._repr_html_()}", "utf-8")
    page: Page = window.new_page()
    end = watch(page, tmp_path.as_uri(), complaints)
    page.goto((tmp_path / "cell.html").as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="3 of 3 token vectors of A are in B too, bit for bit")).to_be_visible()
    frame.get_by_role("slider", name="Share of the positions").fill("100")
    expect(frame.get_by_role("heading", name="With positions, 2 of 3 vectors of A are no longer in B")).to_be_visible()
    end()
    page.close()
    assert complaints == []
