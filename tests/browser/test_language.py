"""Each visitor's own language: by the browser, by the menu in the corner, and from a file that a server names."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser import chromium
from tests.browser.conftest import watch
from tests.browser.views import settle


@pytest.fixture(scope="module")
def german_window(browser: Browser) -> BrowserContext:
    """A window of a browser that prefers Austrian German."""
    return chromium.window(browser, bypass_csp=True, locale="de-AT")


@pytest.fixture
def german(german_window: BrowserContext) -> Iterator[Page]:
    """A page of a new visitor there."""
    page = (german_window.pages or [german_window.new_page()])[0]
    yield page
    page.goto("about:blank")
    german_window.clear_cookies()


@pytest.mark.xdist_group("elsewhere")
def test_compare_speaks_german_as_far_as_the_file_goes_and_english_beyond(german, elsewhere):
    german.goto(f"{elsewhere.address}/?view=pairs")
    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(german.get_by_role("link", name="Vergleichen")).to_be_visible()
    said = "6 von 6 Tokens von A haben ohne Positionen eine gleiche Kopie in B."
    expect(german.locator(".st-key-claim_before h1")).to_have_text(said)
    said = german.locator("section p").first
    expect(said).to_have_text("Eine Tabelle gibt die Zeile der ID, wo auch immer das Token steht.")
    expect(german.get_by_role("button", name="Teilen", exact=True)).to_be_visible()
    expect(german.get_by_role("textbox", name="Sentence A")).to_be_visible()  # not in the file
    # From a script; what could end the page's data has not.
    slider = german.get_by_role("slider", name="Share of the positions")
    expect(slider).to_have_attribute("aria-valuetext", "0 % der Positionen </script>")


def language(page: Page, tag: str) -> None:
    """The page and its components speak this language."""
    expect(page.locator("html")).to_have_attribute("lang", tag)
    share = {"en": "Share", "de": "Teilen", "ja": "共有"}[tag]
    expect(page.get_by_role("button", name=share, exact=True)).to_be_visible()


def test_the_menu_changes_the_language_and_keeps_the_view(visit):
    page = visit("/?view=map&a=dog+bites+man&b=man+bites+dog&seed=5")
    language(page, "en")
    menu = page.get_by_role("combobox", name="Language")
    assert menu.locator("option").all_text_contents()[:2] == ["Deutsch", "English"]
    menu.select_option("日本語")
    language(page, "ja")
    expect(page).to_have_url(re.compile("view=map.*lang=ja"))
    expect(page.locator(".ev-plot[data-drawn]")).to_have_count(1)
    expect(page.locator(".st-key-frame_onward a strong")).to_contain_text("。")
    expect(page.locator(".st-key-a input")).to_have_value("dog bites man")
    assert page.evaluate("new URLSearchParams(location.search).get('seed')") == "5"


def test_the_chosen_language_goes_along_to_other_pages_and_back_again(visit):
    page = visit("/?view=map")
    headline = page.get_by_role("heading", level=1)
    english = headline.inner_text()
    page.get_by_role("link", name="Lookup", exact=True).click()
    expect(page).to_have_url(re.compile("/lookup"))
    settle(page)
    page.get_by_role("combobox", name="Language").select_option("Deutsch")
    language(page, "de")
    settle(page)
    page.go_back()
    expect(page).to_have_url(re.compile("view=map.*lang=de"))
    language(page, "de")
    settle(page)
    title = headline.inner_text()
    page.reload()
    language(page, "de")
    expect(headline).to_have_text(title)
    assert title != english


def test_the_browsers_language_counts_unless_the_address_names_one(german, address):
    complaints = []
    end = watch(german, address, complaints)
    german.goto(f"{address}/lookup")
    language(german, "de")
    german.goto(f"{address}/lookup?lang=en")
    language(german, "en")
    german.goto(f"{address}/lookup?lang=klingon")
    language(german, "de")
    end()
    assert complaints == []


def test_a_saved_page_stays_in_its_language(visit, tmp_path):
    page = visit("/?lang=de")
    language(page, "de")
    page.get_by_role("button", name="Teilen", exact=True).click()
    with page.expect_download() as saving:
        page.locator(".st-key-share .page").click()
    content = saving.value.path().read_text("utf-8")
    assert '<html lang="de"' in content
    assert page.get_by_role("heading", level=1).inner_text() in content


def test_streamlits_own_words_are_seen_and_heard_in_the_pages_language(visit):
    page = visit("/positions?view=table&lang=de")
    page.get_by_test_id("stNumberInput").first.hover()  # which shows its steps
    expect(page.get_by_role("button", name="Erhöhen")).not_to_have_count(0)
    page.get_by_role("button", name="Einstellungen", exact=True).click()
    expect(page.locator("[aria-label^='Hilfe zu ']")).not_to_have_count(0)
    expect(page.locator("[aria-label^='Help for '], [aria-label=Increment]")).to_have_count(0)


def test_numbers_of_scripts_figures_and_sliders_are_written_as_the_language_does(visit):
    page = visit("/?lang=de", drawn=False)
    expect(page.locator(".way").get_by_text(re.compile(r"^0,\d\d$")).first).to_be_visible()
    page = visit("/positions?view=table&lang=de", drawn=False, new=True)
    expect(page.locator(".ev-plot").get_by_text("0,5", exact=True)).to_be_visible()
    page = visit("/positions?lang=de", drawn=False, new=True)
    page.get_by_role("button", name="Einstellungen").click()
    slider = page.locator('[data-testid="stSlider"]')
    expect(slider.get_by_text("1,00", exact=True)).to_be_visible()
    slider.locator("input").press("ArrowRight")
    expect(slider.get_by_text("1,05", exact=True)).to_be_visible()
    expect(slider.get_by_text("4,00", exact=True)).to_be_visible()
    expect(slider.locator("input")).to_have_attribute("aria-valuetext", "1,05")
