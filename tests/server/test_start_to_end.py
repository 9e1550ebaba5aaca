"""A real server from start to end, both ways to start it: it writes nowhere but into its cache and /tmp, and when it is
told to stop, open runs finish.

It runs on a read-only file system, as nobody and without a home. Where this process may make a name space of its own
(as root of a machine or of a container that allows it), everything else is mounted read-only and the server's user is
65534; elsewhere what it writes is looked up.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ask import ask
from tests.browser import server
from tests.session import Session, visiting

# All that is mounted becomes read-only, the two folders are memory, and then nobody runs the command.
_WALLS = """
mount --make-rprivate /
for place in $(awk '{print $2}' /proc/mounts | grep -v -E '^/(proc|sys|dev)'); do
  mount -o remount,bind,ro "$place" || exit 9
done
mount -t tmpfs -o mode=1777 tmpfs "$TMPDIR" && mount -t tmpfs -o mode=1777 tmpfs "$EMBEDVIZ_CACHE" || exit 9
! touch "$PWD/written" 2>/dev/null || exit 9
exec unshare --user --map-user=65534 --map-group=65534 "$@"
"""


def walled(variables: dict[str, str], *command: str) -> list[str]:
    """The command between these walls, if they can be put up here."""
    walls = ["unshare", "--mount", "sh", "-c", _WALLS, "sh"]
    trial = subprocess.run([*walls, "id", "-u"], env=variables, cwd=server.ROOT, capture_output=True, check=False)
    return [*walls, *command] if trial.stdout == b"65534\n" else list(command)


@contextlib.contextmanager
def slow_hub() -> Iterator[socket.socket]:
    """Where a hub would be: whoever asks it can be accepted here."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.settimeout(server.PATIENCE)
        yield found


@contextlib.contextmanager
def held(hub: socket.socket) -> Iterator[None]:
    """Keep the next who asks waiting: the answer has begun and does not end, as long as this lasts."""
    question, _ = hub.accept()
    is_over = threading.Event()

    def answer() -> None:
        question.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not is_over.wait(0.5):
            question.sendall(b".")

    with question:
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()
            hub.close()


@contextlib.contextmanager
def started(command: list[str], port: int, variables: dict[str, str], log: Path) -> Iterator[subprocess.Popen]:
    with log.open("wb") as output:
        walls = walled(variables, *command)
        process = subprocess.Popen(walls, cwd=server.ROOT, env=variables, stdout=output, stderr=output)
    try:
        server.wait_for(port, process)
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("command", [server.uvicorn, server.streamlit])
def test_it_writes_nowhere_else_and_an_open_run_finishes_while_nobody_new_comes_in(command, tmp_path):
    (tmp_path / "tmp").mkdir()
    (tmp_path / "cache").mkdir()
    before, port = _files(server.ROOT), server.free_port()
    with slow_hub() as hub:
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": "/nonexistent",
            "TMPDIR": str(tmp_path / "tmp"),
            "EMBEDVIZ_CACHE": str(tmp_path / "cache"),
            "EMBEDVIZ_LANGUAGE": "fr",  # for visitors who ask for none that is here
            "EMBEDVIZ_STOP_SECONDS": "3600",  # nobody waits for it: the server ends when nothing runs
            "HF_ENDPOINT": f"http://127.0.0.1:{hub.getsockname()[1]}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        with started(command(port), port, variables, tmp_path / "log.txt") as process, visiting(port) as session:
            assert '<html lang="fr"' in ask(port, "/?lang=xx").text
            session.run("seed=5&lang=en")
            assert "the cat sat on the mat" in session.screen.text
            written = _written(process.pid)
            _stop_during_a_run(process, port, session, hub)
    allowed = (str(tmp_path), "/dev/", "/memfd:", "pipe:", "socket:", "anon_")
    assert [path for path in written if not path.startswith(allowed)] == []
    assert _files(server.ROOT) == before
    lines = [json.loads(line) for line in (tmp_path / "log.txt").read_text().splitlines() if line.startswith("{")]
    assert {"ready", "stopped"} <= {line["event"] for line in lines}
    assert [line for line in lines if line["level"] in ("WARNING", "ERROR")] == []


def _stop_during_a_run(process: subprocess.Popen, port: int, session: Session, hub: socket.socket) -> None:
    """The run needs the hub's answer."""
    session.send(session.tab.open(query="source=gpt2&lang=en"))
    with held(hub):
        process.send_signal(signal.SIGTERM)
        until = time.monotonic() + server.PATIENCE
        while (answer := ask(port, "/readyz")).status != 503:
            assert time.monotonic() < until
        assert answer.text == "stopping"
        assert ask(port, "/healthz").status == 200
        answer = ask(port, "/lookup?a=1&lang=en")
        assert answer.status == 503
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "embedviz is restarting" in answer.text
        assert "tries again by itself" in answer.text
        assert process.poll() is None
    assert session.wait()[-1].script_finished == 0  # successfully
    assert process.wait(server.PATIENCE) == 0  # though the visitor is still there


def _files(folder: Path) -> set[tuple[str, float]]:
    """The files of the project and when they were changed; not those that Python keeps beside them."""
    found = [path for name in ("embedviz", "pages", "data", ".streamlit") for path in (folder / name).rglob("*")]
    return {(str(path), path.stat().st_mtime) for path in found if path.is_file() and path.suffix != ".pyc"}


def _written(pid: int) -> list[str]:
    """Files that the process holds open for writing; Linux alone tells."""
    if sys.platform != "linux":
        return []
    found = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        flags = Path(f"/proc/{pid}/fdinfo/{link.name}").read_text().split("flags:")[1].split()[0]
        if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
            found.append(os.readlink(link))
    return found
