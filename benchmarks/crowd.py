"""A class that presses "Train" at once: what somebody who edits on Compare notices of it.

Each of the visitors asks for a run of its own and keeps looking, as a browser does, at how far it is.
"""

import asyncio
import itertools
import time
from statistics import median

import edits
from server import Server
from session import Session

VISITORS = 20
ROUNDS = 2
EDITS = 25  # a round
PAUSE = 0.2  # seconds between two edits, in which those who wait have their looks
_LONG = "steps=1000&n_layers=4&dims=64&seed={}"


async def measure(server: Server) -> tuple[list[float], list[float]]:
    """Median seconds of each round of edits on Compare: while nobody trains, while all do.

    The rounds take turns.
    """
    reader = await edits.open_place(server, edits.COMPARE, "the warm up")
    sentences = edits.texts()
    alone, beside = [], []
    for n in range(ROUNDS):
        alone.append(await _round(reader, sentences))
        learners = [await _learner(server, n * VISITORS + k) for k in range(VISITORS)]
        watching = [asyncio.create_task(_watch(learner)) for learner in learners]
        beside.append(await _round(reader, sentences))
        for task in watching:
            if task.done():
                task.result()
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        for learner in learners:
            await learner.close()
        await asyncio.sleep(10)  # until those who left are noticed
    await reader.close()
    return alone, beside


async def _learner(server: Server, seed: int) -> Session:
    """A visitor who has pressed "Train" and waits."""
    session = await Session(server.url).open("training", _LONG.format(seed))
    await session.edit("train", True)
    if session.tab.failed or not session.tab.interval:
        raise RuntimeError(f"no run was begun: {session.tab.failed}")
    return session


async def _watch(session: Session) -> None:
    while session.tab.interval:
        await asyncio.sleep(session.tab.interval)
        await session.look_again()


async def _round(session: Session, sentences: itertools.cycle) -> float:
    seconds = []
    for sentence in itertools.islice(sentences, EDITS):
        await asyncio.sleep(PAUSE)
        start = time.perf_counter()
        await session.edit(edits.COMPARE.key, sentence)
        seconds.append(time.perf_counter() - start)
    return median(seconds)
