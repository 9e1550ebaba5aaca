"""The app as a visitor meets it: a real server on a free port."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from embedviz.base.settings import ROOT

PATIENCE = 300  # seconds: only a server that hangs takes so long


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def streamlit(port: int) -> list[str]:
    """Another way to start, of which the README tells too."""
    return [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]


def uvicorn(port: int) -> list[str]:
    """The way in which `make run` and the Dockerfile start it."""
    return [sys.executable, "-m", "uvicorn", "app:app", "--port", str(port)]


@contextmanager
def running(
    command: list[str], port: int, variables: Mapping[str, str] | None = None, log: Path | None = None
) -> Iterator[str]:
    """Start the server, with these environment variables too, wait until it answers, give its address, stop it.

    log: where its log goes; nowhere if None.
    """
    # Pages may open on a model that lies on this machine, so there is none, as in all tests.
    environment = os.environ | {"EMBEDVIZ_MODELS": os.devnull + "-models"} | (variables or {})
    with (log or Path(os.devnull)).open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_for(port: int, process: subprocess.Popen) -> None:
    """Wait until the server answers."""
    until = time.monotonic() + PATIENCE
    while not _answers(port):
        if process.poll() is not None:
            raise RuntimeError(f"The server stopped with {process.returncode}.")
        if time.monotonic() > until:
            raise TimeoutError(f"The server did not answer within {PATIENCE} seconds.")
        time.sleep(0.05)


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/_stcore/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
