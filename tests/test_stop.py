"""A server that is told to stop lets open runs finish, and ends with 0. Real processes, both ways to start."""

import contextlib
import http.client
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import pytest

from tests.browser import server
from tests.session import visiting

LONG = "tokenizer=o200k_base&output_dim=500"  # a table of 400 MB


@contextlib.contextmanager
def started(command: Callable[[int], list[str]], seconds: int) -> Iterator[tuple[int, subprocess.Popen]]:
    port = server.free_port()
    environment = os.environ | {"EMBEDVIZ_STOP_SECONDS": str(seconds), "EMBEDVIZ_TABLES_MIB": "1024"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command(port), cwd=server.ROOT, env=environment, **quiet)
    try:
        server.wait_for(port, process)
        yield port, process
    finally:
        process.kill()
        process.wait()


def ask(port: int, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


@pytest.mark.parametrize("command", [server.streamlit, server.uvicorn])
def test_an_open_run_finishes_while_nobody_new_comes_in(command):
    with started(command, 60) as (port, process), visiting(port) as session:
        session.send(LONG)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        until = time.monotonic() + 5
        while ask(port, "/readyz") != (503, "stopping"):
            assert time.monotonic() < until
        assert ask(port, "/healthz")[0] == 200
        status, page = ask(port, "/lookup?a=1")
        assert status == 503
        assert "embedviz starts anew" in page
        assert "tries again by itself" in page
        assert session.wait()[-1].script_finished == 0  # successfully
        assert process.wait(20) == 0


def test_a_server_with_nothing_to_do_stops_at_once_whoever_looks_on():
    with started(server.streamlit, 60) as (port, process), visiting(port) as session:
        session.run()
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
        assert time.monotonic() - began < 15


def test_time_is_up_after_the_seconds_of_the_setting():
    with started(server.uvicorn, 0) as (port, process), visiting(port) as session:
        session.send(LONG)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_a_second_signal_ends_at_once():
    with started(server.uvicorn, 600) as (port, process), visiting(port) as session:
        session.send(LONG)
        time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        until = time.monotonic() + 5
        while ask(port, "/readyz")[0] != 503:
            assert time.monotonic() < until
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 128 + signal.SIGTERM
