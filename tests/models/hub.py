"""A real HTTP server in the layout of the Hugging Face Hub, with real safetensors files, and its faults.

A file has the shape of the model and a hole where nobody reads: 154 MB that take no disk.
"""

import json
import re
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
import torch
from huggingface_hub import constants

from embedviz.layers import model_download, runnable
from embedviz.models import local, source, tokenizer_file
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.vectors import tables

COMMIT, ETAG = "0123456789abcdef0123456789abcdef01234567", "f" * 64
DTYPES = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I8": torch.int8, "F64": torch.float64}
CAT_IDS = [262, 3797, 3332, 319, 262, 2603]
FILLED = {"wte": [*range(250, 330), *CAT_IDS, 50_256], "wpe": range(40)}
_PATH = re.compile(r"/(.+)/resolve/([^/]+)/([^/]+)")


@cache
def weights(table: str, row: int, output_dim: int, dtype: str = "F32") -> torch.Tensor:
    """The numbers of a row of a test file, in its own dtype."""
    seed = [("wte", "wpe").index(table), row]
    numbers = torch.from_numpy(np.random.default_rng(seed).standard_normal(output_dim)) * 0.14
    return numbers.to(DTYPES[dtype])


def write_model(
    path: Path,
    name: str = "gpt2",
    dtype: str = "F32",
    prefix: str = "",
    *,
    shapes: Mapping[str, list[int]] | None = None,
    filled: Mapping[str, Sequence[int]] = FILLED,
) -> Path:
    """A file as the model has it: another tensor first, then `wpe` and `wte`; some rows filled, zeros elsewhere."""
    output_dim = CHECKPOINTS[name].config["n_embd"]
    shapes = {"wpe": [1024, output_dim], "wte": [50_257, output_dim]} if shapes is None else shapes
    size = torch.empty(0, dtype=DTYPES[dtype]).element_size()
    entries = {"__metadata__": {"format": "pt"}, f"{prefix}h.0.ln_1.bias": _entry("F32", [4], 0, 16)}
    starts, end = {}, 16
    for table, shape in shapes.items():
        starts[table], end = end, end + shape[0] * shape[1] * size
        entries[f"{prefix}{table}.weight"] = _entry(dtype, shape, starts[table], end)
    header = json.dumps(entries).encode()
    header += b" " * (-len(header) % 8)
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + end)
        for table in shapes:
            for row in filled[table]:
                file.seek(8 + len(header) + starts[table] + row * shapes[table][1] * size)
                file.write(_bytes(weights(table, row, shapes[table][1], dtype)))
    return path


def _entry(dtype: str, shape: list[int], start: int, end: int) -> dict:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


def _bytes(row: torch.Tensor) -> bytes:
    return row.view(torch.uint8).numpy().tobytes()


def restart() -> None:
    """What a new process knows: nothing."""
    for module in (source, local, tokenizer_file, runnable, model_download, tables):
        module.reset()


