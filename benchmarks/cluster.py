"""Three servers behind nginx while a class is on them: one is killed, one stopped, and new ones come.

With `--processes 2` it is two servers that share one disk instead, which are restarted one after the other.

Run from anywhere with the project's Python: `python benchmarks/cluster.py`. Needs nginx and Chromium. Prints a
table, writes `RESULTS.md`, and exits with 1 if a limit is missed. Limits are on counts; those on
times are wide, since the machine may do other things too.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import mix
import results
from cluster_pages import Screen, open_screen, replica_of
from cluster_visitors import Diary, Event, Visitor
from playwright.async_api import Browser, Page, async_playwright
from replicas import STOP_SECONDS, Cluster, Replica
from report import Row, as_table, is_passed
from server import ROOT

sys.path.insert(0, str(ROOT))
from tests.ask import ask
from tests.browser import chromium
from tests.hall import at_once, opened, phones

KILLED, STOPPED = 1, 2
HALL = 60  # phones
BACK = 60.0  # seconds in which a visitor must be back
NEWCOMERS_STAY = 15.0
_TYPED = ["man", "bites", "dog", "today"]


@dataclass(frozen=True)
class Phase:
    """Between two moments something happened to one replica. visitors: who had it just before."""

    replica: int
    visitors: int
    begins: float
    ends: float


class Drill:
    """Lets visitors in and does to the replicas what a bad day does."""

    def __init__(self, cluster: Cluster, visitors: int, pause: float) -> None:
        self._cluster, self._n_visitors, self._pause = cluster, visitors, pause
        self.diary = Diary()
        self._random = Random(7)  # noqa: S311 the same again, not secret
        self._tasks: list[asyncio.Task] = []
        self._visitors: list[Visitor] = []
        self.phases: dict[str, Phase] = {}
        self.answers: list[list[str]] = []  # nginx's log
        self.exit_code: int | None = None
        self.votes = (0, 0, 0)
        self.stop_seconds = 0.0
        self.screens: list[tuple[str, float, list[str]]] = []  # what, seconds until back, what differs

    async def run(self, browser: Browser) -> None:
        """Everything, one after the other; a new visitor comes every second meanwhile."""
        screens = await self._open_screens(browser)
        self._let_in(self._n_visitors, 15.0, stay=1e6)
        await asyncio.sleep(15 + self._pause)
        newcomers = asyncio.create_task(self._newcomers())
        compare, tour, typing, attention, positions = screens
        await self._kill([compare, tour], typing, [attention, positions])
        await self._start_again()
        await self._stop([attention], [positions])
        await self._add()
        self.votes = await asyncio.to_thread(hall, self._cluster)
        newcomers.cancel()
        self.screens.append((f"{positions.name}: a server added", 0.0, await _unharmed(positions)))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _open_screens(self, browser: Browser) -> list[Screen]:
        url = self._cluster.url
        return [
            await open_screen(
                browser, url, "Compare", "/?position=sinusoidal&seed=7", replica=KILLED, use=_type_and_unfold
            ),
            await open_screen(browser, url, "Tour", "/tour?a=dog+bites+man&b=man+bites+dog&view=after", replica=KILLED),
            await open_screen(browser, url, "Typing", "/", replica=KILLED),
            await open_screen(browser, url, "Attention", "/attention?a=dog+bites+man&b=man+bites+dog", replica=STOPPED),
            await open_screen(browser, url, "Positions", "/positions?view=table&output_dim=48", replica=3),
        ]

    async def _kill(self, gone: list[Screen], typing: Screen, others: list[Screen]) -> None:
        replica = self._cluster.replicas[KILLED - 1]
        began = self._begin("killed", KILLED)
        # Less than the quarter of a second after which the page sends what was typed.
        await typing.page.get_by_role("textbox", name="Sentence A").fill(" ".join(_TYPED))
        moment = time.monotonic()
        replica.kill()
        await self._watch(gone, moment, "its server killed")
        self.screens.append(("Compare: typed as its server is killed", *await typing.shows_tokens(_TYPED, moment)))
        await asyncio.sleep(max(0.0, began + self._pause - self.diary.now()))
        await self._until_all_are_back(KILLED)
        self._end("killed")
        for screen in others:
            self.screens.append((f"{screen.name}: another server killed", 0.0, await _unharmed(screen)))

    async def _start_again(self) -> None:
        replica = self._cluster.replicas[KILLED - 1]
        replica.start()
        await asyncio.to_thread(replica.wait_until_ready)
        await asyncio.sleep(6)  # nginx leaves a server that failed alone for five seconds
        self._begin("started again", KILLED)
        await asyncio.sleep(self._pause)
        self._end("started again")

    async def _stop(self, gone: list[Screen], others: list[Screen]) -> None:
        replica = self._cluster.replicas[STOPPED - 1]
        self._begin("stopped", STOPPED)
        moment = time.monotonic()
        replica.stop()
        watching = asyncio.create_task(self._watch(gone, moment, "its server stopped"))
        self.exit_code = await asyncio.to_thread(replica.process.wait)
        self.stop_seconds = time.monotonic() - moment
        await watching
        await asyncio.sleep(self._pause)
        await self._until_all_are_back(STOPPED)
        self._end("stopped")
        for screen in others:
            self.screens.append((f"{screen.name}: another server stopped", 0.0, await _unharmed(screen)))

    async def _add(self) -> None:
        replica = await asyncio.to_thread(self._cluster.add)
        await asyncio.sleep(1)
        self._begin("added", replica.number)
        await asyncio.sleep(self._pause)
        self._end("added")

    async def _until_all_are_back(self, replica: int) -> None:
        """Or until some of them count as lost."""
        deadline = time.monotonic() + BACK
        while time.monotonic() < deadline:
            broken, back = (
                sum(event.replica == replica for event in self.diary.of(kind)) for kind in ("broken", "back")
            )
            if broken == back:
                return
            await asyncio.sleep(0.5)

    async def _watch(self, screens: list[Screen], moment: float, what: str) -> None:
        found = await asyncio.gather(*[screen.is_back(moment) for screen in screens])
        for screen, (seconds, differs) in zip(screens, found, strict=True):
            self.screens.append((f"{screen.name}: {what}", seconds, differs))

    def _let_in(self, n: int, over: float, stay: float) -> None:
        for k, place in enumerate(mix.places(n)):
            self._tasks.append(asyncio.create_task(self._seat(place, k * over / n, stay)))

    async def _seat(self, place: mix.Place, wait: float, stay: float) -> None:
        await asyncio.sleep(wait)
        visitor = Visitor(self._cluster.url, place, Random(self._random.random()), self.diary)  # noqa: S311
        self._visitors.append(visitor)
        try:
            await visitor.visit(stay)
        finally:
            self._visitors.remove(visitor)

    async def _newcomers(self) -> None:
        while True:
            self._let_in(1, 0.0, NEWCOMERS_STAY)
            await asyncio.sleep(1)

    def _begin(self, name: str, replica: int) -> float:
        having = sum(visitor.replica == replica for visitor in self._visitors)
        now = self.diary.now()
        self.phases[name] = Phase(replica, having, now, now)
        _say(f"{now:.0f} s: replica {replica} is {name}, {len(self._visitors)} visitors, {having} of them on it")
        return now

    def _end(self, name: str) -> None:
        phase = self.phases[name]
        self.phases[name] = Phase(phase.replica, phase.visitors, phase.begins, self.diary.now())


def hall(cluster: Cluster) -> tuple[int, int, int]:
    """Phones vote through nginx: how many were told that they have, how many are counted, who got more cookies."""
    port = int(cluster.url.rpartition(":")[2])
    with opened(port) as (_lecturer, code):
        crowd = phones(HALL, [port], code)
        asyncio.run(at_once(crowd, 2))
        counted = json.loads(ask(port, f"/vote/{code}/count").text)["n"]
        cookies = ask(port, f"/vote/{code}").headers.get_all("Set-Cookie")
    return sum(each.statuses == [200, 200] for each in crowd), counted, len(cookies) - 1


class Restarts(Drill):
    """Servers of one machine, which are restarted one after the other, as docs/hosting.md says."""

    async def run(self, browser: Browser) -> None:
        url = self._cluster.url
        screens = [
            await open_screen(browser, url, "Compare", "/?position=sinusoidal", replica=1, use=_type_and_unfold),
            await open_screen(browser, url, "Training", "/training?seed=5", replica=1, use=_train),
            await open_screen(browser, url, "Positions", "/positions?view=table&output_dim=48", replica=2),
        ]
        self._let_in(self._n_visitors, 15.0, stay=1e6)
        await asyncio.sleep(15 + self._pause)
        newcomers = asyncio.create_task(self._newcomers())
        for replica in self._cluster.replicas:
            await self._restart(replica, screens)
        newcomers.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _restart(self, replica: Replica, screens: list[Screen]) -> None:
        name = f"restarted, server {replica.number}"
        self._begin(name, replica.number)
        moment = time.monotonic()
        gone = [screen for screen in screens if screen.replica == replica.number]
        replica.stop()
        watching = asyncio.create_task(self._watch(gone, moment, f"server {replica.number} restarted"))
        code = await asyncio.to_thread(replica.process.wait)
        self.exit_code = max(self.exit_code or 0, abs(code))
        replica.start()
        await asyncio.to_thread(replica.wait_until_ready)
        await asyncio.sleep(6)
        await watching
        await self._until_all_are_back(replica.number)
        self._end(name)
        for screen in screens:
            if screen not in gone:
                self.screens.append((f"{screen.name}: server {replica.number} restarted", 0.0, await _unharmed(screen)))
            screen.replica, screen.breaks = await replica_of(screen.context), 0


async def _train(page: Page) -> None:
    await page.get_by_role("button", name="Train", exact=True).click()
    await page.get_by_role("button", name="Start over").wait_for(timeout=120_000)


async def _type_and_unfold(page: Page) -> None:
    await page.get_by_role("textbox", name="Sentence A").fill("the dog saw the bird")
    await page.locator("summary").first.click()


async def _unharmed(screen: Screen) -> list[str]:
    return [*await screen.differences(), *(["the connection"] if screen.breaks else [])]


def rows_of(drill: Drill) -> list[Row]:
    diary = drill.diary
    if isinstance(drill, Restarts):
        gone = [row for name in drill.phases for row in _gone(drill, name, name)]
        codes = Row("the largest exit code of a server", drill.exit_code, limit=0, unit="")
        return [*_all_the_time(drill, diary), *gone, codes, *_screens(drill)]
    return [
        *_all_the_time(drill, diary),
        *_gone(drill, "killed", "SIGKILL"),
        *_share(drill, "started again"),
        *_gone(drill, "stopped", "SIGTERM"),
        Row("SIGTERM: the server's exit code", abs(drill.exit_code), limit=0, unit=""),
        Row("SIGTERM: until the server has ended", drill.stop_seconds, limit=STOP_SECONDS + 20.0),
        Row("SIGTERM: new visitors who were sent to it", _sent_to(drill, "stopped"), limit=0, unit=""),
        *_share(drill, "added"),
        Row("phones that voted, each at any server", drill.votes[0], unit=""),
        Row("votes of theirs that were not counted once", HALL - drill.votes[1], limit=0, unit=""),
        Row("phones that got a cookie beside that of the vote", drill.votes[2], limit=0, unit=""),
        Row("connections broken without a reason", len(_unexplained(drill)), limit=0, unit=""),
        *_screens(drill),
    ]


def _all_the_time(drill: Drill, diary: Diary) -> list[Row]:
    return [
        Row("visitors", len(diary.of("arrival")), unit=""),
        Row("changes that they made", len(diary.of("edit")), unit=""),
        Row("answers through nginx", len(drill.answers), unit=""),
        Row("answers for which it asked a second server", sum(" : " in each[-1] for each in drill.answers), unit=""),
        Row("answers with a server's error", sum(each[3] >= "500" for each in drill.answers), limit=0, unit=""),
        Row("visitors who got no page or lost it", len(diary.of("lost")), limit=0, unit=""),
        Row("errors shown to visitors", len(diary.of("error")), limit=0, unit=""),
        Row("files that went to a server without the session", len(diary.of("refused")), limit=0, unit=""),
    ]


def _gone(drill: Drill, name: str, signal: str) -> list[Row]:
    phase = drill.phases[name]
    seconds = [event.seconds for event in _during(drill, "back", phase) if event.replica == phase.replica]
    broken = [event for event in _during(drill, "broken", phase) if event.replica == phase.replica]
    return [
        Row(f"{signal}: visitors on that server", phase.visitors, unit=""),
        Row(f"{signal}: connections broken", len(broken), unit=""),
        Row(f"{signal}: visitors who did not come back", len(broken) - len(seconds), limit=0, unit=""),
        Row(f"{signal}: until a visitor is back, median", statistics.median(seconds), limit=BACK),
        Row(f"{signal}: until a visitor is back, the last", max(seconds), limit=BACK),
    ]


def _share(drill: Drill, name: str) -> list[Row]:
    phase = drill.phases[name]
    arrivals = _during(drill, "arrival", phase)
    own = sum(event.replica == phase.replica for event in arrivals)
    replicas = len({event.replica for event in arrivals})
    fair = len(arrivals) / replicas
    return [
        Row(f"server {name}: new visitors", len(arrivals), unit=""),
        Row(f"server {name}: of those on it", own, unit=""),
        Row(f"server {name}: an equal share by what it took", fair / own if own else 99.0, limit=2.0, unit="times"),
    ]


def _sent_to(drill: Drill, name: str) -> int:
    """Who arrived at the replica after it was told to stop; those under way in the first second do not count."""
    phase = drill.phases[name]
    return sum(event.replica == phase.replica for event in drill.diary.of("arrival", phase.begins + 1, phase.ends))


def _unexplained(drill: Drill) -> list[Event]:
    """Connections that broke though nothing was done to their server."""
    gone = {drill.phases[name].replica: drill.phases[name].begins for name in ("killed", "stopped")}
    return [event for event in drill.diary.of("broken") if event.t < gone.get(event.replica, float("inf"))]


def _during(drill: Drill, kind: str, phase: Phase) -> list[Event]:
    return drill.diary.of(kind, phase.begins, phase.ends)


def _screens(drill: Drill) -> list[Row]:
    times = [(name, seconds) for name, seconds, _ in drill.screens if seconds]
    return [
        Row("pages in Chromium looked at", len(drill.screens), unit=""),
        Row("pages in Chromium that came back", len(times), unit=""),
        Row("things on them that were not the same", sum(len(d) for *_, d in drill.screens), limit=0, unit=""),
        *[Row(f"{name}, until the same is on the screen", seconds, limit=BACK) for name, seconds in times],
    ]


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


async def drilled(arguments: argparse.Namespace, folder: Path) -> Drill:
    path = chromium.installed()
    if not path:
        raise SystemExit("This needs Chromium or Chrome: install one, or set CHROMIUM to its path.")
    n = arguments.processes or 3
    _say(f"starting {n} servers ...")
    with Cluster(folder, n, share_disk=bool(arguments.processes)) as cluster:
        kind = Restarts if arguments.processes else Drill
        drill = kind(cluster, arguments.visitors, arguments.pause)
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
            await drill.run(browser)
            await browser.close()
        drill.answers = cluster.log()
    return drill


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visitors", type=int, default=45, help="who stay all the time")
    parser.add_argument("--pause", type=float, default=20.0, help="seconds that are watched after each event")
    parser.add_argument("--processes", type=int, default=0, help="servers of one machine that are restarted")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        drill = asyncio.run(drilled(arguments, Path(folder)))
    for name, seconds, differs in drill.screens:
        _say(f"{name}: {seconds:.1f} s, {', '.join(differs) or 'the same'}")
    for event in [each for kind in ("lost", "error", "refused") for each in drill.diary.of(kind)][:20]:
        _say(str(event))
    rows = rows_of(drill)
    print(as_table(rows))
    results.write("restarts" if arguments.processes else "cluster", rows, processes=arguments.processes)
    return 0 if is_passed(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
