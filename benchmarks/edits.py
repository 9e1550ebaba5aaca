"""Edits as the server sees them: one visitor, and a class that edits at the same instant."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from server import Server
from session import Session

# Streamlit sends in rounds of five milliseconds, so an edit takes longer or less long by when it comes: in a few all
# could be of one kind.
ROUNDS = 16
EDITS_PER_ROUND = 15
BURSTS = 3
VISITORS = 50

# Words that the small GPT knows, so that it reads them on Compare's first view.
_ANIMALS = ("dog", "bird", "fox", "man", "child")
_VERBS = ("sat", "slept", "stood", "lay")
_PLACES = ("mat", "bed", "box", "hat")


def texts() -> Iterator[str]:
    """Sentences without end, each unlike the one before, all of them six GPT-2 tokens.

    None is the one that the apps start with: that would be no edit.
    """
    words = itertools.product(_PLACES, _VERBS, _ANIMALS)
    return itertools.cycle([f"the {animal} {verb} on the {place}" for place, verb, animal in words])


def _ids() -> Iterator[str]:
    return itertools.cycle([f"{a}, 3, {b}, 1" for a, b in itertools.permutations(range(6), 2)])


def _strides() -> Iterator[int]:
    return itertools.cycle(range(1, 64))


def _long_texts() -> Iterator[str]:
    """Sixty tokens."""
    return (" ".join([text] * 10) for text in texts())


@dataclass(frozen=True)
class Place:
    """What is edited: a field of a page at this address, with values each unlike the one before."""

    page: str
    key: str
    values: Callable[[], Iterator[str | int]]
    query: Mapping[str, str] = field(default_factory=dict)


COMPARE = Place("", "a", texts)  # the floor's one field has the same name
PAIRS = Place("", "a", texts, {"view": "pairs"})
ORDERS = Place("", "a", texts, {"view": "orders"})  # 24 orders of six words
OTHERS = {
    "Lookup": Place("lookup", "ids", _ids, {"looked_up": "ids"}),
    "Tokenizers": Place("tokenizers", "text", texts, {"cut": "text"}),
    "Batches": Place("batches", "stride", _strides),
    "Positions": Place("positions", "picked_position", _strides, {"view": "table", "along": "position"}),
    "Relative, 60 tokens": Place("relative", "sentence", _long_texts),
    "RoPE": Place("rope", "trained", _strides, {"view": "longer"}),
    "Attention, 60 tokens": Place("attention", "a", _long_texts),
}


# The same edit in other languages: one whose words are longer, and one with other letters.
IN_LANGUAGES = {tag: replace(COMPARE, query={"lang": tag}) for tag in ("de", "ja")}


@dataclass
class Edits:
    """What each round of edits of one visitor took.

    seconds: median of a round, from sending the edit to receiving that the script finished.
    processor: processor time of the server, divided by the edits of the round.
    received: bytes that the server sent for an edit, the most of a round.
    """

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    received: list[int] = field(default_factory=list)


async def measure_edits(visits: list[tuple[Server, Place]]) -> list[Edits]:
    """One session for each server and place; a round of edits here, a round there."""
    results = [Edits() for _ in visits]
    values = [place.values() for _, place in visits]
    sessions = [
        await open_place(server, place, next(value)) for (server, place), value in zip(visits, values, strict=True)
    ]
    for _ in range(ROUNDS):
        for (server, place), session, value, result in zip(visits, sessions, values, results, strict=True):
            await _round(server, session, place.key, value, result)
    for session in sessions:
        await session.close()
    return results


async def measure_bursts(servers: list[Server]) -> list[list[float]]:
    """All visitors edit at the same instant, here, then there.

    Returns for each server the 95th percentile of each burst: of the time until a visitor's own script
    has finished, in seconds.
    """
    # One after the other: a server that is busy with fifty first runs lets connections time out.
    classes = [[await open_place(server, COMPARE, "the warm up") for _ in range(VISITORS)] for server in servers]
    percentiles: list[list[float]] = [[] for _ in servers]
    sentences = texts()
    for _ in range(BURSTS):
        for sessions, result in zip(classes, percentiles, strict=True):
            waits = await asyncio.gather(*[_edit(session, COMPARE.key, next(sentences)) for session in sessions])
            result.append(statistics.quantiles(waits, n=20, method="inclusive")[-1])
    for session in itertools.chain(*classes):
        await session.close()
    return percentiles


async def open_place(server: Server, place: Place, value: str | int) -> Session:
    """A session whose page has run twice: what only a first edit has to do is done."""
    session = await Session(server.url).open(place.page, place.query)
    check(session)
    await _edit(session, place.key, value)
    return session


async def _round(server: Server, session: Session, key: str, values: Iterator[str | int], result: Edits) -> None:
    waits, received = [], []
    before = server.processor_seconds()
    for value in itertools.islice(values, EDITS_PER_ROUND):
        waits.append(await _edit(session, key, value))
        received.append(session.received)
    result.seconds.append(statistics.median(waits))
    result.processor.append((server.processor_seconds() - before) / EDITS_PER_ROUND)
    result.received.append(max(received))


async def _edit(session: Session, key: str, value: str | int) -> float:
    start = time.perf_counter()
    await session.edit(key, value)
    seconds = time.perf_counter() - start
    check(session)
    return seconds


def check(session: Session) -> None:
    """An error page is quickly made: never take it for a result."""
    if session.tab.failed:
        raise RuntimeError(f"the page shows an error: {session.tab.failed[0]}")
