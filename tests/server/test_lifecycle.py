"""Alive before it is ready; and a server that is told to stop lets open runs finish, but not for ever."""

import asyncio
import math
import signal
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from embedviz.server import lifecycle
from embedviz.server.lifecycle import Health, Stop
from embedviz.server.sessions import Places
from embedviz.ui import turns
from tests.server import timeless


def test_ready_only_while_warm():
    places = Places(1, lambda _: False)
    health = Health(places)
    client = TestClient(Starlette(routes=health.routes))
    for warm, status in ((False, 503), (True, 200), (False, 503)):
        health.is_warm = warm
        assert client.get("/readyz").status_code == status
        assert client.get("/healthz").status_code == 200
    # A server may not send the body of an answer to CONNECT.
    assert {
        client.request(method, path).status_code for method in ("CONNECT", "POST") for path in ("/healthz", "/readyz")
    } == {405}


def test_full_is_ready_and_stopping_is_not():
    places = Places(1, lambda _: False)
    health = Health(places)
    health.is_warm = True
    client = TestClient(Starlette(routes=health.routes))
    places.enter("")
    assert client.get("/readyz").status_code == 200
    places.is_stopping = True
    assert (client.get("/readyz").status_code, client.get("/readyz").text) == (503, "stopping")
    assert client.get("/healthz").status_code == 200


@pytest.fixture
def uvicorns() -> Iterator[uvicorn.Server]:
    """A server whose own answer to the signals stands."""
    found = uvicorn.Server(uvicorn.Config(app=None))
    before = {each: signal.signal(each, found.handle_exit) for each in (signal.SIGTERM, signal.SIGINT)}
    yield found
    for each, handler in before.items():
        signal.signal(each, handler)


async def seconds_until_it_stops(server: uvicorn.Server, stop: Stop) -> float:
    """After the first signal; an hour if it never does."""
    stop.listen()
    signal.raise_signal(signal.SIGTERM)
    clock = asyncio.get_running_loop().time
    while not server.should_exit and clock() < 3600:
        await asyncio.sleep(0.01)
    return clock()


@pytest.mark.parametrize(
    ("open_for", "at_most", "ends_after"), [(0, 20, 0), (12, 20, 12), (12, 0, 0), (math.inf, 20, 20)]
)
def test_it_ends_once_nothing_runs_or_time_is_up(uvicorns, monkeypatch, open_for, at_most, ends_after):
    places = Places(1, lambda _: False)

    async def stopped() -> float:
        clock = asyncio.get_running_loop().time
        monkeypatch.setattr(turns, "n_open", lambda: int(clock() < open_for))
        return await seconds_until_it_stops(uvicorns, Stop(places, at_most))

    assert ends_after <= timeless.run(stopped()) < ends_after + 1
    assert places.is_stopping
    assert uvicorns.config.timeout_graceful_shutdown == 3  # seconds, also if somebody still looks on


def test_a_second_signal_ends_at_once(uvicorns, monkeypatch):
    done = []
    stop = Stop(Places(1, lambda _: False), 600)
    monkeypatch.setattr(stop, "end", lambda: done.append("what it has started"))
    monkeypatch.setattr(lifecycle.os, "_exit", done.append)
    monkeypatch.setattr(turns, "n_open", lambda: 1)

    async def twice() -> None:
        stop.listen()
        signal.raise_signal(signal.SIGTERM)
        await asyncio.sleep(1)
        assert done == []
        signal.raise_signal(signal.SIGINT)

    timeless.run(twice())
    assert done == ["what it has started", 128 + signal.SIGINT]
    assert not uvicorns.should_exit
