"""A hall of 500 that votes by phone at once: on one server, then on two that share a Valkey.

Run from anywhere with the project's Python: `python benchmarks/votes.py`. Prints a table, writes `RESULTS.md`, and
exits with 1 if a vote is not counted once, or if it takes longer than 5 seconds until all are.
"""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import figures
import psutil
import results
from report import Row, as_table, is_passed
from server import ROOT

sys.path.insert(0, str(ROOT))
from tests import valkey
from tests.ask import ask
from tests.browser import server
from tests.hall import Phone, opened, phones

HALL = 500
SECONDS = 5.0  # in which all have voted
PRESSED = 1.0  # seconds within which all of them open the page


class Timed(Phone):
    """A phone that notes how long it waited, from its first request to the word that its vote is counted."""

    wait = seconds = 0.0

    async def vote(self, choice: int, presses: int = 1) -> None:
        await asyncio.sleep(self.wait)
        began = time.perf_counter()
        await super().vote(choice, presses)
        self.seconds = time.perf_counter() - began


def rows(name: str, ports: Sequence[int], variables: dict[str, str], folder: Path) -> list[Row]:
    """What a hall notices whose phones come to each of these servers in turn."""
    with ExitStack() as stack:
        for port in ports:
            stack.enter_context(server.running(server.uvicorn(port), port, variables, folder / f"{port}.log"))
        _lecturer, code = stack.enter_context(opened(ports[0]))
        before, hall = _processor(ports), [Timed(phone.port, phone.path) for phone in phones(HALL, ports, code)]
        began = time.perf_counter()
        asyncio.run(_all(hall))
        seconds, used = time.perf_counter() - began, _processor(ports) - before
        counted = json.loads(ask(ports[0], f"/vote/{code}/count").text)["n"]
    return [
        Row(f"{name}: votes counted, of {HALL}", counted, unit=""),
        Row(f"{name}: votes that were not counted once", abs(HALL - counted), limit=0, unit=""),
        Row(f"{name}: until all are counted", seconds, limit=SECONDS),
        Row(f"{name}: a phone's page and vote, median", figures.percentile([each.seconds for each in hall], 50)),
        Row(f"{name}: a phone's page and vote, the slowest", max(each.seconds for each in hall)),
        Row(f"{name}: processor time of a page and a vote", used / HALL),
    ]


async def _all(hall: Sequence[Timed]) -> None:
    for n, phone in enumerate(hall):
        phone.wait = PRESSED * n / HALL
    await asyncio.gather(*(phone.vote(n % 2) for n, phone in enumerate(hall)))


def _processor(ports: Sequence[int]) -> float:
    """Seconds of the processor that the servers have used."""
    all_ = psutil.Process().children(recursive=True)
    mine = [each for each in all_ if any(str(port) in each.cmdline() for port in ports)]
    return sum(sum(each.cpu_times()[:2]) for each in mine)


def main() -> int:
    with tempfile.TemporaryDirectory() as name, valkey.running(Path(name)) as address:
        folder = Path(name)
        own = {"EMBEDVIZ_CACHE": name}
        found = rows("one server", [server.free_port()], own, folder)
        found += rows(
            "two servers and Valkey",
            [server.free_port(), server.free_port()],
            own | {"EMBEDVIZ_VOTES": address},
            folder,
        )
    print(as_table(found))
    results.write("votes", found, packages=("redis",), hall=HALL)
    return 0 if is_passed(found) else 1


if __name__ == "__main__":
    sys.exit(main())
