"""How long the server waits for a client, and for how many: uvicorn's own protocol, in a loop where waiting is free."""

import asyncio
import itertools
import socket
import time

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from embedviz.server.guards.timeouts import Pieces, Timeouts, with_timeouts
from tests.server import timeless

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
BODY = b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n"
UPGRADE = (
    HEAD + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class Wire(asyncio.Transport):
    """What the server writes to, and when it was cut."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self.loop, self.protocol, self.written, self.cut = asyncio.get_running_loop(), protocol, b"", None
        self.limit = None

    def write(self, data: bytes) -> None:
        self.written += data

    def abort(self) -> None:
        if self.cut is None:
            self.cut = self.loop.time()
            self.protocol.connection_lost(None)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.limit = high

    def set_protocol(self, protocol: asyncio.Protocol) -> None:
        self.protocol = protocol

    def is_closing(self) -> bool:
        return self.cut is not None

    close = abort
    pause_reading = resume_reading = lambda self: None


class Doors:
    """A server that answers when told to."""

    def __init__(self, most: int = 100) -> None:
        async def app(scope: dict, receive, send) -> None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.accept"})
                await asyncio.Event().wait()
            while (await receive()).get("more_body"):
                pass
            await self.may_answer.wait()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})

        self.may_answer = asyncio.Event()
        self._config = uvicorn.Config(app, lifespan="off", log_config=None)
        self._config.load()
        self._state, self.kind = ServerState(), with_timeouts(H11Protocol, Timeouts(most))

    def open(self) -> Wire:
        protocol = self.kind(self._config, self._state, {})
        wire = Wire(protocol)
        protocol.connection_made(wire)
        return wire


def test_a_head_must_come_within_ten_seconds_however_it_drips():
    async def run() -> None:
        wire = Doors().open()
        for n in itertools.count():
            if wire.cut is not None:
                break
            wire.protocol.data_received(HEAD[n % len(HEAD) :][:1] if n < len(HEAD) else b"a")
            await asyncio.sleep(1)
        assert wire.cut == 10

    timeless.run(run())


def test_silence_within_a_body_ends_the_connection_and_a_body_that_goes_on_does_not():
    async def run() -> None:
        wire = Doors().open()
        wire.protocol.data_received(BODY)
        for _ in range(5):
            await asyncio.sleep(59)
            wire.protocol.data_received(b"a")
        assert wire.cut is None
        await asyncio.sleep(1000)
        assert wire.cut == 5 * 59 + 60

    timeless.run(run())


def test_who_waits_for_the_server_is_not_hurried_and_the_next_head_is():
    async def run() -> None:
        doors = Doors()
        wire = doors.open()
        wire.protocol.data_received(HEAD + b"\r\n")
        await asyncio.sleep(10_000)
        assert wire.cut is None
        doors.may_answer.set()
        await asyncio.sleep(1)
        assert wire.written.endswith(b"ok")
        wire.protocol.data_received(HEAD)  # without which uvicorn itself ends it after five seconds
        await asyncio.sleep(1000)
        assert wire.cut == 10_060

    timeless.run(run())


def test_who_takes_nothing_of_an_answer_for_a_minute_is_cut_off():
    async def run() -> None:
        wire = Doors().open()
        wire.protocol.data_received(HEAD + b"\r\n")
        wire.protocol.pause_writing()
        await asyncio.sleep(30)
        wire.protocol.resume_writing()
        await asyncio.sleep(1000)
        assert wire.cut is None
        wire.protocol.pause_writing()
        wire.protocol.data_received(b"GET / HTT")  # what comes meanwhile takes nothing
        await asyncio.sleep(1000)
        assert wire.cut == 1090

    timeless.run(run())


def test_a_websocket_is_left_alone():
    async def run() -> None:
        wire = Doors(most=1).open()
        wire.protocol.data_received(UPGRADE)
        await asyncio.sleep(1)
        assert b" 101 " in wire.written
        await asyncio.sleep(15)
        assert wire.cut is None

    timeless.run(run())


def test_of_more_than_fit_the_oldest_go_and_who_has_asked_stays():
    async def run() -> None:
        doors = Doors(most=3)
        asked = doors.open()
        asked.protocol.data_received(HEAD + b"\r\n")
        wires = []
        for _ in range(7):
            wires.append(doors.open())
            await asyncio.sleep(0.2)
        assert [wire.cut is None for wire in wires] == [False] * 4 + [True] * 3
        at_once = [doors.open() for _ in range(5)]
        at_once[0].protocol.data_received(HEAD + b"\r\n")  # had come with it, and is read before anybody is closed
        await asyncio.sleep(0.2)
        assert [wire.cut is None for wire in at_once] == [True, False, True, True, True]
        assert asked.cut is None

    timeless.run(run())


def test_who_has_sent_a_request_is_not_closed_by_a_busy_server_that_has_not_read_it_yet():
    class Busy(Doors):
        def __call__(self) -> asyncio.Protocol:
            time.sleep(0.01)
            return self.kind(self._config, self._state, {})

    async def run() -> None:
        doors = Busy(most=3)
        doors.may_answer.set()
        running = await asyncio.get_running_loop().create_server(doors, "127.0.0.1", 0)
        clients = [socket.create_connection(running.sockets[0].getsockname()) for _ in range(30)]
        for client in clients:
            client.sendall(HEAD + b"Connection: close\r\n\r\n")
        for client in clients:
            reader, writer = await asyncio.open_connection(sock=client)
            assert (await reader.read()).endswith(b"ok")
            writer.close()
        running.close()

    asyncio.run(run())


def test_who_sends_a_little_again_and_again_is_no_newer_for_that():
    async def run() -> None:
        doors = Doors(most=2)
        drips = doors.open()
        drips.protocol.data_received(BODY)
        others = [doors.open()]
        for _ in range(3):
            await asyncio.sleep(1)
            drips.protocol.data_received(b"a")
        others.append(doors.open())
        await asyncio.sleep(0.2)
        assert drips.cut is not None
        assert [wire.cut for wire in others] == [None, None]

    timeless.run(run())


def test_an_answer_goes_in_pieces_of_which_little_waits():
    async def run() -> None:
        assert Doors().open().limit == 2**15

    async def cut(body: bytes) -> list[dict]:
        sent = []

        async def app(_scope, _receive, send) -> None:
            await send({"type": "http.response.start", "status": 200})
            await send({"type": "http.response.body", "body": body, "more_body": False})

        async def send(message: dict) -> None:
            sent.append(message)

        await Pieces(app)({"type": "http"}, None, send)
        return sent

    timeless.run(run())
    for size in (0, 1, 2**16 - 1, 2**16, 2**16 + 1, 3 * 2**16, 200_000):
        body = bytes(n % 251 for n in range(size))
        start, *parts = timeless.run(cut(body))
        assert start == {"type": "http.response.start", "status": 200}
        assert b"".join(part["body"] for part in parts) == body
        assert [part["more_body"] for part in parts] == [True] * (len(parts) - 1) + [False]
        assert len(parts) == max(1, -(-size // 2**16))
