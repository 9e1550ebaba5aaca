"""Behind a proxy that was set up with a line too few, a page works, or says which line is missing."""

import re
from contextlib import closing
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser import chromium, server
from tests.browser.views import DRAWN
from tests.proxy import proxy


@pytest.mark.parametrize(
    ("drops", "sentence"),
    [
        (["host", "upgrade", "connection"], "A proxy in front of it must pass on the header Host"),  # nginx's default
        (["upgrade", "connection"], "A proxy in front of it must pass on Upgrade and Connection"),
    ],
    ids=["no Host", "no Upgrade"],
)
def test_a_page_whose_websocket_is_kept_back_says_what_the_proxy_must_pass_on(window, address, drops, sentence):
    page = window.new_page()
    with proxy(urlsplit(address).port, drops=drops) as visited:
        page.goto(f"{visited}/tokenizers")
        expect(page.get_by_role("alert")).to_contain_text(sentence)
        expect(page.get_by_role("alert")).to_have_count(1)
        page.close()


def test_a_page_behind_a_proxy_that_passes_all_of_it_on_is_drawn(window, address):
    page = window.new_page()
    with proxy(urlsplit(address).port) as visited:
        page.goto(f"{visited}/compare?a=the+cat+sat")
        expect(page.locator(DRAWN)).to_have_count(1)
        expect(page.get_by_role("alert")).to_have_count(0)
        page.close()


@pytest.mark.parametrize("path", ["/app?a=the+cat+sat", "/app/compare?a=the+cat+sat", "/app/?a=the+cat+sat"])
def test_under_a_prefix_that_a_proxy_strips_pages_are_drawn_also_without_its_last_slash(browser, address, path):
    """In a window in which the page's policy holds, since a script in the page adds the slash."""
    with closing(chromium.window(browser)) as context:
        page = context.new_page()
        with proxy(urlsplit(address).port, prefix="/app", strips=True) as site:
            page.goto(site + path)
            expect(page).to_have_url(re.compile(f"^{site}/app/\\?a=the(\\+|%20)cat"))
            expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("the cat sat")


def test_under_a_prefix_that_a_proxy_keeps_pages_are_drawn_once_the_server_knows_it(window):
    port, page = server.free_port(), window.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    known = {"STREAMLIT_SERVER_BASE_URL_PATH": "demo/app.v1"}
    with server.running(server.uvicorn(port), port, known), proxy(port, prefix="/demo/app.v1") as site:
        page.goto(f"{site}/demo/app.v1?a=the+cat+sat")
        expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("the cat sat")
        expect(page.locator(DRAWN)).to_have_count(1)
        page.get_by_role("navigation").get_by_role("link", name="Lookup").click()
        expect(page).to_have_url(re.compile("/demo/app.v1/lookup"))
        page.reload()
        expect(page.locator(DRAWN)).to_have_count(1)
        assert {url for url in asked if not url.startswith((f"{site}/demo/app.v1", "blob:", "data:"))} == set()
        page.close()


def test_in_a_frame_without_an_address_of_its_own_a_page_says_what_to_add(browser: Browser, address):
    """Its modules do not run there, so nobody else would say it. In a window in which the page's policy holds."""
    context: BrowserContext
    with closing(chromium.window(browser)) as context:
        page = context.new_page()
        framing = f'<!doctype html><iframe sandbox="allow-scripts" src="{address}/lookup?lang=de"></iframe>'
        page.route("**/framing", lambda route: route.fulfill(body=framing, content_type="text/html"))
        page.goto(f"{address}/framing")
        root = page.frame_locator("iframe").locator("#root")
        expect(root).to_have_attribute("data-loading", re.compile("allow-same-origin"))
        shown = root.evaluate("(root) => getComputedStyle(root, '::before').content")
        assert "allow-same-origin" in shown
