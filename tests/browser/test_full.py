"""A visitor who finds the server full waits on a page that comes back by itself."""

import re
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from websockets.exceptions import InvalidStatus

from tests.browser import access, chromium, server
from tests.browser.conftest import leave
from tests.browser.views import settle, through_menu
from tests.session import visiting

pytestmark = pytest.mark.xdist_group("full")  # in one worker, which starts their server once

_NOTICES = {"/lookup": "embedviz is full just now", f"/?a={'x' * 5000}": "This address is too long"}


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = server.free_port()
    limits = {"EMBEDVIZ_SESSIONS": "1", "EMBEDVIZ_RETRY_SECONDS": "2", "EMBEDVIZ_ADDRESS_KIB": "4"}
    limits |= {
        "EMBEDVIZ_EDITS_PER_SECOND": "1",
        "EMBEDVIZ_EDITS_AT_ONCE": "3",
        "EMBEDVIZ_UPLOAD_MB": "1",
        "EMBEDVIZ_VECTORS_MIB": "1",
    }
    with server.running(server.uvicorn(port), port, limits):
        yield port


@pytest.fixture
def come(window: BrowserContext, port: int) -> Iterator[Callable[[str], Page]]:
    """Open a path as a new visitor, who leaves after the test."""
    _empty(port)
    pages: list[Page] = []

    def come(path: str = "") -> Page:
        pages.append(window.new_page())
        pages[-1].set_viewport_size({"width": 1280, "height": 720})
        if path:
            pages[-1].goto(f"http://127.0.0.1:{port}{path}")
        return pages[-1]

    yield come
    for page in pages:
        leave(page, f"http://127.0.0.1:{port}")
        page.close()
    window.clear_cookies()


def in_both(page: Page) -> Iterator[int]:
    """The page on a wide screen, and in the dark on a phone; gives the width."""
    for theme, width in (("light", 1280), ("dark", 360)):
        page.set_viewport_size({"width": width, "height": 720})
        page.emulate_media(color_scheme=theme)
        yield width


def test_waits_and_comes_back_to_the_same_view(come, port):
    with visiting(port) as session:
        session.run()
        page = come("/?a=dog+bites+man&b=man+bites+dog")
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now")
        expect(page.get_by_text("1 visitor is connected")).to_be_visible()
        expect(page.locator("output")).to_have_text("in 1 second")
        with page.expect_response(lambda response: response.status == 503):  # it has asked again, in vain
            pass
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites man")
    assert "a=dog+bites+man" in page.url
    page.reload()  # it is full, by this page itself, which may come in again
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog bites man")


def test_a_page_whose_connection_is_refused_says_so_too(come, port):
    """Two get the page before one of them is connected."""
    page = come()
    page.route("**/_stcore/health", lambda _: None)  # holds it back
    with page.expect_request("**/_stcore/health"):
        page.goto(f"http://127.0.0.1:{port}/?a=dog")
    with visiting(port) as session:
        session.run()
        page.unroute("**/_stcore/health")  # lets the held ones go
        expect(page.get_by_role("heading")).to_have_text("embedviz is full just now")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value("dog")


@pytest.mark.parametrize("path", _NOTICES)
def test_the_notices_are_without_fault(come, port, path):
    with visiting(port):
        page = come(path)
        expect(page.get_by_role("heading")).to_have_text(_NOTICES[path])
        for background, _ in zip(("rgb(255, 255, 255)", "rgb(15, 18, 24)"), in_both(page), strict=True):
            expect(page.locator("body")).to_have_css("background-color", background)
            access.check_axe(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Each click is a change that the page sends at once. A field that one types into would gather letters as long as the
# server is behind, so that on a slow server nobody types too fast.
_FLOOD = """async (toggle) => {
  for (let n = 0; n < 13; n++) {
    toggle.click()
    await new Promise(requestAnimationFrame)
  }
}"""


def test_of_changes_that_come_too_fast_the_last_one_counts(come):
    page = come("/tokenizers?cut=text")
    toggle = page.get_by_role("switch", name="Add prefix space")
    for is_on in (True, False, True):
        toggle.evaluate(_FLOOD)
        settle(page)
        expect(toggle).to_be_checked(checked=is_on)
    expect(page).to_have_url(re.compile("leading_space=true"))


def test_a_file_that_is_too_large_says_so_where_it_was_chosen(come):
    page = come("/batches?sample=Upload+a+file")
    large = {"name": "large.txt", "mimeType": "text/plain", "buffer": b"the cat " * 150_000}
    page.locator("input[type=file]").set_input_files(large)
    message = page.get_by_text("File must be 1.0MB or smaller.")
    expect(message).to_be_visible()
    for width in in_both(page):
        settle(page)
        box = message.bounding_box()
        assert box["width"] > 100
        assert box["x"] + box["width"] < width


def test_a_page_that_does_not_show_the_sentences_leaves_out_what_its_address_has_no_room_for(come):
    cats = "🐈" * 340  # twelve characters each in an address, of which this server takes 4,096
    page = come(f"/?b=a+dog&a={quote(cats)}")
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(cats)
    through_menu(page, "Training")
    expect(page).to_have_url(re.compile(r"/training\?b=a\+dog$"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Training gathers"))
    page.reload()
    page.get_by_role("link", name="Compare").click()
    expect(page.get_by_role("textbox", name="Sentence A")).to_have_value(cats)
    expect(page.get_by_role("textbox", name="Sentence B")).to_have_value("a dog")


def _empty(port: int) -> None:
    """Wait until those of the test before have left."""
    until = time.monotonic() + chromium.HANGS / 1000
    while True:
        try:
            with visiting(port):
                return
        except InvalidStatus:
            assert time.monotonic() < until
            time.sleep(0.1)
