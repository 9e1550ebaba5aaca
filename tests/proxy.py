"""A reverse proxy as somebody has set it up who forgot a line: what it changes in each request is chosen."""

import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

_GONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 13\r\nConnection: close\r\n\r\nanother site\n"


@contextmanager
def proxy(port: int, *, prefix: str = "", strips: bool = False, drops: Collection[str] = ()) -> Iterator[str]:
    """Stand before this machine's server at this port; gives the address for visitors, without the prefix.

    prefix: for other paths another site answers, with 404. strips: whether the server gets the paths without it. drops:
    headers, in small letters, that the server does not get; instead of `host` the proxy writes by what it calls it.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            with suppress(OSError):  # it has been closed
                while True:
                    visitor, _address = listening.accept()
                    threading.Thread(target=_lead, args=(visitor,), daemon=True).start()

        def _lead(visitor: socket.socket) -> None:
            with visitor, suppress(OSError), socket.create_connection(("127.0.0.1", port)) as server:
                head, rest = _head(visitor)
                if not _path(head).startswith(prefix):
                    visitor.sendall(_GONE)
                    return
                server.sendall(_changed(head, port, prefix if strips else "", drops) + rest)
                threading.Thread(target=_pass_on, args=(visitor, server), daemon=True).start()
                _pass_on(server, visitor)

        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def _head(visitor: socket.socket) -> tuple[list[bytes], bytes]:
    """The lines of a request's head, and what has come of its body."""
    got = b""
    while b"\r\n\r\n" not in got:
        more = visitor.recv(65_536)
        if not more:
            raise ConnectionResetError
        got += more
    head, _, rest = got.partition(b"\r\n\r\n")
    return head.split(b"\r\n"), rest


def _path(head: list[bytes]) -> str:
    return head[0].split()[1].decode()


def _changed(head: list[bytes], port: int, stripped: str, drops: Collection[str]) -> bytes:
    """The head as the server gets it. Each connection is for one request, or for one websocket."""
    is_websocket = any(line.lower().startswith(b"upgrade:") for line in head)
    drops = {*drops} if is_websocket else {*drops, "connection"}
    kept = [line for line in head[1:] if line.partition(b":")[0].decode().lower() not in drops]
    host = [f"Host: 127.0.0.1:{port}".encode()] if "host" in drops else []
    closing = [b"Connection: close"] if "connection" in drops else []
    path = "/" + _path(head).removeprefix(stripped).removeprefix("/")
    first = head[0].replace(_path(head).encode(), path.encode(), 1)
    return b"\r\n".join([first, *host, *closing, *kept]) + b"\r\n\r\n"


def _pass_on(giver: socket.socket, taker: socket.socket) -> None:
    with suppress(OSError):
        while data := giver.recv(65_536):
            taker.sendall(data)
    with suppress(OSError):
        taker.shutdown(socket.SHUT_WR)
