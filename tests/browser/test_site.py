"""The site without a server, as a browser opens it from a disk."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import use_language
from embedviz.base.pages import page_at
from embedviz.command import site
from embedviz.text.samples import pairs
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.whole_way.pair import Asked, whole_way_of
from embedviz.ui.whole_way.words import attention_words, headline
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


@pytest.fixture
def typed(folder: Path, browser: Browser) -> Iterator[Callable[[str], Page]]:
    """Opens the whole way of the site's own pair from a disk, in a language or at an address of this file."""
    complaints: list[str] = []
    window = chromium.window(browser, offline=True)

    def open_page(at: str = "en/compare-whole-1.html") -> Page:
        page = window.new_page()
        watch(page, folder.as_uri(), complaints)
        page.goto(f"{folder.as_uri()}/{at}")
        expect(page.locator(".typed input")).to_have_count(2)
        return page

    yield open_page
    window.close()
    assert complaints == []


def answers(page: Page) -> list[str]:
    """What follows A and B, with the chances of the words that are drawn."""
    return page.locator(".way svg text.title").all_text_contents()


OFF, ON = "Without positions, one layer gives two orders one answer", "With positions, two orders get two answers"


def test_two_sentences_that_are_typed_are_led_the_whole_way_without_a_server(typed):
    page = typed()
    heading, on = page.get_by_role("heading", level=1), page.get_by_role("button", name="Positions on", exact=True)
    expect(heading).to_have_text(OFF)
    page.get_by_label("Sentence A").fill("the dog bites the man")
    page.get_by_label("Sentence B").fill("the man bites the dog")
    expect(heading).to_have_text(OFF)
    chips = page.locator(".way .chips .word")
    assert chips.all_text_contents() == ["the", "dog", "bites", "the", "man", ",", "who", "bites", "?"]
    on.click()
    expect(heading).to_have_text(ON)
    expect(page.locator(".way svg text", has_text="right word")).to_have_count(2)
    expect(page.locator(".way .look")).to_contain_text("“dog” and “man” stand at other places in B")
    page.get_by_role("slider").press("ArrowLeft")
    expect(page.get_by_text("50 %", exact=True)).to_be_visible()
    assert "the', 'man', 'bites', 'the', 'dog'" in page.locator("pre code").text_content()
    again = typed("en/compare-whole-1.html#" + page.evaluate("location.hash").removeprefix("#"))
    expect(again.get_by_label("Sentence B")).to_have_value("the man bites the dog")


def test_a_word_that_the_gpt_lacks_is_named_beside_its_field_and_nothing_is_lost(typed):
    page = typed()
    before = answers(page)
    page.get_by_label("Sentence B").fill("the zebra sat")
    message = page.get_by_role("alert").filter(has_text="zebra")
    expect(message).to_have_text(str(unknown("the zebra sat")))
    expect(page.get_by_label("Sentence B")).to_have_value("the zebra sat")
    expect(page.get_by_label("Sentence B")).to_have_attribute("aria-invalid", "true")
    assert answers(page) == before
    page.get_by_label("Sentence B").fill("the mat sat on the cat")
    expect(message).to_have_count(0)
    expect(page.get_by_label("Sentence B")).to_have_attribute("aria-invalid", "false")


def test_names_of_columns_stand_beside_each_other_whatever_word_is_the_last(typed):
    page = typed()
    for name in "AB":
        page.get_by_label(f"Sentence {name}").fill("the man behind")
    expect(page.locator(".way .names > *", has_text="behind")).to_have_count(2)
    boxes = [each.bounding_box() for each in page.locator(".way .names > *").all()]
    assert all(one["x"] + one["width"] < other["x"] for one, other in pairwise(boxes))


def unknown(text: str) -> EmbedvizError:
    with pytest.raises(EmbedvizError) as caught:
        next_word.forward(bundled(BUNDLED["learned"]), text)
    return caught.value


def test_words_of_b_are_dragged_and_another_gpt_is_pressed_in_the_file(typed):
    page = typed()
    page.get_by_role("button", name="Positions on", exact=True).click()
    chips = page.locator(".way .chips button")
    cat, mat = (chips.nth(n).bounding_box() for n in (1, 5))
    page.mouse.move(cat["x"] + 20, cat["y"] + 8)
    page.mouse.down()
    page.mouse.move(mat["x"] + 20, mat["y"] + 4, steps=6)
    page.mouse.up()
    heading = page.get_by_role("heading", level=1)
    expect(page.get_by_label("Sentence B")).to_have_value("the cat sat on the mat")
    expect(heading).to_contain_text("One sentence twice")
    chips.nth(1).press("Enter")
    chips.nth(5).press("Enter")
    expect(heading).to_have_text(ON)
    page.get_by_role("button", name="RoPE", exact=True).click()
    expect(heading).to_have_text("With positions inside attention, two orders get two answers")
    page.get_by_role("button", name="no positions, 2 layers", exact=True).click()
    expect(heading).to_have_text("By the mask alone, 2 layers give two orders two answers")
    expect(page.get_by_text("This model has no positions to switch.")).to_be_visible()


def test_what_the_browser_says_is_in_the_language_of_the_page(typed):
    page = typed("de/compare-whole-1.html")
    page.get_by_label("Satz B").fill("the mat sat on the cat")
    page.get_by_role("slider").press("End")
    with use_language("de"):
        way = whole_way_of(Asked(("the cat sat on the mat", "the mat sat on the cat")))
        expect(page.get_by_role("heading", level=1)).to_have_text(headline(way.full, is_on=True))
        expect(page.locator(".way .look strong")).to_have_text(attention_words(way, way.full))


def test_other_files_and_languages_that_are_not_here_are_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(EmbedvizError, match="other files"):
        site.write(tmp_path, ["en"])
    for languages in (["xx"], []):
        with pytest.raises(EmbedvizError, match="Name languages of de, en"):
            site.write(tmp_path / "new", languages)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