def use(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What HF_ENDPOINT does when huggingface_hub is imported."""
    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", endpoint + "/{repo_id}/resolve/{revision}/{filename}")


@dataclass
class Request:
    """What was asked, and how much was sent."""

    method: str
    path: str
    range: str | None
    authorization: str | None
    sent: int = 0


@dataclass
class Hub:
    """The server's files and faults, and what it was asked.

    files: the weights by the repository's name, or a folder with all files of the repository.
    closed: the status for a method and a file that are refused.
    faults: a fault for each answer to GET, the last one for all that follow; "" is none.
    """

    address: str = ""
    files: dict[str, Path] = field(default_factory=dict)
    commit: str | None = COMMIT
    etag: str | None = ETAG
    has_one_etag: bool = False  # for all files of a folder
    faults: list[str] = field(default_factory=lambda: [""])
    head_fault: str = ""
    closed: dict[tuple[str, str], int] = field(default_factory=dict)
    delay: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    storage: "Hub | None" = None  # where GET and HEAD are sent on to
    requests: list[Request] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def gets(self) -> list[Request]:
        return [request for request in self.requests if request.method == "GET"]

    def next_fault(self) -> str:
        with self.lock:
            return self.faults.pop(0) if len(self.faults) > 1 else self.faults[0]


class _Server(ThreadingHTTPServer):
    """Its connections end with it: one that is kept alive would go on answering from beyond."""

    daemon_threads = True

    def __init__(self, *args) -> None:
        super().__init__(*args)
        self.connections: set[socket.socket] = set()

    def process_request(self, request: socket.socket, client_address) -> None:
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket) -> None:
        self.connections.discard(request)
        super().shutdown_request(request)

    def server_close(self) -> None:
        super().server_close()
        for connection in list(self.connections):
            with suppress(OSError):  # the visitor may have closed it at the same moment
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def running(hub: Hub, port: int = 0) -> Iterator[Hub]:
    """Serve until the block ends."""
    server = _Server(("127.0.0.1", port), type("Handler", (_Handler,), {"hub": hub}))
    hub.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *args) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(self.hub.head_fault)

    def do_GET(self) -> None:
        self._answer(self.hub.next_fault())

    def _answer(self, fault: str) -> None:
        self.request_seen = Request(self.command, self.path, self.headers["Range"], self.headers["Authorization"])
        self.hub.requests.append(self.request_seen)
        time.sleep(self.hub.delay)
        match = _PATH.fullmatch(self.path)
        path = self._path(match[1], match[3]) if match and match[2] in ("main", self.hub.commit) else None
        if status := match and self.hub.closed.get((self.command, match[3])):
            return self._plain(status)
        if fault == "drip headers":
            return self._drip()
        if fault.isdigit() or not path:
            return self._plain(int(fault or 404))
        with suppress(BrokenPipeError, ConnectionResetError):
            self._file(path, fault)
        return None

    def _path(self, repo: str, file: str) -> Path | None:
        found = self.hub.files.get(repo)
        if found and found.is_dir():
            found /= file
        elif file != "model.safetensors":
            found = None
        return found if found and found.is_file() else None

    def _drip(self) -> None:
        """A head without end, line by line, until whoever asked has gone or the server ends."""
        self.send_response(200)
        with suppress(OSError):
            while True:
                self.send_header("X-Drop", "a")
                self.flush_headers()
                time.sleep(0.1)

    def _plain(self, status: int) -> None:
        self.send_response(status)
        self._send_headers({"Content-Length": "0"} | self.hub.headers)

    def _file(self, path: Path, fault: str) -> None:
        size = path.stat().st_size
        about = {"X-Repo-Commit": self.hub.commit, "ETag": self.hub.etag and f'"{self._etag(path)}"'}
        if self.hub.storage:
            about |= {"X-Linked-Etag": about.pop("ETag"), "X-Linked-Size": str(size), "Content-Length": "0"}
            self.send_response(302)
            return self._send_headers(about | {"Location": self.hub.storage.address + self.path})
        start, end = self._range(size)
        whole = fault == "no ranges" or self.headers["Range"] is None
        if whole:
            start, end = 0, size
        length = end - start
        about |= {"Content-Length": str(length), "Accept-Ranges": "bytes"}
        if not whole:
            shift = 1 if fault == "another part" else 0
            total = size + (1 if fault == "another size" else 0)
            about["Content-Range"] = f"bytes {start + shift}-{end - 1 + shift}/{total}"
        if fault == "another etag":
            about["ETag"] = '"another"'
        if fault == "compressed":
            about["Content-Encoding"] = "gzip"
        if fault in ("cut", "too long"):
            self.close_connection = True
        if fault == "too long":
            del about["Content-Length"]
        self.send_response(200 if whole else 206)
        self._send_headers(about)
        if self.command == "GET":
            self._body(path, start, length, fault)
        return None

    def _etag(self, path: Path) -> str:
        """The same for all single files, but each file's own in a folder, since huggingface_hub keeps files by it."""
        is_own = path.parent in self.hub.files.values() and not self.hub.has_one_etag
        return f"{self.hub.etag}{path.name}" if is_own else self.hub.etag

    def _range(self, size: int) -> tuple[int, int]:
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"] or "")
        return (int(found[1]), min(int(found[2] or size - 1) + 1, size)) if found else (0, size)

    def _body(self, path: Path, start: int, length: int, fault: str) -> None:
        if fault == "cut":
            length //= 2
        with path.open("rb") as file:
            file.seek(start)
            while length > 0:
                piece = file.read(min(length, 64 if fault == "drip" else 2**20))
                self.wfile.write(piece)
                self.request_seen.sent += len(piece)
                length -= len(piece)
                time.sleep(0.1 if fault == "drip" else 0)
        if fault == "too long":
            self.wfile.write(b"more")

    def _send_headers(self, headers: Mapping[str, str | None]) -> None:
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
