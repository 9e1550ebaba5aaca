"""Half an hour with 50 visitors who come and go: does the server's memory stay where it was?

Run from anywhere with the project's Python: `python benchmarks/soak.py --minutes 30`. Prints a line a minute,
writes `RESULTS.md`, and exits with 1 if a limit is missed. With less than ten minutes the first
sixth of the time stands for minute five: good for a try, no proof.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TextIO

import figures
import mix
import process
import results
from figures import Sample
from report import Row, as_table, is_passed
from server import Server, apps

GROWTH = 1.05  # of memory at the end by that of minute five
_ARRIVING = 10.0  # seconds
_EVERY = 5.0  # seconds between two looks


@dataclass
class Soak:
    """What was seen so far."""

    began: float = field(default_factory=time.monotonic)
    samples: list[Sample] = field(default_factory=list)
    events: list[dict] = field(default_factory=list)

    def now(self) -> float:
        return time.monotonic() - self.began

    def look(self, server: Server, visitors: int, told: TextIO) -> None:
        self.samples.append(
            Sample(
                self.now(), process.usage(server.pid), process.processor_seconds(visitors), process.machine_seconds()
            )
        )
        while (line := told.readline()).endswith("\n"):
            self.events.append(json.loads(line))
        if line:  # half a line: it will be whole at the next look
            told.seek(told.tell() - len(line))

    def of(self, kind: str, since: float = 0.0) -> list[dict]:
        return [event for event in self.events if event["kind"] == kind and event["t"] >= since]

    def memory(self, minute: float) -> float:
        """Bytes of the server's process, mean of the minute that ends then."""
        found = [each.used.rss for each in self.samples if (minute - 1) * 60 <= each.t <= minute * 60 + _EVERY]
        return fmean(found)

    def line(self, minute: int) -> str:
        edits = [event["seconds"] for event in self.of("edit", self.now() - 60)]
        last = self.samples[-1].used
        slowest = f"{figures.percentile(edits, 95) * 1000:,.0f} ms" if edits else "none"
        return (
            f"minute {minute:2}: {last.rss / 2**20:,.0f} MiB and {last.children / 2**20:,.0f} of what it started, "
            f"{len(edits)} changes, 95th percentile {slowest}, {len(self.of('arrival'))} arrivals and "
            f"{len(self.of('error'))} errors so far"
        )


def soak(server: Server, n_visitors: int, minutes: float) -> Soak:
    script = Path(__file__).with_name("visitors.py")
    with tempfile.NamedTemporaryFile("w") as out, Path(out.name).open() as told:
        command = [sys.executable, script, server.url, "--come-and-go", "--visitors", n_visitors]
        command += ["--over", _ARRIVING, "--until", minutes * 60]
        visitors = subprocess.Popen([str(part) for part in command], stdout=out)
        found, said = Soak(), 0
        try:
            while visitors.poll() is None:
                found.look(server, visitors.pid, told)
                if found.now() >= (said + 1) * 60:
                    said += 1
                    print(found.line(said), flush=True)
                time.sleep(_EVERY)
        finally:
            visitors.terminate()
        if visitors.returncode:
            raise RuntimeError("the visitors could not go on")
    return found


def rows(soak: Soak, minutes: float) -> list[Row]:
    # The last minute in which all are there still.
    early, late = soak.memory(min(5.0, minutes / 6 + 1)), soak.memory(minutes)
    edits = [event["seconds"] for event in soak.of("edit")]
    used = figures.processor(soak.samples, 0)
    return [
        Row("memory at minute five", early / 2**20, unit="MiB"),
        Row("memory at the end", late / 2**20, unit="MiB"),
        Row("memory at the end by that of minute five", late / early, limit=GROWTH, unit="times"),
        Row("errors", len(soak.of("error")), limit=0, unit=""),
        # With cores that others keep busy, the server waits for one, and times say nothing about it.
        Row("cores that all else keeps busy", used.others / used.seconds, unit="cores"),
        Row("visits", len(soak.of("arrival")), unit=""),
        Row("changes", len(edits), unit=""),
        Row("a change, 95th percentile", figures.percentile(edits, 95)),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--visitors", type=int, default=50)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        ours = apps(Path(temporary))[1]
        with Server(ours) as server:
            server.wait_until_healthy()
            found = rows(soak(server, arguments.visitors, arguments.minutes), arguments.minutes)
    print(as_table(found))
    results.write("soak", found, mix=mix.in_words(), visitors=arguments.visitors, minutes=arguments.minutes)
    return 0 if is_passed(found) else 1


if __name__ == "__main__":
    sys.exit(main())
