"""What a process and those that it started use, from Linux's /proc."""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")
_SLICE = 0.02  # seconds that a process runs before it is stopped for a while
_LOOK = 1.0  # seconds between two looks at what a process has started


@dataclass(frozen=True)
class Usage:
    """At one moment.

    processor: seconds of all threads so far, of the process and of its children that live. rss: bytes in memory of
    the process alone. children: of those that it started, what is shared counted once (PSS).
    """

    processor: float
    rss: int
    children: int

    @property
    def total(self) -> int:
        return self.rss + self.children


def usage_of(pids: Sequence[int]) -> Usage:
    """Of several processes together. Raises FileNotFoundError when one has ended."""
    found = [usage(pid) for pid in pids]
    return Usage(*(sum(getattr(each, name) for each in found) for name in ("processor", "rss", "children")))


def usage(pid: int) -> Usage:
    """Raises FileNotFoundError when the process has ended."""
    children = children_of(pid)
    return Usage(
        processor_seconds(pid) + sum(map(_or_nothing(processor_seconds), children)),
        _status(pid, "VmRSS"),
        sum(map(_or_nothing(pss), children)),
    )


def machine_seconds() -> float:
    """Processor time of everything on the machine so far, all cores."""
    user, nice, system, _, _, *others = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    return sum(map(int, (user, nice, system, *others))) / _TICK


def children_of(pid: int) -> list[int]:
    """Of any depth."""
    found = [pid]
    for each in found:
        try:
            for task in Path(f"/proc/{each}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
    return found[1:]


def processor_seconds(pid: int) -> float:
    """User and system time of one process so far, all threads, in steps of a clock tick (10 ms)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK  # utime and stime, counted from the field after the name


@contextmanager
def held(pids: Sequence[int], share: float) -> Iterator[None]:
    """Let processes and all that they start run for a share of the time, as if their cores were slower by so much."""
    over = threading.Event()

    def hold() -> None:
        everyone, looked = list(pids), 0.0
        while not over.is_set():
            if time.monotonic() - looked > _LOOK:
                everyone, looked = [*pids, *(child for pid in pids for child in children_of(pid))], time.monotonic()
            _signal(everyone, signal.SIGSTOP)
            over.wait(_SLICE * (1 / share - 1))
            _signal(everyone, signal.SIGCONT)
            over.wait(_SLICE)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a child may have ended
            os.kill(pid, number)


def pss(pid: int) -> int:
    """Bytes in memory of one process; what it shares with others counts in equal parts."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


def _or_nothing(ask):
    """A child may end between being listed and being asked."""

    def asked(pid: int):
        try:
            return ask(pid)
        except (OSError, StopIteration):
            return 0

    return asked
