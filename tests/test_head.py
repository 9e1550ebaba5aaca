"""The head of the pages, over a real server."""

import gzip
import http.client
import re
from collections.abc import Iterator

import brotli
import pytest

from embedviz.ui.component import ASSETS
from embedviz.ui.head import with_imports
from tests.browser import server

PAGES = ("/", "/lookup", "/vocabulary", "/tokenizers", "/batches?a=1", "/no-such-page")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = server.free_port()
    with server.running(server.uvicorn(port), port):
        yield port


def ask(port: int, path: str) -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip, deflate, br"})
    answer = connection.getresponse()
    body = answer.read()
    decompress = {"gzip": gzip.decompress, "br": brotli.decompress}.get(answer.headers["Content-Encoding"])
    if decompress:
        body = decompress(body)
    connection.close()
    return answer, body.decode("utf-8")


@pytest.mark.parametrize("path", PAGES)
def test_all_that_the_head_names_is_there(port, path):
    answer, page = ask(port, path)
    assert answer.status == 200
    assert int(answer.headers["Content-Length"]) == len(page.encode())
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "ETag" not in answer.headers
    assert "Accept-Ranges" not in answer.headers
    ours = re.findall(r'(?:href|src)="(assets/[^"]+)"', page)
    assert any(file.endswith("base.js") for file in ours)
    for file in ours:
        found, body = ask(port, f"/{file}")
        assert found.status == 200
        assert "text/html" not in found.headers["Content-Type"], file
        assert body


def test_each_page_names_what_its_pictures_need(port):
    assert "/cloud_gl.js" in ask(port, "/vocabulary")[1]
    assert "plotly.min.js" not in ask(port, "/vocabulary")[1]
    assert "plotly.min.js" in ask(port, "/")[1]
    assert "/plot.js" in ask(port, "/lookup")[1]
    for first_without_a_figure in ("/batches", "/tour", "/tokenizers"):
        assert "plotly.min.js" not in ask(port, first_without_a_figure)[1]


@pytest.mark.parametrize("path", ["/_stcore/health", "/favicon.png", "/assets/plotly/plotly.min.js"])
def test_what_is_no_page_stays_as_it_is(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert b"<head>" not in answer.read()[:1000]
    assert answer.status == 200


def test_the_head_of_a_hostile_path_holds_nothing_of_it(port):
    assert "onerror" not in ask(port, "/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E")[1]


def test_imports_are_followed_to_the_end():
    for path in ASSETS.glob("*.js"):
        named = set(with_imports(path.stem))
        for each in named:
            imported = re.findall(r'from "\./(\w+)\.js"', (ASSETS / f"{each}.js").read_text("utf-8"))
            assert named.issuperset(imported)


def test_until_its_scripts_have_come_a_page_says_that_it_loads(port):
    page = ask(port, "/lookup")[1]
    assert '#root:empty::before { content: "embedviz is loading …"' in page
    assert '<div id="root"></div>' in page  # else nothing of it would show
