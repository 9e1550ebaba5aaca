"""The site without a server, as a browser opens it from a disk."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from embedviz.base.errors import EmbedvizError
from embedviz.base.pages import page_at
from embedviz.command import site
from embedviz.text.samples import pairs
from tests.browser import chromium
from tests.browser.conftest import watch


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(site, "PAGES", [page_at("compare"), page_at("layers"), page_at("lookup")])
    monkeypatch.setattr(site, "pairs", lambda tag: pairs(tag)[:2])
    site.write(tmp_path / "site", ["en", "de"])
    return tmp_path / "site"


def test_every_link_of_the_site_leads_to_a_page_that_is_drawn_without_a_network(folder, browser: Browser):
    complaints: list[str] = []
    window = chromium.window(browser, offline=True)
    page = window.new_page()
    watch(page, folder.as_uri(), complaints)
    page.goto((folder / "index.html").as_uri())
    page.get_by_role("link", name="Deutsch").click()
    index = page.url
    links = page.locator("li a").evaluate_all("all => all.map(({ href }) => href)")
    files = {path.as_uri() for path in (folder / "de").glob("*.html")} - {index}
    assert set(links) == files
    compare, layers, lookup = (len(page.views) for page in site.PAGES)
    # Layers has one view that only a real model can fill, and none is here.
    assert len(files) == 2 * (compare + lookup + layers - 1)
    for link in links:
        page.goto(link)
        expect(page.locator("h1")).not_to_be_empty()
        for figure in page.locator(".ev-plot").all():
            figure.scroll_into_view_if_needed()
        expect(page.locator(".ev-plot:not([data-drawn])")).to_have_count(0)
        if "compare" in link:
            assert page.locator(".ev-plot").count() == ("pairs" not in link and "whole" not in link)
    page.get_by_role("link", name="embedviz").click()
    expect(page).to_have_url(index)
    assert page.locator("html").get_attribute("lang") == "de"
    window.close()
    assert complaints == []


def test_other_files_and_languages_that_are_not_here_are_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(EmbedvizError, match="other files"):
        site.write(tmp_path, ["en"])
    for languages in (["xx"], []):
        with pytest.raises(EmbedvizError, match="Name languages of de, en"):
            site.write(tmp_path / "new", languages)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
