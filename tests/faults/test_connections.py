"""Connections that do not behave."""

import asyncio
import contextlib
import itertools
import os
import random
import socket
import struct
import threading
import time
from collections import deque
from functools import partial

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.asyncio import client as asynchronous
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.session import Session, visiting
from tests.tab import Tab

MANY = 150
NAMES = ("cat", "dog", "man", "mat")
RATE = 100  # edits a second; the server takes 160
TOO_LARGE = 25 * 2**20
UNENDING = ("GET / HTTP/1.1\r\nHost: x\r\n", "POST /_stcore/upload_file HTTP/1.1\r\nContent-Length: 99\r\n\r\na")
HANDSHAKE = (
    "GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: streamlit\r\n{more}\r\n"
)


def plug(port: int, text: str = "") -> socket.socket:
    """A bare connection on which this was sent."""
    found = socket.create_connection(("127.0.0.1", port), 10)
    found.sendall(text.encode())
    return found


def upgraded(port: int, more: str = "") -> socket.socket:
    """A bare connection on which the websocket is open."""
    found = plug(port, HANDSHAKE.format(port=port, more=more))
    assert found.recv(12) == b"HTTP/1.1 101"
    return found


def asking(query: str = "") -> bytes:
    """The message that asks for the first page."""
    return Tab().open(query=query).SerializeToString()


def frame(opcode: int, length: int, content: bytes = b"") -> bytes:
    """A masked frame that claims a length."""
    size = bytes([0x80 | length]) if length < 126 else b"\xff" + struct.pack(">Q", length)
    return bytes([0x80 | opcode]) + size + b"\0\0\0\0" + content


def read_all(session: Session) -> None:
    """Take what has come so far."""
    with contextlib.suppress(TimeoutError):
        deque(iter(lambda: session.next(0), None), maxlen=0)


def until_closed(connection: ClientConnection) -> None:
    """Read until the server ends the connection; fails if it never does."""
    with pytest.raises(ConnectionClosed):
        deque(iter(lambda: connection.recv(60), None), maxlen=0)


def test_requests_that_never_end(target):
    with contextlib.ExitStack() as open_:
        for n in range(MANY):
            open_.enter_context(plug(target.port, UNENDING[n % 2]))
        time.sleep(3)


def test_half_open_websockets(target):
    with contextlib.ExitStack() as open_:
        for n in range(MANY):
            connection = open_.enter_context(upgraded(target.port))
            if n % 3 == 0:
                connection.sendall(frame(2, 1000, b"half of it"))
        time.sleep(3)


def test_connections_that_end_without_a_word(target):
    for _ in range(MANY):
        connection = upgraded(target.port)
        content = asking()
        connection.sendall(frame(2, len(content), content))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()  # with a reset


def test_clients_that_never_read(target):
    """They ask for page after page, and take nothing of what comes."""
    with contextlib.ExitStack() as open_:
        for _ in range(20):
            connection = open_.enter_context(upgraded(target.port))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(0.2)
            with contextlib.suppress(OSError):  # the other side reads no more: that is its right
                for n in range(60):
                    content = asking(f"a={'cat%20' * 60}{n}")
                    connection.sendall(frame(2, len(content), content))
        time.sleep(10)


