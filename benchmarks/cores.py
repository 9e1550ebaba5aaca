"""The same class on one server and on several, on a machine with slow cores: what do more processes bring, and cost?

Run from anywhere with the project's Python: `python benchmarks/cores.py --processes 2`. Needs nginx. Prints a table,
writes `RESULTS.md`, and exits with 1 if a limit is missed. The servers and nginx are stopped for two thirds
of the time; the visitors are not.
"""

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import figures
import load
import mix
import process
import results
from replicas import Cluster
from report import Row, as_table, is_passed

SHARE = 1 / 3  # of the time in which the servers run
USUAL, BUSY = 10.0, 2.0  # seconds between two changes of a visitor; the second is more than the servers can do
SETTLED = 8.0  # seconds after the start: each server makes the default map after its first page


@dataclass(frozen=True)
class Machine:
    """What came of two crowds on so many servers. rss, pss: bytes of each server after them."""

    usual: load.Load
    busy: load.Load
    rss: list[int]
    pss: list[int]


def measured(n: int, arguments: argparse.Namespace) -> Machine:
    with tempfile.TemporaryDirectory() as folder, Cluster(Path(folder), n, share_disk=True) as cluster:
        time.sleep(SETTLED)
        with process.held(cluster.pids, arguments.share):
            usual, busy = (_crowd(cluster, think, n, arguments) for think in (USUAL, BUSY))
        pids = [replica.process.pid for replica in cluster.replicas]
        return Machine(usual, busy, [process.usage(pid).rss for pid in pids], [process.pss(pid) for pid in pids])


def _crowd(cluster: Cluster, think: float, n: int, arguments: argparse.Namespace) -> load.Load:
    print(f"measuring {_servers(n)}, a change every {think:g} s ...", file=sys.stderr, flush=True)
    until = arguments.ramp + arguments.warm_up + arguments.plateau
    seconds = ("--over", arguments.ramp, "--until", until, "--think", think)
    return load.crowd(cluster, "--visitors", arguments.visitors, *seconds)


def rows_of(found: dict[int, Machine], arguments: argparse.Namespace) -> list[Row]:
    since = arguments.ramp + arguments.warm_up
    one, many = found[1], found[arguments.processes]
    several = _servers(arguments.processes)
    rows = []
    for think, name in ((USUAL, "usual"), (BUSY, "busy")):
        who = f"{arguments.visitors} visitors, a change every {think:g} s"
        for n, machine in found.items():
            rows += _crowd_rows(f"{_servers(n)}, {who}", getattr(machine, name), since, arguments.plateau)
    each = [arguments.plateau / len(machine.busy.of("edit", since)) for machine in (one, many)]
    waits = [figures.percentile(machine.usual.seconds("edit", since=since), 95) for machine in (one, many)]
    limit = 1.1 / arguments.processes  # as many times the changes a second as there are servers, but for a tenth
    rows += [
        Row(f"from change to change when all are busy, {several}; floor: one server", each[1], each[0], limit),
        Row(f"a change every {USUAL:g} s, 95th percentile, {several}; floor: one server", waits[1], waits[0]),
        Row("memory of one server alone, RSS", one.rss[0] / 2**20, unit="MiB"),
        Row("memory of one server alone, PSS", one.pss[0] / 2**20, unit="MiB"),
    ]
    for k, (rss, pss) in enumerate(zip(many.rss, many.pss, strict=True), 1):
        rows.append(Row(f"memory of server {k} of {arguments.processes}, RSS", rss / 2**20, unit="MiB"))
        rows.append(Row(f"memory of server {k} of {arguments.processes}, PSS", pss / 2**20, unit="MiB"))
    return rows


def _crowd_rows(who: str, of: load.Load, since: float, seconds: float) -> list[Row]:
    edits = of.seconds("edit", since=since)
    used = figures.processor(of.samples, since)
    return [
        Row(f"{who}: changes a second", len(edits) / seconds, unit="a second"),
        Row(f"{who}: a change, median", figures.percentile(edits, 50)),
        Row(f"{who}: a change, 95th percentile", figures.percentile(edits, 95)),
        Row(f"{who}: errors", len(of.of("error")), limit=0, unit=""),
        Row(f"{who}: processor time of a change", used.server / len(edits)),
        Row(f"{who}: cores that the servers keep busy", used.server / used.seconds, unit="cores"),
        Row(f"{who}: cores that all else keeps busy", (used.visitors + used.others) / used.seconds, unit="cores"),
    ]


def _servers(n: int) -> str:
    return "one server" if n == 1 else f"{n} servers"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2, help="how many servers are compared with one")
    parser.add_argument("--share", type=float, default=SHARE, help="of the time in which the servers run")
    parser.add_argument("--visitors", type=int, default=300)
    parser.add_argument("--ramp", type=float, default=60.0, help="seconds in which the visitors arrive")
    parser.add_argument("--warm-up", type=float, default=20.0, help="seconds after that which do not count")
    parser.add_argument("--plateau", type=float, default=90.0, help="seconds that count")
    arguments = parser.parse_args()
    if arguments.processes < 2:
        parser.error("--processes must be 2 or more.")
    found = {n: measured(n, arguments) for n in (1, arguments.processes)}
    rows = rows_of(found, arguments)
    print(as_table(rows))
    results.write("cores", rows, mix=mix.in_words(), processes=arguments.processes)
    return 0 if is_passed(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
