"""One server and one browser of each kind for all tests; each test fails if a page has complained."""

from collections.abc import Iterator

import pytest

from tests.browser import server
from tests.browsers import firefox, webkit
from tests.browsers.window import Window


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    port = server.free_port()
    with server.running(server.uvicorn(port), port) as found:
        yield found


@pytest.fixture(scope="session", params=[firefox.Firefox, webkit.WebKit], ids=["firefox", "webkit"])
def browser(request, tmp_path_factory) -> Iterator[firefox.Firefox | webkit.WebKit]:
    found = request.param(tmp_path_factory.mktemp("browser"))
    yield found
    found.close()


@pytest.fixture
def window(browser, address: str) -> Iterator[Window]:
    """Afterwards there may be no error on the console and no request to anyone but the server."""
    browser.resize(1280, 720)  # anew, since WebKit's window shows a bar for each file it saved, below the page
    yield Window(browser, address)
    inside = (address, address.replace("http", "ws"), "data:", "blob:", "about:")
    outside = [request for request in browser.requests if not request.startswith(inside)]
    complaints = list(browser.complaints)
    browser.requests.clear()
    browser.complaints.clear()
    assert complaints + outside == []
