"""A hall without browsers: a lecturer who opens a vote on a real server, and phones that ask for its page and vote."""

import asyncio
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from tests.ask import PATIENCE
from tests.session import Session, visiting

ADDRESS = "127.0.0.1"


PANEL = "tour_panel"


@contextmanager
def opened(port: int, **sentences: str) -> Iterator[tuple[Session, str]]:
    """A lecturer at this server, and the code of an open vote on a question of the tour about these sentences."""
    with visiting(port) as lecturer:
        lecturer.run(urlencode({"view": "same"} | sentences), page="tour")
        lecturer.edit(PANEL, "open", "vote")
        yield lecturer, parse_qs(lecturer.tab.query)["vote"][0]


@dataclass
class Phone:
    """One phone, each of whose requests has a connection of its own. statuses: of the answers that it got."""

    port: int
    path: str
    cookie: str = ""
    statuses: list[int] = field(default_factory=list)

    async def vote(self, choice: int, presses: int = 1) -> None:
        """Ask for the page, and press the button of a choice, so many times at the same moment."""
        await self.ask("GET")
        await asyncio.gather(*(self.ask("POST", f"choice={choice}".encode()) for _press in range(presses)))

    async def ask(self, method: str, body: bytes = b"") -> str:
        """Send a request, keep the cookie that comes, and return the page."""
        lines = [f"{method} {self.path} HTTP/1.1", f"Host: {ADDRESS}:{self.port}", "Connection: close"]
        lines += [f"Content-Length: {len(body)}"]
        lines += [f"Cookie: {self.cookie}"] * bool(self.cookie)
        # Sent before another phone has its turn: real ones do not wait for each other.
        connection = socket.create_connection((ADDRESS, self.port), PATIENCE)
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        connection.setblocking(False)
        reader, writer = await asyncio.open_connection(sock=connection)
        answer = await asyncio.wait_for(reader.read(), PATIENCE)  # to the end, since the server closes
        writer.close()
        head, _mark, page = answer.decode().partition("\r\n\r\n")
        self.statuses.append(int(head.split()[1]))
        for line in head.splitlines():
            if line.lower().startswith("set-cookie: embedviz_vote="):
                self.cookie = line.partition(": ")[2].partition(";")[0]
        return page


def phones(n: int, ports: Sequence[int], code: str) -> list[Phone]:
    """So many, at each of these servers in turn."""
    return [Phone(ports[k % len(ports)], f"/vote/{code}") for k in range(n)]


async def at_once(all_: Sequence[Phone], n_choices: int, presses: int = 1) -> None:
    """Let all of them vote at the same time, for each choice in turn."""
    await asyncio.gather(*(phone.vote(n % n_choices, presses) for n, phone in enumerate(all_)))
