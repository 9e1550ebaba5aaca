"""One server for all attacks, a witness who goes on editing, and what the server takes of memory."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil
import pytest

from tests.browser import server
from tests.session import visiting

SLOW = 10.0  # seconds for one edit of the witness: more would be noticed as a server that hangs
GROWTH = 60 * 2**20  # bytes that may stay after an attack: what allocators keep, not what attackers sent
_REST = 40.0  # seconds in which what attackers left behind must be gone


@dataclass
class Target:
    """The server under attack."""

    port: int
    process: psutil.Process
    log: Path

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
                session.run()
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


@pytest.fixture(scope="session")
def target(tmp_path_factory) -> Iterator[Target]:
    port, folder = server.free_port(), tmp_path_factory.mktemp("target")
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_CACHE": str(folder)}, folder / "log.txt"):
        process = next(each for each in psutil.Process().children(recursive=True) if str(port) in each.cmdline())
        with visiting(port) as session:  # what the first visitor makes is not an attack's
            session.run()
        found = Target(port, process, folder / "log.txt")
        time.sleep(5)  # the default map, which is drawn after the start
        yield found


@pytest.fixture(autouse=True)
def _unharmed(target: Target, record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Around every attack: the witness is served, the process lives, its memory comes back, its log has no error.

    What was measured is recorded for `benchmarks/faults.py`.
    """
    _warm(target)
    before, errors = target.memory(), _errors(target)
    with Witness(target.port) as witness:
        time.sleep(1.5)
        yield
        time.sleep(1.5)
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


def _warm(target: Target) -> None:
    with visiting(target.port) as session:
        session.run()


def _errors(target: Target) -> list[str]:
    return [line for line in target.log.read_text().splitlines() if '"ERROR"' in line or "Traceback" in line]
