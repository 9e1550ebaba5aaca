"""Who keeps the server waiting, and whose page is another site's."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from tests.ask import ask
from tests.faults.conftest import Target
from tests.faults.test_connections import HANDSHAKE, asking, frame, plug, upgraded
from tests.session import visiting

MANY = 3300  # more than the process may open files, where nothing bounds who waits
HEADS = ("", "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\nX: ")
BODIES = ("PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\na",)
LATE = 60  # seconds: whatever must have ended by then has a limit of 30 at most


@contextlib.contextmanager
def plugged(target: Target, texts: tuple[str, ...], n: int) -> Iterator[list[socket.socket]]:
    """So many bare connections on which these were sent."""
    with contextlib.ExitStack() as open_:
        yield [open_.enter_context(plug(target.port, texts[k % len(texts)])) for k in range(n)]


def until(is_so: object) -> None:
    """Wait until it is so."""
    end = time.monotonic() + LATE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


def is_ended(connection: socket.socket) -> bool:
    """Whether the server has ended it; what it has sent before is read."""
    connection.setblocking(False)
    try:
        while connection.recv(2**16):
            pass
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def lines(path: Path) -> int:
    return path.read_text().count("\n")


@pytest.mark.parametrize("texts", [HEADS, BODIES], ids=["heads", "bodies"])
def test_requests_that_do_not_go_on(target, texts):
    """More than the process may open files; all heads are closed when their time is over, and the log stays short."""
    before, files = lines(target.log), target.process.num_fds()
    with plugged(target, texts, MANY):
        for _ in range(5):
            assert ask(target.port, "/healthz").text == "alive"
            time.sleep(1)
        assert target.process.num_fds() < MANY
        if texts == HEADS:
            until(lambda: target.process.num_fds() < files + 50)
    assert lines(target.log) < before + 100


def test_heads_that_drip(target):
    with plugged(target, ("GET / HTTP/1.1\r\nX: ",), 300) as slow:
        begin = time.monotonic()
        while time.monotonic() < begin + 15:
            for each in slow:
                with contextlib.suppress(OSError):  # it has been ended: that is its right
                    each.sendall(b"a")
            time.sleep(1)
        assert all(is_ended(each) for each in slow)


def test_readers_that_take_nothing_of_a_large_file(target):
    ask_for = "GET /assets/plotly/plotly.min.js HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n\r\n"
    before = target.memory()
    with contextlib.ExitStack() as open_:
        for _ in range(300):
            reader = open_.enter_context(socket.socket())
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", target.port))
            reader.sendall(ask_for.encode())
        time.sleep(5)
        assert target.memory() - before < 300 * 2**17


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1:{port}", "https://evil.example"),
        ("127.0.0.1:{port}", "http://127.0.0.1:{port}.evil.example"),
        ("127.0.0.1:{port}", "null"),
        ("127.0.0.1:{port}", "file://"),
        ("127.0.0.1:{port}", "http://[::"),
        ("evil.example", "https://evil.example"),
        ("evil.example", "http://127.0.0.1:{port}"),
    ],
)
def test_pages_of_other_sites(target, host, origin):
    """Each handshake once made the server ask outside, twice, and wait for it."""
    usual = "Host: 127.0.0.1:{port}"
    text = HANDSHAKE.replace(usual, f"Host: {host}").replace("{more}", f"Origin: {origin}\r\n")
    for _ in range(10):
        with plug(target.port, text.format(port=target.port)) as connection:
            assert connection.recv(12) == b"HTTP/1.1 403"


def test_visitors_who_never_ask_for_a_page(target):
    """They answer the server's pings, as every library does."""
    with contextlib.ExitStack() as open_:
        idle = [open_.enter_context(visiting(target.port)) for _ in range(100)]
        for each in idle:
            with pytest.raises(ConnectionClosed) as end:
                each.connection.recv(LATE)
            assert (end.value.rcvd.code, end.value.rcvd.reason) == (1013, "No page was asked for.")


def test_visitors_who_send_all_but_a_question_for_a_page(target):
    """Pings, empty messages, and messages that ask for something else."""
    with contextlib.ExitStack() as open_:
        idle = [open_.enter_context(upgraded(target.port)) for _ in range(20)]
        is_over = threading.Event()

        def chatter() -> None:
            while not is_over.wait(0.5):
                for each in idle:
                    with contextlib.suppress(OSError):
                        each.sendall(frame(9, 2, b"hi") + frame(2, 0))

        thread = threading.Thread(target=chatter)
        thread.start()
        try:
            until(lambda: all(is_ended(each) for each in idle))
        finally:
            is_over.set()
            thread.join()


def test_a_flood_of_what_is_no_request(target):
    """Each is worth a line in the log, which would hold two thousand."""
    before = lines(target.log)
    for _ in range(2000):
        with plug(target.port, "nonsense\r\n\r\n") as connection:
            assert connection.recv(12) == b"HTTP/1.1 400"
    assert lines(target.log) < before + 200


def test_visitors_who_ask_for_much_and_take_nothing(target):
    """The system ends their connections, though the server waits until what it has sent is taken."""
    with contextlib.ExitStack() as open_:
        theirs = [open_.enter_context(upgraded(target.port)) for _ in range(3)]
        for each in theirs:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            each.settimeout(0.2)
        for n in range(150):
            content = asking(f"a={'cat%20' * 60}{n}")
            for each in theirs:
                with contextlib.suppress(OSError):  # the other side reads no more: that is its right
                    each.sendall(frame(2, len(content), content))
            time.sleep(0.15)
        ports = {each.getsockname()[1] for each in theirs}
        end = time.monotonic() + 3 * LATE
        while any(each.raddr and each.raddr.port in ports for each in target.process.net_connections()):
            assert time.monotonic() < end
            time.sleep(1)
