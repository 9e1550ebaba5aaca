"""One server for all browser tests, one browser for those of a worker; a fresh page, with its complaints, for each."""

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import chromium, server
from tests.browser.views import DRAWN, EMPTY

expect.set_options(timeout=chromium.HANGS)

# Of a server whose own file is incomplete.
GERMAN = """\
msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Compare"
msgstr "Vergleichen"

msgid "{n} of {of} token vectors of A is in B too, bit for bit"
msgid_plural "{n} of {of} token vectors of A are in B too, bit for bit"
msgstr[0] "{n} von {of} Token von A hat ohne Positionen eine gleiche Kopie in B."
msgstr[1] "{n} von {of} Tokens von A haben ohne Positionen eine gleiche Kopie in B."

msgid "A lookup copies the row of an ID, wherever its token stands."
msgstr "Eine Tabelle gibt die Zeile der ID, wo auch immer das Token steht."

msgid "Share"
msgstr "Teilen"

#: embedviz/ui/components/slider/slider.js
msgid "{share} % of the positions"
msgstr "{share} % der Positionen </script>"

msgid "the first {rows} × {columns} at most, all in the CSV"
msgstr "höchstens die ersten {rows} × {columns}, alle in der CSV-Datei"
"""


_ADDRESS = pytest.StashKey[str]()


def _address(config: pytest.Config) -> str:
    """Where the app is: on a server that starts when it is first asked for, and ends with the tests."""
    if _ADDRESS not in config.stash:
        stack, port = ExitStack(), server.free_port()
        config.add_cleanup(stack.close)
        config.stash[_ADDRESS] = stack.enter_context(server.running(server.uvicorn(port), port))
    return config.stash[_ADDRESS]


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One worker more than there are cores, since a test often waits for the browser, which leaves a core idle."""
    return (yield) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Give all workers the same server, which loads tokenizers and vocabularies once."""
    node.workerinput["address"] = _address(node.config)


@pytest.fixture(scope="session")
def address(request: pytest.FixtureRequest) -> str:
    given = getattr(request.config, "workerinput", {})
    return given.get("address") or _address(request.config)


@dataclass(frozen=True)
class Elsewhere:
    """A second server, and the port where it looks for the Hub, on which nobody answers yet."""

    address: str
    hub_port: int


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    """A server with a German file of its own and without a network; its tests are in one group, so it starts once."""
    folder, port, hub_port = tmp_path_factory.mktemp("elsewhere"), server.free_port(), server.free_port()
    (folder / "de.po").write_text(GERMAN, "utf-8")
    variables = {
        "EMBEDVIZ_LANGUAGE": str(folder / "de.po"),
        "HF_ENDPOINT": f"http://127.0.0.1:{hub_port}",
        "HF_HOME": str(folder / "home"),
        "NO_PROXY": "127.0.0.1",
    }
    with server.running(server.uvicorn(port), port, variables) as found:
        yield Elsewhere(found, hub_port)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium.installed()
    assert path, f"The browser tests need {chromium.MISSING}"
    with sync_playwright() as playwright:
        found = chromium.launch(playwright, path)
        yield found
        found.close()


@pytest.fixture(scope="session")
def window(browser: Browser) -> BrowserContext:
    """The window of all visits, in which what the site's pages share is loaded and compiled once."""
    # Waiting for an expression evaluates it in the page, which the site forbids; test_take_along.py keeps to that.
    return chromium.window(browser, bypass_csp=True)


@pytest.fixture
def visit(window: BrowserContext, address: str):
    """Open a path of the app, the pairs of Compare if none is named, and wait until it is drawn.

    The first visit of a test is in a page that all tests share, which is there sooner than a new one. Whoever adds to a
    page what cannot be taken away again, such as a script, asks for a new one, which is closed after the test.

    Visitors prefer reduced motion, with which much of the browser's work falls away; whoever tests what moves asks
    for a page that does.

    Afterwards nothing may have gone wrong in the browser: no exception, no error on the console, no
    request to anyone but the server.
    """
    complaints: list[str] = []
    shared = window.pages[:1] or [window.new_page()]
    ends = []

    def open_page(
        path: str = "/?view=pairs",
        width: int = 1280,
        height: int = 720,
        theme: str = "light",
        *,
        drawn: bool = True,
        new: bool = False,
        moves: bool = False,
    ) -> Page:
        page = shared.pop() if shared and not new else window.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme, reduced_motion="no-preference" if moves else "reduce")
        ends.append(watch(page, address, complaints))
        page.goto(address + path)
        if drawn:
            expect(page.locator(DRAWN)).to_have_count(1)
            expect(page.locator(".st-key-order:not(:has([data-drawn]))")).to_have_count(0)
        return page

    yield open_page
    for end in ends:
        end()
    _forget(window, address)
    assert complaints == []


def watch(page: Page, address: str, complaints: list[str]) -> Callable[[], None]:
    """Note exceptions, errors on the console, and requests to anyone but this address; returns what ends that."""
    listeners = {
        "pageerror": lambda error: complaints.append(str(error)),
        "console": lambda message: message.type == "error" and complaints.append(message.text),
        "request": lambda request: _is_outside(request.url, address) and complaints.append(request.url),
    }
    for event, listener in listeners.items():
        page.on(event, listener)

    def end() -> None:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)

    return end


def _is_outside(url: str, address: str) -> bool:
    return not url.startswith((address, address.replace("http", "ws"), "data:", "blob:"))


def _forget(window: BrowserContext, address: str) -> None:
    """Leave the shared page, close the others, and drop what they left behind: the next test finds a new visitor."""
    first, *others = window.pages
    for page in others:
        page.close()
    first.mouse.move(0, 0)
    leave(first, address)
    window.clear_cookies()
    window.clear_permissions()


def leave(page: Page, address: str) -> None:
    """Leave the site, and drop what it has stored in the browser."""
    page.goto(address + EMPTY)
    page.evaluate("(localStorage.clear(), sessionStorage.clear())")
