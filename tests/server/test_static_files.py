"""Static files over a real server: compressed once, kept for a year, nothing else of the disk; and made as small as
possible once, and kept for later starts."""

import asyncio
import contextlib
import gzip
import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz.server import static_files
from embedviz.server.static_files import CompressedFiles, Smallest
from tests.ask import Answer, ask

pytestmark = pytest.mark.xdist_group("static")  # in one worker, which starts their server once

TEXT = b"const the = ['cat', 'sat', 'on', 'the', 'mat']\n" * 1000
LINES = "".join(f"const n{n} = {n * n}\n" for n in range(4000)).encode()


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


def test_brotli_for_those_who_take_it_and_in_the_end_as_small_as_it_gets(port):
    deadline = time.monotonic() + 120
    while True:
        answer = browsed(port, "/files/deeper/b.css", Accept_Encoding="gzip, deflate, br, zstd")
        assert answer.headers["Content-Encoding"] == "br"
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert brotli.decompress(answer.body) == TEXT
        if answer.body == brotli.compress(TEXT, quality=11):
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)


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


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.js"
    path.write_bytes(LINES)
    return path


def small(maker: Smallest, file: Path) -> bytes:
    """The file at its smallest, as soon as the thread has made it."""
    deadline = time.monotonic() + 120
    while (body := maker.get(file)) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return body


def test_quick_at_first_and_smaller_later(file, tmp_path):
    maker = Smallest(tmp_path / "kept", later=0)
    quick = maker.quick(file)
    best = small(maker, file)
    assert brotli.decompress(quick) == brotli.decompress(best) == LINES
    assert len(best) < len(quick) < len(LINES)


def test_the_next_start_has_it_at_once(file, tmp_path):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    best = small(first, file)
    second = Smallest(tmp_path / "kept", later=3600)
    assert second.quick(file) == second.get(file) == best


def test_a_changed_file_is_made_anew(file, tmp_path):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    small(first, file)
    file.write_bytes(LINES[::-1])
    second = Smallest(tmp_path / "kept", later=3600)
    assert brotli.decompress(second.quick(file)) == LINES[::-1]
    assert second.get(file) is None


@pytest.mark.parametrize("damaged", [b"", b"rubbish", brotli.compress(b"another file")])
def test_a_damaged_file_is_not_believed(file, tmp_path, damaged):
    first = Smallest(tmp_path / "kept", later=0)
    first.quick(file)
    best = small(first, file)
    (kept,) = (tmp_path / "kept").glob("*.br")
    kept.write_bytes(damaged)
    second = Smallest(tmp_path / "kept", later=0)
    assert brotli.decompress(second.quick(file)) == LINES
    assert small(second, file) == kept.read_bytes() == best


def test_where_nothing_can_be_written_it_is_made_all_the_same(file, tmp_path):
    (tmp_path / "in the way").write_text("a file")
    maker = Smallest(tmp_path / "in the way", later=0)
    maker.quick(file)
    assert brotli.decompress(small(maker, file)) == LINES


def test_what_was_not_used_for_a_month_goes(file, tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    for name, days in (("old", 31), ("new", 29)):
        (folder / f"{name}.br").write_bytes(b"x")
        used = time.time() - days * 24 * 3600
        os.utime(folder / f"{name}.br", (used, used))
    maker = Smallest(folder, later=0)
    maker.quick(file)
    small(maker, file)
    assert {path.stem for path in folder.iterdir()} >= {"new"}
    assert not (folder / "old.br").exists()
