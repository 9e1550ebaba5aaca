"""Static files over a real server: compressed once, kept for a year, nothing else of the disk."""

import asyncio
import contextlib
import gzip
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import brotli
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz.server import static_files
from embedviz.server.static_files import CompressedFiles
from tests.ask import Answer, ask

pytestmark = pytest.mark.xdist_group("static")  # in one worker, which starts their server once

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
    app = Starlette(routes=routes, middleware=[Middleware(CompressedFiles, {"/files": folder})])
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


def browsed(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    return ask(port, path, method, **{"Accept_Encoding": "gzip, deflate"} | headers)


@pytest.mark.parametrize(("path", "kind"), [("/files/a.js", "javascript"), ("/files/deeper/b.css", "text/css")])
def test_a_file_comes_compressed_and_may_be_kept(port, path, kind):
    answer = browsed(port, f"{path}?v=1")
    body = answer.body
    assert gzip.decompress(body) == TEXT
    assert len(body) < len(TEXT) / 20
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert kind in answer.headers["Content-Type"]
    assert int(answer.headers["Content-Length"]) == len(body)


def test_brotli_for_those_who_take_it(port):
    answer = browsed(port, "/files/deeper/b.css", Accept_Encoding="gzip, deflate, br, zstd")
    assert answer.headers["Content-Encoding"] == "br"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert brotli.decompress(answer.body) == TEXT
    assert len(answer.body) <= len(browsed(port, "/files/deeper/b.css").body)


def test_head_has_the_headers_and_no_body(port):
    answer = browsed(port, "/files/a.js", "HEAD")
    assert answer.body == b""
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/files/a.js", {"Accept_Encoding": "identity"}),
        ("/files/a.js", {"Accept_Encoding": "zstd"}),
        ("/files/a.js", {"Range": "bytes=0-9"}),
        ("/files/picture.png", {}),
        ("/files/none.js", {}),
        ("/files", {}),
        ("/", {}),
    ],
)
def test_the_rest_goes_on_to_the_app(port, path, headers):
    assert browsed(port, path, **headers).body == b"passed on"


def test_a_post_goes_on_to_the_app(port):
    assert browsed(port, "/files/a.js", "POST").body == b"passed on"


@pytest.mark.parametrize(
    "path", ["/files/../secret.js", "/files/%2e%2e/secret.js", "/files//../secret.js", "/files/..%5csecret.js"]
)
def test_no_address_leads_out_of_the_directory(port, path):
    assert browsed(port, path).body == b"passed on"


def test_a_file_is_compressed_once_for_all_who_ask(port, monkeypatch):
    calls = []
    compress = gzip.compress
    monkeypatch.setattr(static_files.gzip, "compress", lambda *args, **more: calls.append(1) or compress(*args, **more))
    with ThreadPoolExecutor(20) as pool:
        bodies = list(pool.map(lambda _: browsed(port, "/files/late.js").body, range(40)))
    assert len(set(bodies)) == len(calls) == 1
