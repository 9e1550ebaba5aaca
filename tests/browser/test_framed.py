"""A view in the frame of a page on another site, where a browser neither sends nor keeps the app's cookies."""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from embedviz.base.settings import ROOT
from tests.browser import chromium, server
from tests.browser.conftest import watch
from tests.browser.test_share import open_panel
from tests.browser.views import settle

PAIR = "a=dog+bites+man&b=man+bites+dog"
FAR = "[data-testid=stMain]"  # what scrolls if the frame is lower than the page in it
SHOWN = ".st-key-order [data-drawn], .ev-plot[data-drawn]"


@dataclass
class Course:
    """A site with one page. To a browser, 127.0.0.1 is another site than localhost, where the app is."""

    address: str
    html: str = ""


class _Answer(http.server.BaseHTTPRequestHandler):
    course: Course

    def do_GET(self) -> None:
        body = f"<!doctype html><meta charset=utf-8><h1>Course</h1>{self.course.html}<p>The text goes on.".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def courses() -> Iterator[list[Course]]:
    """Two sites: the first may show the app."""
    answers = [type("Answer", (_Answer,), {}) for _ in range(2)]
    sites = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), answer) for answer in answers]
    for answer, site in zip(answers, sites, strict=True):
        answer.course = Course(f"http://127.0.0.1:{site.server_address[1]}")
        threading.Thread(target=site.serve_forever, daemon=True).start()
    yield [answer.course for answer in answers]
    for site in sites:
        site.shutdown()
        site.server_close()


@pytest.fixture(scope="module")
def app(courses: list[Course]) -> Iterator[str]:
    port = server.free_port()
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_FRAME_ANCESTORS": courses[0].address}) as address:
        yield address.replace("127.0.0.1", "localhost")


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A window of its own."""
    with contextlib.closing(chromium.window(browser, viewport={"width": 1000, "height": 720})) as found:
        yield found


@pytest.fixture
def page(window: BrowserContext, app: str, courses: list[Course]) -> Iterator[Page]:
    complaints: list[str] = []
    page = window.new_page()
    end = watch(page, "http://", complaints)
    yield page
    end()
    page.close()
    assert [each for each in complaints if "frame-ancestors" not in each] == []


def framed(page: Page, course: Course, html: str) -> Frame:
    """Open the course's page, and give the frame in it."""
    course.html = html
    page.goto(course.address)
    return page.frames[1]


def height(page: Page) -> int:
    return page.locator("iframe").evaluate("frame => frame.clientHeight")


def fits(page: Page, frame: Frame) -> None:
    """Wait until the frame is as high as the page in it."""
    frame.wait_for_function(f"(main => main.scrollHeight === main.clientHeight)(document.querySelector('{FAR}'))")
    gap = "main => main.clientHeight - main.querySelector('[data-testid=stMainBlockContainer]').offsetHeight"
    assert 0 <= frame.locator(FAR).evaluate(gap) <= 1


@pytest.mark.xdist_group("framed")
def test_the_frame_that_share_gives_is_as_high_as_its_page_and_has_the_controls_that_were_chosen(page, app, courses):
    page.goto(f"{app}/?view=pairs&{PAIR}&lang=de")
    expect(page.locator(SHOWN).first).to_be_visible()
    page.get_by_role("button", name="Teilen", exact=True).click()
    page.locator(".st-key-share .embed").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("[name=view]").check()
    dialog.locator("[name=lang]").select_option("fr")
    dialog.locator("[name=embed_options]").select_option("dark_theme")
    html = dialog.locator("textarea").input_value()
    frame = framed(page, courses[0], html)
    said = parse_qs(urlsplit(frame.url).query)
    assert (said["embed"], said["lang"], said["embed_options"]) == (["true"], ["fr"], ["dark_theme"])
    hidden = said["hide"][0].split(",")
    assert {"a", "b", "settings"} <= {*hidden}
    assert "view" not in hidden
    expect(frame.locator(SHOWN).first).to_be_visible()
    expect(
        frame.locator(".ev-pages, .st-key-share, .st-key-a, .st-key-frame_onward").locator("visible=true")
    ).to_have_count(0)
    assert frame.locator("html").get_attribute("lang") == "fr"
    assert frame.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is False
    assert frame.locator("[data-testid=stApp]").evaluate("app => getComputedStyle(app).colorScheme") == "dark"
    fits(page, frame)
    before = height(page)
    frame.get_by_role("radio").nth(2).click()  # another view is of another height
    expect(frame.locator(".ev-plot[data-drawn]")).to_have_count(1)
    page.wait_for_function(f"document.querySelector('iframe').clientHeight !== {before}")
    fits(page, frame)
    assert frame.evaluate("document.cookie") == ""  # SameSite=Lax: none for a frame of another site
    own = page.context.new_page()
    own.goto(app)
    assert "_streamlit_xsrf" in own.evaluate("document.cookie")  # where the app is no part of another site
    own.close()


@pytest.mark.xdist_group("framed")
def test_a_height_is_taken_from_the_frame_itself_alone(page, app, courses):
    html = (ROOT / "docs/embedding.md").read_text("utf-8").partition("```html\n")[2].partition("```")[0]
    frame = framed(page, courses[0], html.replace("https://embedviz.example.org", app))
    expect(frame.locator(SHOWN).first).to_be_visible()
    settle(frame)
    fits(page, frame)
    before = height(page)
    page.evaluate("postMessage({ embedviz: { height: 5 } }, '*')")
    frame.evaluate("parent.postMessage({ embedviz: { height: 'calc(9px)' } }, '*')")
    frame.evaluate("parent.postMessage(null, '*')")
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert height(page) == before
    frame.evaluate("parent.postMessage({ embedviz: { height: 1234 } }, '*')")
    page.wait_for_function("document.querySelector('iframe').clientHeight === 1234")


@pytest.mark.xdist_group("framed")
def test_a_page_that_is_not_allowed_shows_nothing_of_it(page, app, courses):
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        framed(page, courses[1], f'<iframe src="{app}/?{PAIR}&embed=1"></iframe>')
    expect(page.frame_locator("iframe").locator("[data-testid=stApp]")).to_have_count(0)
    frame = framed(page, courses[0], f'<iframe src="{app}/?view=pairs&{PAIR}&embed=1&hide=all"></iframe>')
    expect(frame.locator(SHOWN).first).to_be_visible()
    assert "embed=true" in frame.url


def test_the_dialog_is_the_same_as_the_guide_and_without_fault(visit):
    page = visit(f"/?view=pairs&{PAIR}")
    open_panel(page)
    page.get_by_role("button", name="Embed", exact=True).click()
    dialog = page.get_by_role("dialog")
    script = dialog.locator("textarea").input_value().partition("\n")[2]
    assert script.strip() in (ROOT / "docs/embedding.md").read_text("utf-8")
    assert "hide=all" in dialog.locator("textarea").input_value()
    for box in dialog.get_by_role("checkbox").all():
        box.check()
    assert "hide=" not in dialog.locator("textarea").input_value()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy", exact=True).click()
    expect(dialog.get_by_role("button", name="Done")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == dialog.locator("textarea").input_value()
