"""Edits as the server sees them: one visitor, and a class that edits at the same instant."""

import asyncio
import itertools
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from server import Server
from session import Session

ROUNDS = 4
EDITS_PER_ROUND = 15
BURSTS = 3
VISITORS = 50

_ANIMALS = ("cat", "dog", "bird", "horse", "fish", "bear", "mouse", "lion")
_PLACES = ("rug", "bed", "roof", "floor", "chair", "table", "road", "hill")


def texts() -> Iterator[str]:
    """Sentences without end, each unlike the one before, all of them six GPT-2 tokens.

    None is the one that the apps start with: that would be no edit.
    """
    pairs = itertools.product(_PLACES, _ANIMALS)
    return itertools.cycle([f"the {animal} sat on the {place}" for place, animal in pairs])


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


async def measure_edits(servers: list[Server]) -> list[Edits]:
    """Edit field "a" in one session of each server, a round here, a round there."""
    results = [Edits() for _ in servers]
    sessions = [await _open(server) for server in servers]
    sentences = texts()
    for _ in range(ROUNDS):
        for server, session, result in zip(servers, sessions, results, strict=True):
            await _round(server, session, sentences, result)
    for session in sessions:
        await session.close()
    return results


async def measure_bursts(servers: list[Server]) -> list[list[float]]:
    """All visitors edit at the same instant, here, then there.

    Returns for each server the 95th percentile of each burst: of the time until a visitor's own script
    has finished, in seconds.
    """
    # One after the other: a server that is busy with fifty first runs lets connections time out.
    classes = [[await _open(server) for _ in range(VISITORS)] for server in servers]
    percentiles: list[list[float]] = [[] for _ in servers]
    sentences = texts()
    for _ in range(BURSTS):
        for sessions, result in zip(classes, percentiles, strict=True):
            waits = await asyncio.gather(*[_edit(session, next(sentences)) for session in sessions])
            result.append(statistics.quantiles(waits, n=20, method="inclusive")[-1])
    for session in itertools.chain(*classes):
        await session.close()
    return percentiles


async def _open(server: Server) -> Session:
    """A session whose page has run twice: what only a first edit has to do is done."""
    session = await Session(server.port).open()
    _check(session)
    await _edit(session, "the warm up")
    return session


async def _round(server: Server, session: Session, sentences: Iterator[str], result: Edits) -> None:
    waits, received = [], []
    before = server.processor_seconds()
    for text in itertools.islice(sentences, EDITS_PER_ROUND):
        waits.append(await _edit(session, text))
        received.append(session.received)
    result.seconds.append(statistics.median(waits))
    result.processor.append((server.processor_seconds() - before) / EDITS_PER_ROUND)
    result.received.append(max(received))


async def _edit(session: Session, text: str) -> float:
    start = time.perf_counter()
    await session.edit("a", text)
    seconds = time.perf_counter() - start
    _check(session)
    return seconds


def _check(session: Session) -> None:
    """An error page is quickly made: never take it for a result."""
    if session.failed:
        raise RuntimeError(f"the page shows an error: {session.failed[0]}")
