"""A real model's vectors beside random ones: edits on Compare, and the page Vocabulary. `make minilm` brings the model.

Run as a script it prints the seconds as JSON.
"""

import asyncio
import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import edits
from server import ROOT, App, Server, apps
from session import Session

sys.path.insert(0, str(ROOT))
from embedviz.base.settings import read
from embedviz.models import minilm

NAME = minilm.MINILM.repository
VISITS = 5
_REAL = replace(edits.PAIRS, query={"view": "pairs", "source": NAME})
_RANDOM = replace(edits.PAIRS, query={"view": "pairs", "output_dim": "384"})  # as many as MiniLM has


def is_here() -> bool:
    """Whether the model lies on this machine."""
    return minilm.is_there(read().models)


def measure(ours: App) -> tuple[list[float], list[float], list[float]]:
    """Seconds of rounds of edits with the model and with random vectors, and of visits of Vocabulary."""
    with tempfile.TemporaryDirectory() as kept:
        # No one types as fast as two sessions in turn do here; a server would make them wait.
        paced = {"EMBEDVIZ_EDITS_PER_SECOND": "1000"}
        settings = {"EMBEDVIZ_MODELS": str(read().models), "EMBEDVIZ_CACHE": kept, **paced}
        with Server(replace(ours, settings=ours.settings | settings)) as server:
            server.wait_until_healthy()
            return asyncio.run(_measure(server))


async def _measure(server: Server) -> tuple[list[float], list[float], list[float]]:
    real, random = await edits.measure_edits([(server, _REAL), (server, _RANDOM)])
    return real.seconds, random.seconds, [await _visit(server) for _ in range(VISITS)]


async def _visit(server: Server) -> float:
    """From asking for the page to receiving that its script finished."""
    start = time.perf_counter()
    session = await Session(server.url).open("vocabulary", {"source": NAME})
    seconds = time.perf_counter() - start
    edits.check(session)
    await session.close()
    return seconds


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        _, app, _ = apps(Path(temporary))
        print(json.dumps(dict(zip(("real", "random", "vocabulary"), measure(app), strict=True))))
