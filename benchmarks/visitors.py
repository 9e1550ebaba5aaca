"""Visitors of one server, in a process of their own: `python benchmarks/visitors.py ADDRESS --help`.

Prints a line of JSON for each thing that happened, as it happens. `t` is the time since the start. A change is
timed from the moment it was due until its script has finished, so that a server that keeps visitors waiting
cannot make them ask less and look the better for it.
"""

import argparse
import asyncio
import gc
import json
import math
import re
import resource
import sys
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from random import Random
from urllib.parse import urlsplit

import mix
from session import Broken, Session

LETTER = 0.18  # seconds between two letters, in the middle; now and then a letter takes much longer
REST = (1.0, 4.0)  # seconds between two sentences
THINK = 10.0  # seconds between two changes of a visitor, on average; each is between half and one and a half of it
COOKIE = b"embedviz_replica"  # which of several servers has the visitor
STAY = (60.0, 240.0)  # seconds that a visitor stays who comes and goes
_TIMEOUT = 120.0


@dataclass
class Plan:
    """Who comes when.

    over: seconds in which all arrive, evenly. until: when all leave. comes_and_goes: whether visitors leave
    earlier, and others take their places. edits: whether they change anything. typing: the place of mix.TYPED on which
    all of them type letter by letter; "" if they do not. think: as THINK.
    """

    address: str
    visitors: int
    over: float
    until: float
    seed: int
    comes_and_goes: bool = False
    edits: bool = True
    floor: bool = False
    typing: str = ""
    think: float = THINK


