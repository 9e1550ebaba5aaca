"""Static files over a real server: compressed once, kept for a year, nothing else of the disk."""

import asyncio
import contextlib
import gzip
import http.client
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz.web import CompressedFiles, Smallest, compressed

TEXT = b"const the = ['cat', 'sat', 'on', 'the', 'mat']\n" * 1000


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Iterator[int]:
    """A server whose app says "passed on" for everything that the files do not answer."""
    folder = tmp_path_factory.mktemp("site") / "files"
    (folder / "deeper").mkdir(parents=True)
    (folder.parent / "secret.js").write_text("secret")
    for name in ("a.js", "deeper/b.css", "picture.png", "late.js"):
        (folder / name).write_bytes(TEXT)
    routes = [Route("/{rest:path}", lambda request: PlainTextResponse("passed on"), methods=["GET", "POST"])]
    smallest = Smallest(folder.parent / "kept", later=0)
    app = Starlette(routes=routes, middleware=[Middleware(CompressedFiles, {"/files": folder}, smallest)])
    with socket.socket() as listener, _serving(app, listener):
        yield listener.getsockname()[1]


@contextlib.contextmanager
def _serving(app: Starlette, listener: socket.socket) -> Iterator[None]:
    listener.bind(("127.0.0.1", 0))
    listener.listen(100)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    yield
    server.should_exit = True
    thread.join()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, headers={"Accept-Encoding": "gzip, deflate"} | headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


@pytest.mark.parametrize(("path", "kind"), [("/files/a.js", "javascript"), ("/files/deeper/b.css", "text/css")])
def test_a_file_comes_compressed_and_may_be_kept(port, path, kind):
    answer, body = ask(port, f"{path}?v=1")
    assert gzip.decompress(body) == TEXT
    assert len(body) < len(TEXT) / 20
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kind in answer.headers["Content-Type"]
    assert int(answer.headers["Content-Length"]) == len(body)


def test_brotli_for_those_who_take_it_and_in_the_end_as_small_as_it_gets(port):
    deadline = time.monotonic() + 20
    while True:
        answer, body = ask(port, "/files/deeper/b.css", **{"Accept-Encoding": "gzip, deflate, br, zstd"})
        assert answer.headers["Content-Encoding"] == "br"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert brotli.decompress(body) == TEXT
        if body == brotli.compress(TEXT, quality=11):
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_head_has_the_headers_and_no_body(port):
    answer, body = ask(port, "/files/a.js", method="HEAD")
    assert body == b""
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/files/a.js", {"Accept-Encoding": "identity"}),
        ("/files/a.js", {"Accept-Encoding": "zstd"}),
        ("/files/a.js", {"Range": "bytes=0-9"}),
        ("/files/picture.png", {}),
        ("/files/none.js", {}),
        ("/files", {}),
        ("/", {}),
    ],
)
def test_the_rest_goes_on_to_the_app(port, path, headers):
    assert ask(port, path, **headers)[1] == b"passed on"


def test_a_post_goes_on_to_the_app(port):
    assert ask(port, "/files/a.js", method="POST")[1] == b"passed on"


@pytest.mark.parametrize(
    "path", ["/files/../secret.js", "/files/%2e%2e/secret.js", "/files//../secret.js", "/files/..%5csecret.js"]
)
def test_no_address_leads_out_of_the_directory(port, path):
    assert ask(port, path)[1] == b"passed on"


def test_a_file_is_compressed_once_for_all_who_ask(port, monkeypatch):
    calls = []
    compress = gzip.compress
    monkeypatch.setattr(compressed.gzip, "compress", lambda *args, **more: calls.append(1) or compress(*args, **more))
    with ThreadPoolExecutor(20) as pool:
        bodies = list(pool.map(lambda _: ask(port, "/files/late.js")[1], range(40)))
    assert len(set(bodies)) == len(calls) == 1
