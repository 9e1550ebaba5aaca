"""A visitor without a browser: a tab with a connection, that waits until what it asks for has run."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from tests.screen import Screen
from tests.tab import Tab, is_end

PATIENCE = 300  # seconds until the next message: only a server that hangs takes so long


class Session:
    """What a page does when it is opened, and what it gets.

    `screen` is what it shows. `got` are the messages of the last run, `n_early` the runs before it that gave way to
    another one. Who does not want to wait sends what `tab` makes, and who misbehaves uses the `connection`.
    """

    def __init__(self, connection: ClientConnection, address: str, screen: Screen | None = None) -> None:
        self.connection = connection
        self.tab = Tab(address)
        self.screen = screen or Screen()
        self.got: list[ForwardMsg] = []
        self.n_early = 0
        self._by_hash: dict[str, ForwardMsg] = {}

    def run(self, query: str = "", page: str = "") -> list[ForwardMsg]:
        """Ask for a page, and wait until it has run."""
        return self.ask(self.tab.open(page, query))

    def edit(self, key: str, value: object = True, event: str = "") -> list[ForwardMsg]:
        """Change a control, and wait until the script has run."""
        return self.ask(self.tab.edit(key, value, event))

    def ask(self, message: BackMsg) -> list[ForwardMsg]:
        """Send, and wait until the script has run."""
        self.send(message)
        return self.wait()

    def send(self, message: BackMsg) -> None:
        """Send, and wait for nothing."""
        self.connection.send(message.SerializeToString())

    def wait(self) -> list[ForwardMsg]:
        """The messages of the next run that comes to its end."""
        self.got, self.n_early = [self.next()], 0
        while not is_end(self.got[-1]):
            if self.got[-1].WhichOneof("type") == "script_finished":
                self.got.clear()
                self.n_early += 1
            self.got.append(self.next())
        return self.got

    def answer(self, message: BackMsg, kind: str) -> object:
        """What comes of this kind once this was sent."""
        self.send(message)
        while (answer := self.next()).WhichOneof("type") != kind:
            pass
        return getattr(answer, kind)

    def room_for(self, *names: str) -> list[FileURLs]:
        """Where files with these names may be put, as a browser asks before it sends a file."""
        asked = {"request_id": "file", "session_id": self.tab.id, "file_names": names}
        return list(self.answer(BackMsg(file_urls_request=asked), "file_urls_response").file_urls)

    def next(self, patience: float = PATIENCE) -> ForwardMsg:
        """The next message. Raises TimeoutError if none comes in so many seconds."""
        return self.take(self.connection.recv(patience))

    def take(self, content: bytes) -> ForwardMsg:
        """A message that has come; where it only names one that came before, that one."""
        message = ForwardMsg.FromString(content)
        if message.WhichOneof("type") == "ref_hash":
            kept = ForwardMsg()
            kept.CopyFrom(self._by_hash[message.ref_hash])
            kept.metadata.CopyFrom(message.metadata)
            message = kept
        elif message.hash:
            self._by_hash[message.hash] = message
        self.tab.take(message)
        self.screen.take(message)
        return message


@contextmanager
def visiting(
    port: int, cookie: str = "", session: str = "", screen: Screen | None = None, language: str = ""
) -> Iterator[Session]:
    """A connection to a server; refused it raises InvalidStatus.

    screen: what a page shows that comes back. language: what the browser prefers.
    """
    with connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=["streamlit", "no-token", session] if session else ["streamlit"],
        additional_headers=({"Cookie": cookie} if cookie else {}) | ({"Accept-Language": language} if language else {}),
        max_size=None,
        max_queue=None,  # as a browser, it takes what comes even while nobody reads it, and the end may be behind it
        compression=None,
        open_timeout=PATIENCE,
        close_timeout=PATIENCE,
        ping_interval=None,  # a server that is busy is no lost connection
        proxy=None,
    ) as connection:
        yield Session(connection, f"http://127.0.0.1:{port}", screen)
