"""The app of a tree as a visitor meets it: a server of its own, with an empty cache, on free ports."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

_PATIENCE = 300  # seconds until the server answers


@dataclass(frozen=True)
class Server:
    """Where a server and its metrics are, and after its end the lines of its log."""

    port: int
    metrics: str
    log: list[dict] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def python_of(root: Path) -> str:
    """The interpreter of the tree, or ours if it has none."""
    own = root / ".venv/bin/python"
    return str(own) if own.exists() else sys.executable


def environment(root: Path, folder: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Variables with which two processes do the same: nothing of who records, no network, one thread."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("EMBEDVIZ_", "HF_", "PYTHON"))}
    return ours | {
        "EMBEDVIZ_CACHE": str(folder / "cache"),
        "HF_HOME": str(folder / "hub"),
        "HOME": str(folder / "home"),
        "NO_PROXY": "127.0.0.1",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(root),
        **(more or {}),
    }


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def streamlit(port: int) -> list[str]:
    """The README's way to start."""
    return ["streamlit", "run", "app.py", "--server.port", str(port)]


def uvicorn(port: int) -> list[str]:
    """The container's way to start."""
    return ["uvicorn", "app:app", "--port", str(port), "--no-access-log"]


@contextmanager
def running(
    root: Path, more: Mapping[str, str] | None = None, way: Callable[[int], list[str]] = streamlit
) -> Iterator[Server]:
    """Start the server of a tree, wait until it is ready, stop it, read its log."""
    port, metrics = free_port(), free_port()
    found = Server(port, f"http://127.0.0.1:{metrics}/metrics")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        variables = environment(root, folder, {"EMBEDVIZ_METRICS_PORT": str(metrics), **(more or {})})
        command = [python_of(root), "-m", *way(port)]
        log = folder / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(command, cwd=root, env=variables, stdout=output, stderr=output)
        try:
            _wait(found, process, log)
            yield found
        finally:
            process.terminate()
            try:
                process.wait(40)
            except subprocess.TimeoutExpired:
                process.kill()
            found.log.extend(_lines(log))


def _wait(server: Server, process: subprocess.Popen, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while not _is_ready(server):
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"The server did not start:\n{log.read_text()[-3000:]}")
        time.sleep(0.2)


def _is_ready(server: Server) -> bool:
    try:
        return urllib.request.urlopen(f"{server.address}/_stcore/health", timeout=2).status == 200  # noqa: S310
    except OSError:
        return False


def _lines(log: Path) -> Iterator[dict]:
    for line in log.read_text("utf-8", "replace").splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
