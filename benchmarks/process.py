"""What a process and those that it started use, from Linux's /proc."""

import os
from dataclasses import dataclass
from pathlib import Path

_TICK = os.sysconf("SC_CLK_TCK")


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


def usage(pid: int) -> Usage:
    """Raises FileNotFoundError when the process has ended."""
    children = _children(pid)
    return Usage(
        processor_seconds(pid) + sum(map(_or_nothing(processor_seconds), children)),
        _status(pid, "VmRSS"),
        sum(map(_or_nothing(_private), children)),
    )


def peak(pid: int) -> int:
    """Bytes in memory at the most so far, of the process alone."""
    return _status(pid, "VmHWM")


def _children(pid: int) -> list[int]:
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


def _private(pid: int) -> int:
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
