"""Who asks for no page gives the place up."""

import asyncio

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from embedviz.server.guards.incoming import CheckedMessages
from tests.server import timeless
from tests.tab import Tab

PAGE = Tab().open().SerializeToString()


def ended(messages: list[tuple[float, bytes]], session: str = "") -> tuple[float | None, list[bytes], list[dict]]:
    """When the app was told that the connection ended, what it got before, and what was sent.

    messages: each with the second at which it comes.
    """
    got: list[bytes] = []

    async def app(_scope: dict, receive, _send) -> float | None:
        while (message := await receive())["type"] == "websocket.receive":
            got.append(message["bytes"])
        got.append(message["type"])

    async def run() -> tuple:
        clock, queue, sent = asyncio.get_running_loop().time, asyncio.Queue(), []

        async def come() -> None:
            for at, content in messages:
                await asyncio.sleep(at - clock())
                queue.put_nowait({"type": "websocket.receive", "bytes": content})

        async def send(message: dict) -> None:
            sent.append(message)

        names = f"streamlit, token, {session}".encode()
        scope = {"type": "websocket", "headers": [(b"sec-websocket-protocol", names)]}
        coming = asyncio.create_task(come())
        try:
            async with asyncio.timeout(1000):
                await CheckedMessages(app, 1000, {"known"}.__contains__)(scope, queue.get, send)
        except TimeoutError:
            return None, got, sent
        finally:
            coming.cancel()
        return clock(), got, sent

    return timeless.run(run())


@pytest.mark.parametrize("session", ["", "forged"])
def test_whoever_sends_nothing_is_ended_after_thirty_seconds(session):
    at, got, sent = ended([], session)
    assert (at, got) == (30, ["websocket.disconnect"])
    assert sent == [{"type": "websocket.close", "code": 1013, "reason": "No page was asked for."}]


def test_what_is_no_question_for_a_page_gains_no_time():
    other = BackMsg(stop_script=True).SerializeToString()
    at, got, _ = ended([(n, content) for n, content in enumerate([b"", b"garbage", other] * 12)])
    assert at == 30
    assert got[:3] == [b"", b"garbage", other]


def test_whoever_asks_for_a_page_or_has_one_may_rest():
    assert ended([(0, PAGE)]) == (None, [PAGE], [])
    assert ended([(29, PAGE)]) == (None, [PAGE], [])
    assert ended([], "known") == (None, [], [])
