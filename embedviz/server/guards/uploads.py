"""Files that visitors bring along: one for each of them, at the address that the server gave for it, and in time.

Streamlit itself takes any number of files, under any names, and waits for each of them as long as it takes.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from embedviz.base import log
from embedviz.server.middleware import AsgiMiddleware
from embedviz.server.sessions import address_of
from embedviz.server.streamlit_inside import uploaded

PATH = "/_stcore/upload_file/"
SECONDS = 240.0  # for a whole file; 20 MiB take so long at 0.7 Mbit/s


@dataclass(eq=False)
class _Visitor:
    """address: where the next file of this connection may be put. coming: the time limit of a file that is coming."""

    address: str = ""
    coming: asyncio.Timeout | None = None


@dataclass(eq=False)
class Uploads(AsgiMiddleware):
    """Middleware that takes one file a visitor, once, at the newest address given. most_bytes: of all these files.

    The visitors of one network have half of it together, so that the other half is there for everybody else.
    """

    most_bytes: int
    seconds: float = SECONDS
    _expected: dict[str, _Visitor] = field(default_factory=dict)  # by address
    _networks: dict[str, str] = field(default_factory=dict)  # of sessions with files

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._take if scope["method"] == "PUT" else self.app)(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        visitor = _Visitor()

        async def told(message: Message) -> None:
            if address := _file_address(message.get("bytes") or b""):
                self._expected.pop(visitor.address, None)
                visitor.address = address
                self._expected[address] = visitor
            await send(message)

        try:
            await self.app(scope, receive, told)
        finally:
            self._expected.pop(visitor.address, None)
            if visitor.coming:
                visitor.coming.reschedule(0.0)

    async def _take(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = scope["path"].removeprefix(scope.get("root_path", ""))
        visitor = self._expected.get(address)
        if visitor is None:
            await _refuse("The page has not asked for this file.", 404, scope, receive, send)
        elif visitor.coming:
            await _refuse("Another file is still coming.", 429, scope, receive, send)
        elif self._is_full(address_of(scope)):
            await _refuse("The files of other visitors take all room just now.", 503, scope, receive, send)
        else:
            del self._expected[address]
            self._networks[_session(address)] = address_of(scope)
            try:
                async with asyncio.timeout(self.seconds) as visitor.coming:
                    await self.app(scope, receive, send)
                    _keep_only(address)
            except TimeoutError:
                await _refuse("The file took too long, or its visitor has left.", 408, scope, receive, send)
            finally:
                visitor.coming = None

    def _is_full(self, network: str) -> bool:
        """Whether there is no room for a file from this network."""
        held = {session: _n_bytes(files) for session, files in list(uploaded().file_storage.items())}
        self._networks = {session: each for session, each in self._networks.items() if session in held}
        of_network = sum(n for session, n in held.items() if self._networks.get(session) == network)
        return sum(held.values()) >= self.most_bytes or of_network >= self.most_bytes // 2


async def _refuse(why: str, status: int, scope: Scope, receive: Receive, send: Send) -> None:
    log.refused("upload", status=status)
    await PlainTextResponse(why, status)(scope, receive, send)


def _file_address(content: bytes) -> str:
    """The address of a file in what the server sends; "" if there is none."""
    if PATH.encode() in content:
        for each in ForwardMsg.FromString(content).file_urls_response.file_urls:
            return each.upload_url
    return ""


def _n_bytes(files: Mapping[str, UploadedFileRec]) -> int:
    return sum(len(file.data) for file in list(files.values()))


def _session(address: str) -> str:
    return address.removeprefix(PATH).partition("/")[0]


def _keep_only(address: str) -> None:
    """Free the files of a session that came before the one at this address."""
    session, file = _session(address), address.rpartition("/")[2]
    if uploaded().get_files(session, [file]):
        for other in set(uploaded().file_storage[session]) - {file}:
            uploaded().remove_file(session, other)
