"""A stand-in for the Hugging Face Hub, so that the source gpt2 has vectors: a file of its shape, mostly a hole."""

import json
import re
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

_TABLES = {"wpe": (1024, 768), "wte": (50_257, 768)}
_FILLED = {"wpe": range(64), "wte": [*range(250, 330), 2603, 3290, 3332, 3797, 582, 1169]}  # rows
_FILE = "/openai-community/gpt2/resolve/"


@contextmanager
def hub() -> Iterator[str]:
    """Serve until the block ends; gives the address. It has gpt2 and nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        handler = type("Handler", (_Handler,), {"file": _written(Path(folder) / "model.safetensors")})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            server.server_close()


def _written(path: Path) -> Path:
    """A safetensors file with two float32 tables, (L, D) and (V, D)."""
    sizes = {name: 4 * n_rows * n_dims for name, (n_rows, n_dims) in _TABLES.items()}
    starts = {"wpe": 0, "wte": sizes["wpe"]}
    entries = {
        f"{name}.weight": {"dtype": "F32", "shape": shape, "data_offsets": [starts[name], starts[name] + sizes[name]]}
        for name, shape in _TABLES.items()
    }
    header = json.dumps(entries).encode()
    header += b" " * (-len(header) % 8)
    with path.open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        file.truncate(8 + len(header) + sum(sizes.values()))
        for name, (_n_rows, n_dims) in _TABLES.items():
            for row in _FILLED[name]:
                numbers = np.random.default_rng([len(name) + ord(name[1]), row]).standard_normal(n_dims) * 0.14
                file.seek(8 + len(header) + starts[name] + 4 * row * n_dims)
                file.write(numbers.astype("<f4").tobytes())
    return path


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    file: Path

    def log_message(self, *_args: object) -> None:
        """Nobody reads it."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        if not self.path.startswith(_FILE):
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        size = self.file.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers["Range"] or "")
        start, end = (int(asked[1]), min(int(asked[2] or size - 1) + 1, size)) if asked else (0, size)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{size}")
        self.send_header("X-Repo-Commit", "0123456789abcdef" * 2 + "01234567")
        self.send_header("ETag", f'"{"f" * 64}"')
        self.send_header("Content-Length", str(end - start))
        self.end_headers()
        if self.command == "GET":
            with self.file.open("rb") as file, suppress(OSError):
                file.seek(start)
                self.wfile.write(file.read(end - start))
