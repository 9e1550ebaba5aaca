"""A visitor without a browser: a tab with a connection, of which an event loop can hold hundreds."""

import asyncio
import sys
from collections.abc import Mapping
from urllib.parse import urlencode

import websockets
from server import ROOT
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(ROOT))
from tests.tab import Tab, is_end

Value = str | int | float | bool | list[str] | list[float]

_NO_TOKEN = "PLACEHOLDER_AUTH_TOKEN"  # noqa: S105 what Streamlit's page sends in the token's place when it has none


class Broken(ConnectionError):
    """The connection ended, or could not be made, while the visitor waited for an answer."""


class Session:
    """Connect, open a page, then edit its fields one after the other.

    address: of the server, as a browser would name it, `http://localhost:8501`. headers: of the request that
    begins the connection, cookies among them.

    `tab` is what the visitor has seen so far. `received` counts the bytes that the server sent since the last edit.
    """

    def __init__(self, address: str, headers: Mapping[str, str] | None = None) -> None:
        self.tab = Tab(address.rstrip("/"))
        self.received = 0
        self._headers = dict(headers or {})

    async def open(self, page: str = "", query: str | Mapping[str, str] = "") -> "Session":
        """Connect and wait until the page has run. Raises Broken."""
        await self._connect("streamlit")
        await self._ask(self.tab.open(page, query if isinstance(query, str) else urlencode(query)))
        return self

    async def come_back(self, headers: Mapping[str, str] | None = None) -> "Session":
        """What the page does by itself after its connection broke: connect again and ask for the same view.

        The server that answers may be another one, which knows nothing of the visitor but the address.
        """
        self._headers |= headers or {}
        self.tab.failed.clear()
        await self._connect("streamlit", _NO_TOKEN, self.tab.id)
        await self._ask(self.tab.open(self.tab.page, self.tab.query))
        return self

    async def edit(self, key: str, value: Value, timeout: float = 120) -> None:
        """Change one field and wait until the script has run. Raises Broken."""
        self.received = 0
        await asyncio.wait_for(self._ask(self.tab.edit(key, value)), timeout)

    async def look_again(self, timeout: float = 120) -> None:
        """Run the part that wants it, as a browser does on its own; a part that has gone is never answered."""
        await asyncio.wait_for(self._ask(self.tab.look_again()), timeout)

    async def room_for_a_file(self) -> str:
        """Where a file may be put, as a browser asks before it sends one. Raises Broken."""
        try:
            await self._socket.send(BackMsg(file_urls_request={"file_names": ["a.txt"]}).SerializeToString())
            while not (urls := (await self._next()).file_urls_response.file_urls):
                pass
        except websockets.ConnectionClosed as error:
            raise Broken(f"the connection ended: {error}") from error
        return urls[0].upload_url

    async def until_broken(self) -> None:
        """Wait until the connection has ended, whoever ended it."""
        await self._socket.wait_closed()

    async def close(self) -> None:
        await self._socket.close()

    async def _connect(self, *protocols: str) -> None:
        try:
            self._socket = await websockets.connect(
                self.tab.address.replace("http", "ws", 1) + "/_stcore/stream",
                subprotocols=[each for each in protocols if each],
                additional_headers=self._headers,
                max_size=None,
                # A server that is busy for half a minute is what we measure, not a lost connection.
                ping_interval=None,
                open_timeout=120,
                proxy=None,
            )
        except (OSError, websockets.WebSocketException) as error:
            raise Broken(f"no connection: {error}") from error

    async def _ask(self, message: BackMsg) -> None:
        """Send, and take what comes until it has run. What the server only names is not looked up: nobody shows it."""
        try:
            await self._socket.send(message.SerializeToString())
            while not is_end(answer := await self._next()):
                self.tab.take(answer)
        except websockets.ConnectionClosed as error:
            raise Broken(f"the connection ended: {error}") from error

    async def _next(self) -> ForwardMsg:
        data = await self._socket.recv()
        self.received += len(data)
        return ForwardMsg.FromString(data)
