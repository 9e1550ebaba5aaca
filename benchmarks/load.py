"""A whole class on one server: 300 visitors who change something every 10 seconds, then 500 who arrive at once.

Run from anywhere with the project's Python: `python benchmarks/load.py`. Prints a table, writes `RESULTS.md`,
and exits with 1 if a limit is missed. The server, the visitors and this program that watches them
are processes of their own; what the visitors take is measured too, since they share the machine.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import figures
import mix
import process
import real_model
import results
from figures import Sample
from replicas import Cluster
from report import Row, as_table, is_passed
from server import App, Server, apps

from embedviz.base.settings import read

READERS = 50  # visitors who type where a model reads along
READ = ("Next word", "Layers")  # on these, of which the second needs MiniLM
FLOOR_VISITORS = 30  # a tenth: what the floor can take without a line that only grows
EVERY = 2.0  # seconds between two looks at the processes
_VISITORS = Path(__file__).with_name("visitors.py")


@dataclass(frozen=True)
class Load:
    """What came of a crowd: what its visitors told, and what the processes used meanwhile."""

    events: list[dict]
    samples: list[Sample]

    def of(self, kind: str, since: float = 0.0) -> list[dict]:
        return [event for event in self.events if event["kind"] == kind and event["t"] >= since]

    def seconds(self, kind: str, what: str = "seconds", since: float = 0.0) -> list[float]:
        return [event[what] for event in self.of(kind, since)]


def crowd(server: Server | Cluster, *arguments: str | int | float) -> Load:
    """Let visitors in, as `visitors.py` understands it, and look at the processes until the last has left."""
    samples = []
    with tempfile.TemporaryFile("w+") as told:
        command = [sys.executable, _VISITORS, server.url, *map(str, arguments)]
        visitors = subprocess.Popen(command, stdout=told, text=True)
        began = time.monotonic()
        while visitors.poll() is None:
            samples.append(_sample(server.pids, visitors.pid, began))
            time.sleep(EVERY)
        if visitors.returncode:
            raise RuntimeError("the visitors could not go on")
        told.seek(0)
        return Load([json.loads(line) for line in told], samples)


def _sample(servers: list[int], visitors: int, began: float) -> Sample:
    used = process.usage_of(servers)
    return Sample(time.monotonic() - began, used, process.processor_seconds(visitors), process.machine_seconds())


def measure(arguments: argparse.Namespace, ours: App, floor: App) -> list[Row]:
    with Server(ours) as server:
        server.wait_until_healthy()
        time.sleep(5)  # it makes ready the map of the whole vocabulary, after its first page
        start = process.usage(server.pid)
        _say(f"{arguments.visitors} visitors")
        until = arguments.ramp + arguments.warm_up + arguments.plateau
        load = crowd(server, "--visitors", arguments.visitors, "--over", arguments.ramp, "--until", until)
        _say(f"{arguments.arrivals} arrivals within 10 s")
        arrivals = crowd(server, "--visitors", arguments.arrivals, "--over", 10, "--until", 20, "--only-arrive")
        end = process.usage(server.pid)
    read_here = READ if real_model.is_here() else READ[:1]
    readers = [row for name in read_here for row in typed_rows(arguments.reading, ours, name)]
    _say(f"the floor, {FLOOR_VISITORS} visitors")
    with Server(floor) as server:
        server.wait_until_healthy()
        its_until = 45 + arguments.floor_plateau
        its = crowd(server, "--visitors", FLOOR_VISITORS, "--over", 30, "--until", its_until, "--floor")
    since = arguments.ramp + arguments.warm_up
    return [
        *_plateau_rows(arguments, load, since, its),
        *_memory_rows(start.total, load, since, end.total),
        *_arrival_rows(arguments, arrivals),
        *readers,
    ]


def typed_rows(seconds: float, ours: App, name: str) -> list[Row]:
    """Sentences that are typed on a page letter by letter, from the last letter to what a model makes of all of it."""
    who = f"{READERS} visitors who type on {name}"
    _say(who)
    settings = {"EMBEDVIZ_MODELS": str(read().models)}
    with Server(replace(ours, settings=ours.settings | settings)) as server:
        server.wait_until_healthy()
        time.sleep(15)  # it imports transformers
        typed = crowd(server, "--visitors", READERS, "--over", 10, "--until", 20 + seconds, "--typing", name)
    processor = figures.processor(typed.samples, 20)
    waits = typed.seconds("sentence", since=20)
    return [
        Row(f"{who}: sentences", len(waits), unit=""),
        Row(f"{who}: errors", len(typed.of("error")), limit=0, unit=""),
        Row(f"{who}: a whole sentence, median", figures.percentile(waits, 50)),
        Row(f"{who}: a whole sentence, 95th percentile", figures.percentile(waits, 95)),
        Row(f"{who}: cores that the server keeps busy", processor.server / processor.seconds, unit="cores"),
    ]


def _plateau_rows(arguments: argparse.Namespace, load: Load, since: float, its: Load) -> list[Row]:
    who = f"{arguments.visitors} visitors"
    edits, floor_edits = load.seconds("edit", since=since), its.seconds("edit", since=45)
    seconds = arguments.plateau
    processor = figures.processor(load.samples, since)
    floor_processor = figures.processor(its.samples, 45)
    late = load.seconds("edit", "late", since)
    return [
        Row(f"{who}: changes a second", len(edits) / seconds, unit="a second"),
        Row(f"{who}: a change, median", figures.percentile(edits, 50)),
        Row(f"{who}: a change, 95th percentile", figures.percentile(edits, 95), limit=0.3),
        Row(f"{who}: a change, 99th percentile", figures.percentile(edits, 99)),
        Row(f"{who}: the slowest change", max(edits)),
        *[
            Row(f"{who}: a change on {name}, 95th percentile", figures.percentile(times, 95))
            for name, times in figures.by_page(load.of("edit", since)).items()
        ],
        Row(f"{who}: errors", len(load.of("error")), limit=0, unit=""),
        Row(f"{who}: cores that the server keeps busy", processor.server / processor.seconds, unit="cores"),
        Row(f"{who}: cores that the visitors keep busy", processor.visitors / processor.seconds, unit="cores"),
        # Two cores that others use cannot show what they would do alone.
        Row(f"{who}: cores that all else keeps busy", processor.others / processor.seconds, unit="cores"),
        Row(f"{who}: how late a change is sent, 95th percentile", figures.percentile(late, 95), limit=0.05),
        Row(
            f"processor time of a change, {who}; floor: {FLOOR_VISITORS}",
            processor.server / len(edits),
            floor_processor.server / len(floor_edits),
            0.25,
        ),
        Row(
            f"a change, 95th percentile, {who}; floor: {FLOOR_VISITORS}",
            figures.percentile(edits, 95),
            figures.percentile(floor_edits, 95),
        ),
    ]


def _memory_rows(start: int, load: Load, since: float, end: int) -> list[Row]:
    first, last = figures.ends(load.samples, since)
    return [
        Row("memory at the start", start / 2**20, unit="MiB"),
        Row("memory at the plateau's begin", first / 2**20, unit="MiB"),
        Row("memory at the plateau's end", last / 2**20, unit="MiB"),
        Row("memory, end of the plateau by its begin", last / first, limit=1.05, unit="times"),
        Row("memory after the arrivals", end / 2**20, unit="MiB"),
    ]


def _arrival_rows(arguments: argparse.Namespace, arrivals: Load) -> list[Row]:
    who = f"{arguments.arrivals} arrive within 10 s"
    missing = arguments.arrivals - len(arrivals.of("arrival"))
    html, waits = arrivals.seconds("arrival", "html"), arrivals.seconds("arrival")
    return [
        Row(f"{who}: without a page", missing, limit=0, unit=""),
        Row(f"{who}: errors", len(arrivals.of("error")), limit=0, unit=""),
        Row(f"{who}: until the HTML is there, 95th percentile", figures.percentile(html, 95)),
        Row(f"{who}: until the page has run, median", figures.percentile(waits, 50)),
        Row(f"{who}: until the page has run, 95th percentile", figures.percentile(waits, 95)),
        Row(f"{who}: until the page has run, the last", max(waits)),
    ]


def _say(what: str) -> None:
    print(f"measuring {what} ...", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=300)
    parser.add_argument("--arrivals", type=int, default=500)
    parser.add_argument("--ramp", type=float, default=30.0, help="seconds in which the visitors arrive")
    parser.add_argument("--warm-up", type=float, default=20.0, help="seconds after that which do not count")
    parser.add_argument("--plateau", type=float, default=150.0, help="seconds that count")
    parser.add_argument("--floor-plateau", type=float, default=45.0, help="seconds that count for the floor")
    parser.add_argument("--reading", type=float, default=60.0, help="seconds that count for those who type")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        floor, ours, _ = apps(Path(temporary))
        rows = measure(arguments, ours, floor)
    print(as_table(rows))
    results.write("load", rows, mix=mix.in_words())
    return 0 if is_passed(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
