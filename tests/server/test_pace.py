"""Edits that come too fast: none is lost, the last comes last, and others do not wait."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.settings import Settings
from embedviz.base.slow_visitors import HEADER, slowed
from embedviz.server.pace import Bucket, Pace
from tests.server import timeless

SCOPE = {"type": "websocket", "headers": [(HEADER.lower().encode(), b"forged")]}


def message(text: bytes) -> dict:
    return {"type": "websocket.receive", "bytes": text}


def taken(messages: list[dict], *, rate: float, at_once: int, most_bytes: int = 1000) -> dict:
    """What an app gets of these, with the seconds at which it got them, and what was sent back."""
    found = {"got": [], "at": [], "sent": [], "slowed": False}

    async def app(scope: dict, receive, send) -> None:
        names = [value.decode() for key, value in scope["headers"] if key == HEADER.lower().encode()]
        assert len(names) == 1
        assert names[0] != "forged"
        clock = asyncio.get_running_loop().time
        while (got := await receive())["type"] == "websocket.receive":
            found["got"].append(got["bytes"])
            found["at"].append(clock())
            found["slowed"] |= names[0] in slowed
        found["last"] = got
        await send({"type": "websocket.send", "text": "after the end"})

    async def run() -> None:
        queue: asyncio.Queue = asyncio.Queue()
        for each in [*messages, {"type": "websocket.disconnect", "code": 1000}]:
            queue.put_nowait(each)

        async def send(sent: dict) -> None:
            found["sent"].append(sent)

        await Pace(app, rate, at_once, most_bytes)(SCOPE, queue.get, send)

    timeless.run(run())
    return found


def test_few_edits_go_on_at_once():
    found = taken([message(b"%d" % n) for n in range(20)], rate=1, at_once=20)
    assert found["got"] == [b"%d" % n for n in range(20)]
    assert found["at"] == [0.0] * 20  # not one a second
    assert not found["slowed"]
    assert slowed == {}


def test_a_flood_is_held_together_and_nothing_of_it_is_lost():
    found = taken([message(b"%d" % n) for n in range(100)], rate=20, at_once=5)
    assert found["got"] == [b"%d" % n for n in range(100)]
    # 95 beyond the first five go on in heaps of 16, each 1/20 s after the one before
    pauses = [later - earlier for earlier, later in pairwise(found["at"]) if later > earlier]
    assert len(pauses) >= 5
    assert pauses[:5] == pytest.approx([1 / 20] * 5)
    assert found["slowed"]
    assert slowed == {}  # who has gone is told nothing


@given(st.lists(st.binary(max_size=50), max_size=40), st.integers(1, 10))
def test_whatever_comes_goes_on_in_its_order(texts, at_once):
    assert taken([message(each) for each in texts], rate=1000, at_once=at_once)["got"] == texts


def test_a_message_that_is_too_large_ends_the_connection_and_says_why():
    found = taken([message(b"small"), message(b"x" * 1025), message(b"later")], rate=10, at_once=10, most_bytes=1024)
    assert found["got"] == [b"small"]
    assert found["last"] == {"type": "websocket.disconnect", "code": 1009}
    assert found["sent"] == [{"type": "websocket.close", "code": 1009, "reason": "A message may have 1 KiB at most."}]


def test_a_line_that_is_full_for_long_is_ended_and_a_shorter_one_is_not():
    """Each second takes 16 of the messages: 400 of them 25 seconds, 150 of them nine."""
    found = taken([message(b"%d" % n) for n in range(400)], rate=1, at_once=1)
    assert found["last"] == {"type": "websocket.disconnect", "code": 1008}
    assert found["sent"] == [{"type": "websocket.close", "code": 1008, "reason": "Too many edits."}]
    assert found["got"] == [b"%d" % n for n in range(len(found["got"]))]  # what has come so far, in its order
    assert 10 < found["at"][-1] < 20
    assert len(taken([message(b"%d" % n) for n in range(150)], rate=1, at_once=1)["got"]) == 150


def test_full_lines_with_a_rest_between_them_are_no_flood():
    """Thirty edits at once, then eight seconds without any, and so on."""
    got = []

    async def app(scope: dict, receive, send) -> None:
        while (each := await receive())["type"] == "websocket.receive":
            got.append(each)

    async def run() -> None:
        queue: asyncio.Queue = asyncio.Queue()
        sent: list[dict] = []

        async def send(each: dict) -> None:
            sent.append(each)

        task = asyncio.create_task(Pace(app, 1, 1, 1000)(SCOPE, queue.get, send))
        for _ in range(3):
            for n in range(30):
                queue.put_nowait(message(b"%d" % n))
            await asyncio.sleep(40)
        queue.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await task
        assert sent == []

    timeless.run(run())
    assert len(got) == 90


@given(st.floats(0.5, 100), st.integers(1, 20), st.lists(st.floats(0, 3), min_size=1, max_size=60))
def test_the_bucket_lets_no_more_through_than_it_says(rate, at_once, pauses):
    """In any time t at most at_once + rate·t edits are due."""
    now = 0.0
    bucket = Bucket(rate, at_once, lambda: now)
    due = []
    for pause in pauses:
        now += pause
        due.append(now + bucket.take())
    for first, start in enumerate(due):
        for last in range(first, len(due)):
            assert last - first + 1 <= at_once + rate * (due[last] - start) + 1e-6


def test_other_connections_are_left_alone():
    async def run() -> list:
        got = []

        async def app(scope, receive, send) -> None:
            got.append((scope, receive, send))

        await Pace(app, 1, 1, 1)({"type": "http", "headers": []}, "receive", "send")
        return got

    assert timeless.run(run()) == [({"type": "http", "headers": []}, "receive", "send")]


def test_typing_sliding_and_watching_at_once_are_never_slowed():
    """Ten seconds of four edits from typing, four from a slider and two from a training; 50 presses in two seconds."""
    steady = sorted([n / 4 for n in range(40)] + [n / 4 + 0.1 for n in range(40)] + [n / 2 for n in range(20)])
    for times in (steady, [n / 25 for n in range(50)]):
        clock = iter([0.0, *times])
        settings = Settings()
        bucket = Bucket(settings.edits_per_second, settings.edits_at_once, lambda clock=clock: next(clock))
        assert {bucket.take() for _ in times} == {0.0}
