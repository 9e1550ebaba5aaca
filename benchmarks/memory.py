"""What the server needs in memory, and whether it stays under 1 GB with the settings for so small a host.

Run from anywhere with the project's Python: `python benchmarks/memory.py`. Prints a table, writes `RESULTS.md`,
and exits with 1 if a limit is missed.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import mix
import process
import results
from report import Row, as_table, is_passed
from server import ROOT, App, Server
from session import Session

HOST = 2**30  # bytes of the small host
# The settings that the README gives for such a host.
_LINES = (ROOT / "deploy/community-cloud.env").read_text("utf-8").splitlines()
SMALL = dict(line.split("=") for line in _LINES if not line.startswith("#"))
CROWDS = (10, 50)
_STAY = 30  # seconds
_EVERY = 0.5
_SETTLED = 8.0  # seconds after the start: the default map is made after the first page
# Tables and vocabularies as a class may ask for: more than fit at once.
_LARGE = [
    {"tokenizer": tokenizer, "output_dim": dims, "seed": str(seed)}
    for seed in (1, 2)
    for tokenizer, dims in (("gpt2", "256"), ("cl100k_base", "128"), ("o200k_base", "64"))
]


def measure(app: App) -> list[tuple[str, int]]:
    """What was done, and the most bytes in memory from then until the next was done."""
    steps = {
        "at the start": lambda server: time.sleep(_SETTLED),
        "after every page was visited": lambda server: asyncio.run(_visit(server)),
        **{f"with {n} visitors": partial(_crowd, n_visitors=n) for n in CROWDS},
        "after six tables of the three large vocabularies": lambda server: asyncio.run(_ask_for_tables(server)),
        "after that, while a model trains": lambda server: asyncio.run(_train(server)),
    }
    found = []
    with Server(app) as server:
        server.wait_until_healthy()
        for what, do in steps.items():
            found.append((what, _most(server, partial(do, server))))
            own = process.usage(server.pid).rss
            print(f"{what}: {found[-1][1] >> 20} MiB, of the server itself {own >> 20}", file=sys.stderr, flush=True)
    return found


def _most(server: Server, do: Callable[[], None]) -> int:
    """The most bytes while something is done; it runs in a thread of its own."""
    most = 0
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(do)
        while not done.done():
            most = max(most, process.usage(server.pid).total)
            time.sleep(_EVERY)
        done.result()
    return max(most, process.usage(server.pid).total)


async def _visit(server: Server) -> None:
    for place in mix.PLACES:
        session = await Session(server.url).open(place.page)
        if session.tab.failed:
            raise RuntimeError(f"{place.name} shows an error: {session.tab.failed[0]}")
        await session.close()


async def _ask_for_tables(server: Server) -> None:
    for page in ("", "vocabulary"):
        for query in _LARGE:
            session = await Session(server.url).open(page, query)
            await session.close()


async def _train(server: Server) -> None:
    session = await Session(server.url).open("training", "steps=1000&seed=7")
    await session.edit("train", True)
    if not session.tab.interval:
        raise RuntimeError(f"no run was begun: {session.tab.failed}")
    while session.tab.interval:
        await asyncio.sleep(session.tab.interval)
        await session.look_again()
    await session.close()


def _crowd(server: Server, n_visitors: int) -> None:
    script = Path(__file__).with_name("visitors.py")
    command = [sys.executable, script, server.url, "--visitors", n_visitors, "--over", 10, "--until", _STAY]
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def rows(app: App, small: App) -> list[Row]:
    found = [Row(f"default settings, {what}", used / 2**20, unit="MiB") for what, used in measure(app)]
    limit = HOST / 2**20
    found += [Row(f"1 GB host, {what}", used / 2**20, limit=limit, unit="MiB") for what, used in measure(small)]
    return found


def main() -> int:
    app = App("ours", ROOT / "app.py", ROOT)
    found = rows(app, replace(app, settings=SMALL))
    print(as_table(found))
    results.write("memory", found, settings=", ".join(f"{name}={n}" for name, n in SMALL.items()))
    return 0 if is_passed(found) else 1


if __name__ == "__main__":
    sys.exit(main())
