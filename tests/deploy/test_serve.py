"""`make serve`, with two real servers and a real nginx: one address, a visitor's own server, and an end that is one."""

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from embedviz.base.settings import ROOT
from tests.browser.server import PATIENCE, free_port
from tests.hall import PANEL, at_once, opened, phones

sys.path.insert(0, str(ROOT / "deploy"))

import serve

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
SERVE = [sys.executable, str(ROOT / "deploy/serve.py")]


def test_without_nginx_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_args, **_options: None)
    with pytest.raises(SystemExit, match=r"^This needs nginx: `apt-get install nginx`, or your system's own way\.$"):
        serve.nginx()


def test_a_setting_that_is_wrong_is_said_before_anything_starts(configure):
    configure(sessions="many")
    with pytest.raises(SystemExit, match=r"^EMBEDVIZ_SESSIONS: "):
        serve.variables_of(2)


def test_each_server_has_a_port_for_its_metrics_and_all_have_one_secret(configure):
    configure(metrics_port=9090)
    found = serve.variables_of(3)
    assert [each["EMBEDVIZ_METRICS_PORT"] for each in found] == ["9090", "9091", "9092"]
    assert len({each["STREAMLIT_SERVER_COOKIE_SECRET"] for each in found}) == 1
    assert {each["EMBEDVIZ_HOSTS"] for each in found} == {"localhost"}
    configure(metrics_port=0, hosts="embedviz.example.org")
    assert [each.keys() for each in serve.variables_of(2)] == [{"STREAMLIT_SERVER_COOKIE_SECRET"}] * 2


def test_ports_that_others_have_are_left_out():
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]
        assert taken not in serve.free_ports(3, taken)
    with pytest.raises(SystemExit, match=r"^From port 65535 on there are no 2 free ports"):
        serve.free_ports(2, 65_535)


@pytest.mark.skipif(not NGINX, reason="needs nginx")
@pytest.mark.parametrize(
    ("arguments", "code", "said"), [(["--processes", "0"], 2, "must be 1 or more"), ([], 1, "is taken. Choose another")]
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments, code, said):
    with socket.create_server(("127.0.0.1", 0)) as other:
        command = [*SERVE, "--port", str(other.getsockname()[1]), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert said in done.stderr.splitlines()[-1]


@contextmanager
def machine(folder: Path) -> Iterator[tuple[subprocess.Popen, int, Path]]:
    """Two servers; the process, the port, and the file with what they say."""
    log, port = folder / "log", free_port()
    variables = os.environ | {"EMBEDVIZ_MODELS": os.devnull + "-models", "EMBEDVIZ_CACHE": str(folder / "cache")}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*SERVE, "--processes", "2", "--port", str(port)],
            env=variables,
            stdout=subprocess.PIPE,
            stderr=output,
            text=True,
            start_new_session=True,
        )
    try:
        said = process.stdout.readline()
        assert said == f"2 servers are ready: http://localhost:{port}\n", log.read_text()
        yield process, port, log
    finally:
        process.send_signal(signal.SIGINT)  # to nobody if it has ended
        process.communicate()


def ask(port: int, path: str = "/", cookie: str = "") -> tuple[int, str]:
    """The status of an answer, and the number of the server that its cookie names; "" if it sets none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
    answer = connection.getresponse()
    named = re.search(r"embedviz_replica=(\d+)", str(answer.headers.get_all("Set-Cookie")))
    connection.close()
    return answer.status, named[1] if named else ""


@pytest.mark.skipif(not NGINX, reason="needs nginx")
def test_a_visitor_stays_with_one_of_two_servers_which_is_replaced_if_it_dies_and_ctrl_c_ends_all(tmp_path):
    with machine(tmp_path) as (process, port, log):
        assert {ask(port) for _ in range(8)} == {(200, "1"), (200, "2")}
        for number in "12":
            for _ in range(3):  # no new cookie: it went where the cookie says
                assert ask(port, cookie=f"embedviz_replica={number}") == (200, "")
        assert ask(port, "/readyz")[0] == 404  # for those who watch the servers

        os.kill(next(pid for pid, command in started(process.pid).items() if "uvicorn" in command), signal.SIGKILL)
        assert {ask(port, cookie=f"embedviz_replica={number}")[0] for number in "12"} == {200}
        while events(log).count("ready") < 3:
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        assert "has ended, and starts again." in log.read_text()

        all_of_it = started(process.pid)
        assert len(all_of_it) == 3
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert [command for pid, command in all_of_it.items() if Path(f"/proc/{pid}").exists()] == []
        with pytest.raises(ConnectionRefusedError):
            ask(port)
        assert events(log).count("stopped") == 2


@pytest.mark.skipif(not NGINX, reason="needs nginx")
def test_without_a_valkey_phones_find_the_server_that_has_the_vote_and_are_counted_once(tmp_path):
    """Also while lecturers fill one server, so that phones come to the other one first."""
    with machine(tmp_path) as (process, port, _log), ExitStack() as stack:
        commands = [command for command in started(process.pid).values() if "uvicorn" in command]
        own = [int(re.search(r"--port\0(\d+)", command)[1]) for command in commands]
        for server in own:
            lecturer, code = stack.enter_context(opened(server))
            hall = phones(20, [port], code)
            asyncio.run(at_once(hall, 2, presses=2))
            assert [sorted(phone.statuses) for phone in hall] == [[200, 200, 409]] * 20
            assert {ask(port, f"/vote/{code}/count", f"embedviz_replica={number}") for number in "12"} == {(200, "")}
            lecturer.edit(PANEL, "end", "vote")
            assert ask(port, f"/vote/{code}") == (410, "")
        assert {ask(port, "/vote/BBBBB")[0] for _n in range(4)} == {404}


def events(log: Path) -> list[str]:
    return [json.loads(line)["event"] for line in log.read_text().splitlines() if line.startswith("{")]


def started(pid: int) -> dict[int, str]:
    """The processes that a process has started, with their commands."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(each): Path(f"/proc/{each}/cmdline").read_text() for each in found}
