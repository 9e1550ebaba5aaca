"""One server for all attacks, a witness who goes on editing, who watches whether it lives, and what it takes of memory.

It starts as most systems start a program, with 1,024 files. Where it would ask somebody outside, nobody answers.
"""

import contextlib
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil
import pytest

from tests.browser import server
from tests.session import visiting

SLOW = 10.0  # seconds for one edit of the witness: more would be noticed as a server that hangs
PROMPT = 1.0  # seconds for /healthz: whoever asks takes a server that is silent for longer for a dead one
GROWTH = 60 * 2**20  # bytes that may stay after an attack: what allocators keep, not what attackers sent
_REST = 40.0  # seconds in which what attackers left behind must be gone


@dataclass
class Target:
    """The server under attack."""

    port: int
    process: psutil.Process
    log: Path
    outside: list[socket.socket]  # who has asked somebody outside

    def memory(self) -> int:
        """Bytes of the process that are its own."""
        return self.process.memory_full_info().uss


@dataclass
class Witness:
    """Somebody else on the site, who edits a text again and again."""

    port: int
    seconds: list[float] = field(default_factory=list)
    error: Exception | None = None

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._edit, daemon=True)

    def __enter__(self) -> "Witness":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _edit(self) -> None:
        try:
            with visiting(self.port) as session:
                session.run("view=pairs")
                number = 0
                while not self._stop.wait(0.3):
                    number += 1
                    text = f"the cat sat on mat number {number}"
                    start = time.perf_counter()
                    session.edit("a", text)
                    self.seconds.append(time.perf_counter() - start)
                    assert str(number) in session.screen.text
        except Exception as error:  # noqa: BLE001 whatever it is, check() shows it
            self.error = error

    def check(self) -> None:
        """Every edit was answered, and none took so long that one would give up."""
        assert self.error is None, self.error
        assert len(self.seconds) > 3
        assert max(self.seconds) < SLOW, f"{max(self.seconds):.1f} s, median {median(self.seconds):.2f} s"


_FEW = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
os.execv(sys.argv[2], sys.argv[2:])
"""


def with_few_files(command: list[str], n: int) -> list[str]:
    """The command, so that it may open so many files at first."""
    return [sys.executable, "-c", _FEW, str(n), *command]


@pytest.fixture(scope="session")
def many_files() -> None:
    """Let this process open as many as an attack needs."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextmanager
def silence() -> Iterator[tuple[dict[str, str], list[socket.socket]]]:
    """The variables of a proxy that never answers, and who has asked it."""
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"

        def listen() -> None:
            with contextlib.suppress(OSError):  # the end
                while True:
                    asked.append(proxy.accept()[0])

        threading.Thread(target=listen, daemon=True).start()
        yield {"http_proxy": address, "https_proxy": address, "no_proxy": "127.0.0.1"}, asked


@pytest.fixture(scope="session")
def target(tmp_path_factory, many_files) -> Iterator[Target]:
    port, folder = server.free_port(), tmp_path_factory.mktemp("target")
    command = with_few_files(server.uvicorn(port), 1024)
    with (
        silence() as (proxy, asked),
        server.running(command, port, {"EMBEDVIZ_CACHE": str(folder)} | proxy, folder / "log.txt"),
    ):
        process = next(each for each in psutil.Process().children(recursive=True) if str(port) in each.cmdline())
        with visiting(port) as session:  # what the first visitor makes is not an attack's
            session.run()
        found = Target(port, process, folder / "log.txt", asked)
        time.sleep(5)  # the default map, which is drawn after the start
        yield found


@pytest.fixture(autouse=True)
def _unharmed(target: Target, record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Around every attack: the server says at once that it lives, and the witness is served.

    It asks nobody outside, its memory comes back, and its log has no error.

    What was measured is recorded for `benchmarks/faults.py`.
    """
    _warm(target)
    before, errors = target.memory(), _errors(target)
    with Witness(target.port) as witness, watching(target.port) as alive:
        time.sleep(1.5)
        yield
        time.sleep(1.5)
    record_property("alive", max(alive))
    assert max(alive) < PROMPT
    assert target.outside == []
    for seconds in witness.seconds:
        record_property("edit", seconds)
    witness.check()
    assert target.process.is_running()
    assert target.process.status() != psutil.STATUS_ZOMBIE
    until = time.monotonic() + _REST
    while (grown := target.memory() - before) > GROWTH:
        assert time.monotonic() < until, f"{grown / 2**20:.0f} MiB more than before"
        time.sleep(1)
    record_property("memory", grown)
    assert _errors(target) == errors


@contextmanager
def watching(port: int) -> Iterator[list[float]]:
    """After how many seconds the server says that it lives, asked all the time; filled at the end."""
    seconds: list[float] = []
    command = [sys.executable, "-m", "tests.faults.watch", str(port)]
    watch = subprocess.Popen(command, cwd=server.ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert watch.stdout.readline()  # it has begun
        yield seconds
        assert watch.poll() is None
    finally:
        watch.terminate()
        said, _nothing = watch.communicate()
    seconds += [float(line) for line in said.splitlines()]
    assert len(seconds) > 3


def _warm(target: Target) -> None:
    with visiting(target.port) as session:
        session.run()


def _errors(target: Target) -> list[str]:
    return [line for line in target.log.read_text().splitlines() if '"ERROR"' in line or "Traceback" in line]