def test_a_flood_of_edits(target):
    """Four visitors send more than any page does for some seconds; the last text of each is what the page shows."""
    shown: list[bool] = []

    def flood(name: str) -> None:
        with visiting(target.port) as session:
            session.run("view=pairs")
            last = f"{name} was the very last"
            begin = time.monotonic()
            for number in range(6 * RATE):
                session.send(session.tab.edit("a", f"{name} {number}"))
                if number % 20 == 0:
                    read_all(session)  # as a browser does, which also answers the server's pings
                time.sleep(max(0.0, begin + number / RATE - time.monotonic()))
            session.send(session.tab.edit("a", last))
            while last not in session.screen.text:
                session.wait()
            shown.append(True)

    threads = [threading.Thread(target=flood, args=(name,), daemon=True) for name in NAMES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(shown) == 4


def test_a_flood_without_end(target):
    """Four visitors send what they can. The answers to the server's pings are behind it all, so that their connections
    are ended; then they come back, as pages do.
    """
    with visiting(target.port) as session:
        session.run("view=pairs")
        tab = session.tab

    async def all_of_them() -> list[Session]:
        async with asyncio.timeout(120):
            return await asyncio.gather(*[endless(target.port, tab, name) for name in NAMES])

    for name, ended in zip(NAMES, asyncio.run(all_of_them()), strict=True):
        assert (ended.connection.close_code, ended.connection.close_reason) == (1011, "keepalive ping timeout")
        with visiting(target.port, session=ended.tab.id, screen=ended.screen) as again:
            again.send(tab.edit("a", f"{name} came back"))
            while f"{name} came back" not in again.screen.text:  # the run that was stopped may still say that it ended
                again.wait()
            assert again.tab.id == ended.tab.id


async def endless(port: int, tab: Tab, name: str) -> Session:
    """Send edits until the connection ends, and read meanwhile, as a page does."""

    async def read(session: Session) -> None:
        async for content in session.connection:
            session.take(content)

    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    async with asynchronous.connect(address, subprotocols=["streamlit"], max_size=None, compression=None) as connection:
        session = Session(connection, f"http://127.0.0.1:{port}")
        reading = asyncio.create_task(read(session))
        with contextlib.suppress(ConnectionClosed):
            await connection.send(asking())
            for number in itertools.count():
                await connection.send(tab.edit("a", f"{name} {number}").SerializeToString())
                await asyncio.sleep(0)  # or nothing would be read until the line is full
        with contextlib.suppress(ConnectionClosed):
            await reading
        return session


@pytest.mark.parametrize("seed", range(3))
def test_forged_messages(target, seed):
    """Random bytes, and right messages with random bytes in them."""
    chance = random.Random(seed)  # noqa: S311 no secret
    for _ in range(40):
        with visiting(target.port) as session, contextlib.suppress(ConnectionClosed):
            session.run()
            whole = bytearray(asking("a=the+cat&seed=7"))
            for _ in range(chance.randint(1, 4)):
                whole[chance.randrange(len(whole))] = chance.randrange(256)
            session.connection.send(bytes(whole))
            session.connection.send(chance.randbytes(chance.randint(0, 300)))
            session.connection.send("text where bytes belong")
            session.connection.recv(1)


@pytest.mark.parametrize("kind", list(BackMsg.DESCRIPTOR.fields_by_name))
def test_every_kind_of_message_out_of_place(target, kind):
    """What a page never sends before it was opened, or with nothing in it, and then a page all the same."""
    message = BackMsg()
    field = BackMsg.DESCRIPTOR.fields_by_name[kind]
    if field.message_type:
        getattr(message, kind).SetInParent()
    else:
        values = {field.CPPTYPE_BOOL: True, field.CPPTYPE_STRING: "../../etc/passwd"}
        setattr(message, kind, values.get(field.cpp_type, 2**31 - 1))
    with visiting(target.port) as session, contextlib.suppress(ConnectionClosed, TimeoutError):
        session.connection.send(message.SerializeToString())
        session.connection.recv(1)
    with visiting(target.port) as session:
        session.run()
        assert "sat" in session.screen.text


def test_states_of_25_mb(target):
    for _ in range(4):
        with visiting(target.port) as session:
            session.run("view=pairs")
            with contextlib.suppress(ConnectionClosed):  # it may be, before all is sent
                session.send(session.tab.edit("a", "the cat " * (TOO_LARGE // 8)))
            until_closed(session.connection)


def test_a_frame_that_unpacks_to_much(target):
    """A quarter of a megabyte that is 256 MB unpacked."""
    for _ in range(3):
        address = f"ws://127.0.0.1:{target.port}/_stcore/stream"
        with connect(address, subprotocols=["streamlit"], compression="deflate", max_size=None) as connection:
            with contextlib.suppress(ConnectionClosed):
                connection.send(bytes(256 * 2**20))
            until_closed(connection)


def test_a_frame_that_claims_to_be_endless(target):
    with contextlib.ExitStack() as open_:
        for _ in range(20):
            connection = open_.enter_context(upgraded(target.port))
            connection.sendall(frame(2, 2**62))
            with contextlib.suppress(OSError):
                connection.sendall(os.urandom(2**20))
        time.sleep(1)


def begun(port: int) -> socket.socket:
    """A websocket on which a message has begun."""
    connection = upgraded(port)
    connection.sendall(b"\x02\x80\0\0\0\0")
    return connection


CHUNKED = "PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
CRUMBS = {
    "pings": (upgraded, b"\x89\x80\0\0\0\0"),
    "parts of a message": (begun, b"\x00\x80\0\0\0\0"),
    "chunks": (partial(plug, text=CHUNKED), b"1\r\na\r\n"),
}


@pytest.mark.parametrize("kind", CRUMBS)
def test_crumbs(target, kind):
    """What has few bytes and takes long to read: whoever sends nothing else is cut off."""
    opened, crumb = CRUMBS[kind]
    with contextlib.ExitStack() as open_:
        for each in [open_.enter_context(opened(target.port)) for _ in range(3)]:
            with pytest.raises(OSError, match=r"reset|pipe"):
                each.sendall(crumb * 2_000_000)


def test_halves_of_large_messages(target):
    """uvicorn would keep 16 MiB of each."""
    before = target.memory()
    with contextlib.ExitStack() as open_:
        for _ in range(50):
            connection = open_.enter_context(upgraded(target.port))
            with contextlib.suppress(OSError):  # it is ended: that is the server's right
                connection.sendall(frame(2, 2**24 - 1, bytes(15 * 2**20)))
        time.sleep(2)
        assert target.memory() - before < 2**27