class Crowd:
    """Carries out a plan and tells what happens."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._began = time.perf_counter()

    async def run(self) -> None:
        plan = self._plan
        usual = mix.FLOOR if plan.floor else mix.PLACES
        where = mix.places(plan.visitors, (mix.TYPED[plan.typing],) if plan.typing else usual)
        await asyncio.gather(*[self._seat(n, place) for n, place in enumerate(where)])
        usage = resource.getrusage(resource.RUSAGE_SELF)
        self._tell("end", processor=usage.ru_utime + usage.ru_stime)

    async def _seat(self, n: int, place: mix.Place) -> None:
        """One visitor after another in the same seat."""
        random = Random(f"{self._plan.seed}:{n}")  # noqa: S311 the same again, not secret
        await self._sleep_until(n * self._plan.over / self._plan.visitors)
        while self._now() < self._plan.until:
            leaves = min(self._plan.until, self._now() + random.uniform(*STAY) if self._plan.comes_and_goes else 1e9)
            try:
                await self._visit(place, random, leaves)
            except (Broken, OSError, TimeoutError, EOFError, KeyError) as error:
                self._tell("error", page=place.name, what=f"{type(error).__name__}: {error}")
                await asyncio.sleep(1)
            if not self._plan.edits:
                return

    async def _visit(self, place: mix.Place, random: Random, leaves: float) -> None:
        due = self._now()
        cookie = cookie_of(await fetch(self._plan.address, f"/{place.page}"))
        fetched = self._now() - due
        session = Session(self._plan.address, cookie)
        await asyncio.wait_for(session.open(place.page, place.query), _TIMEOUT)
        self._check(place, session)
        self._tell("arrival", page=place.name, html=fetched, seconds=self._now() - due, bytes=session.received)
        try:
            await (self._type if self._plan.typing else self._stay)(place, random, leaves, session)
        finally:
            await session.close()

    async def _stay(self, place: mix.Place, random: Random, leaves: float, session: Session) -> None:
        think = self._plan.think
        due = self._now() + random.uniform(0, think)
        while self._plan.edits and due < leaves:
            await self._sleep_until(due)
            late = self._now() - due
            key, make = random.choice([change for change in place.changes if change[0] in session.tab.controls])
            await session.edit(key, make(random), _TIMEOUT)
            self._tell("edit", page=place.name, seconds=self._now() - due, late=late, bytes=session.received)
            self._check(place, session)
            due = max(due + random.uniform(think / 2, 1.5 * think), self._now())
        await self._sleep_until(leaves)

    async def _type(self, place: mix.Place, random: Random, leaves: float, session: Session) -> None:
        """Sentences, letter by letter. As in a browser, letters go together within the time that the field waits.

        They also go together while a run goes on, since Streamlit then keeps the last of them for the next run.
        """
        key, make = place.changes[0]
        due = self._now() + random.uniform(*REST)
        while due < leaves:
            text = make(random)
            ends = due
            for n, pause in enumerate(pauses(text, random), 1):
                ends = due
                due += pause
                if n < len(text) and (pause < session.tab.controls[key].wait or due <= self._now()):
                    continue
                await self._sleep_until(ends + session.tab.controls[key].wait)
                await session.edit(key, text[:n], _TIMEOUT)
                self._check(place, session)
            self._tell("sentence", seconds=self._now() - ends)
            due = max(due, self._now()) + random.uniform(*REST)

    def _check(self, place: mix.Place, session: Session) -> None:
        """An error page is quickly made: never take it for a result."""
        for message in session.tab.failed:
            self._tell("error", page=place.name, what=message)
        session.tab.failed.clear()

    def _now(self) -> float:
        return time.perf_counter() - self._began

    def _sleep_until(self, moment: float) -> Awaitable[None]:
        return asyncio.sleep(max(0.0, moment - self._now()))

    def _tell(self, kind: str, **facts: object) -> None:
        rounded = {name: round(fact, 4) if isinstance(fact, float) else fact for name, fact in facts.items()}
        print(json.dumps({"kind": kind, "t": round(self._now(), 3)} | rounded), flush=True)


def pauses(text: str, random: Random) -> list[float]:
    """Seconds after each letter of a text until the next one."""
    return [random.lognormvariate(math.log(LETTER), 0.5) for _ in text]


async def fetch(address: str, path: str) -> bytes:
    """The page itself, over a connection of its own. Raises OSError for any answer but 200."""
    host = urlsplit(address)
    reader, writer = await asyncio.wait_for(asyncio.open_connection(host.hostname, host.port), _TIMEOUT)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {host.netloc}\r\nConnection: close\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), _TIMEOUT)
    finally:
        writer.close()
    status = answer.split(b"\r\n", 1)[0]
    if b" 200 " not in status:
        raise OSError(f"{path}: {status.decode('latin-1') or 'no answer'}")
    return answer


def cookie_of(answer: bytes) -> dict[str, str]:
    """The header by which a visitor comes to the server again that has answered; none where there is only one."""
    found = re.search(rb"\r\nset-cookie: *(%b=\d+)" % COOKIE, answer.partition(b"\r\n\r\n")[0], re.IGNORECASE)
    return {"Cookie": found[1].decode("ascii")} if found else {}


def plan_of(arguments: list[str]) -> Plan:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", help="of the server, such as http://localhost:8501")
    parser.add_argument("--visitors", type=int, default=300)
    parser.add_argument("--over", type=float, default=30.0, help="seconds in which they arrive")
    parser.add_argument("--until", type=float, default=120.0, help="seconds after which they leave")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--come-and-go", action="store_true", dest="comes_and_goes", help="they leave earlier too")
    parser.add_argument("--only-arrive", action="store_false", dest="edits", help="they change nothing")
    parser.add_argument("--typing", choices=mix.TYPED, default="", help="where they type letter by letter")
    parser.add_argument("--think", type=float, default=THINK, help="seconds between two changes of a visitor")
    parser.add_argument("--floor", action="store_true", help="the server is the floor app")
    return Plan(**vars(parser.parse_args(arguments)))


if __name__ == "__main__":
    # What the libraries hold never changes: no need to look through it again and again.
    gc.collect()
    gc.freeze()
    asyncio.run(Crowd(plan_of(sys.argv[1:])).run())
