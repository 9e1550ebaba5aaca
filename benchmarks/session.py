"""A visitor without a browser: one websocket session that speaks Streamlit's own protocol."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

Value = str | int | float | bool | list[str] | list[float]

_FINISHED = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
)
_NO_TOKEN = "PLACEHOLDER_AUTH_TOKEN"  # noqa: S105 what Streamlit's page sends in the token's place when it has none


class Broken(ConnectionError):
    """The connection ended, or could not be made, while the visitor waited for an answer."""


@dataclass(frozen=True)
class _Field:
    """A field, and the part of the page that it belongs to: the browser asks to run that alone.

    slot: where the message carries its value.
    """

    id: str
    slot: str
    fragment_id: str


_SLOTS = {
    "text_input": "string_value",
    "text_area": "string_value",
    "selectbox": "string_value",
    "number_input": "double_value",
    "checkbox": "bool_value",
    "slider": "double_array_value",
    "button_group": "string_array_value",
    "button": "trigger_value",
}


class Session:
    """Connect, open a page, then edit its fields one after the other.

    address: of the server, as a browser would name it, `http://localhost:8501`. headers: of the request that
    begins the connection, cookies among them.

    `received` counts the bytes that the server sent since the last edit. `interval` is how often the page
    wants a part of it to be run again, in seconds; 0 if it does not. `query` is the address's query as the page
    would have it by now. `failed` are the errors that it showed.
    """

    def __init__(self, address: str, headers: Mapping[str, str] | None = None) -> None:
        self._address = address.replace("http", "ws", 1).rstrip("/") + "/_stcore/stream"
        self._headers = dict(headers or {})
        self._fields: dict[str, _Field] = {}
        self._page = self._page_hash = self._again = self._id = ""
        self.query: dict[str, str] = {}
        self.received = 0
        self.interval = 0.0
        self.failed: list[str] = []

    async def open(self, page: str = "", query: str | Mapping[str, str] = "") -> "Session":
        """Connect and wait until the page has run. Raises Broken."""
        self._page = page
        self.query = dict(query) if isinstance(query, Mapping) else {}
        await self._connect("streamlit")
        await self._rerun(page=page, query=query if isinstance(query, str) else urlencode(query))
        return self

    async def come_back(self, headers: Mapping[str, str] | None = None) -> "Session":
        """What the page does by itself after its connection broke: connect again and ask for the same view.

        The server that answers may be another one, which knows nothing of the visitor but the address.
        """
        self._headers |= headers or {}
        self.failed = []
        self.interval = 0.0
        await self._connect("streamlit", _NO_TOKEN, self._id)
        await self._rerun(page=self._page, query=urlencode(self.query))
        return self

    @property
    def id(self) -> str:
        """What the server calls this session."""
        return self._id

    @property
    def keys(self) -> frozenset[str]:
        """Of the fields that the page has shown so far."""
        return frozenset(self._fields)

    async def edit(self, key: str, value: Value, timeout: float = 120) -> None:
        """Change one field and wait until the script has run. Raises Broken."""
        self.received = 0
        self.query[key] = str(value)
        await asyncio.wait_for(self._rerun((self._fields[key], value)), timeout)

    async def look_again(self, timeout: float = 120) -> None:
        """Run the part that wants it, as a browser does on its own; a part that has gone is never answered."""
        await asyncio.wait_for(self._rerun(fragment_id=self._again), timeout)

    async def until_broken(self) -> None:
        """Wait until the connection has ended, whoever ended it."""
        await self._socket.wait_closed()

    async def close(self) -> None:
        await self._socket.close()

    async def _connect(self, *protocols: str) -> None:
        try:
            self._socket = await websockets.connect(
                self._address,
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

    async def _rerun(
        self, change: tuple[_Field, Value] | None = None, page: str = "", query: str = "", fragment_id: str = ""
    ) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.query_string = page, query
        state.page_script_hash, state.fragment_id = self._page_hash, fragment_id
        state.is_auto_rerun = bool(fragment_id)
        if change:
            widget = state.widget_states.widgets.add()
            field, value = change
            if isinstance(value, list):
                getattr(widget, field.slot).data.extend(value)
            else:
                setattr(widget, field.slot, value)
            widget.id, state.fragment_id = field.id, field.fragment_id
        try:
            await self._socket.send(message.SerializeToString())
            while not self._take(ForwardMsg.FromString(await self._next())):
                pass
        except websockets.ConnectionClosed as error:
            raise Broken(f"the connection ended: {error}") from error

    async def _next(self) -> bytes:
        data = await self._socket.recv()
        self.received += len(data)
        return data

    def _take(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind in ("new_session", "navigation"):
            self._page_hash = getattr(message, kind).page_script_hash
        if kind == "new_session" and not message.metadata.run.fragment_ids:
            self.interval = 0.0  # until the page asks again
        if kind == "new_session" and message.new_session.HasField("initialize"):
            self._id = message.new_session.initialize.session_id
        if kind == "auto_rerun":
            self._again, self.interval = message.auto_rerun.fragment_id, message.auto_rerun.interval
        element = message.delta.new_element if kind == "delta" else None
        what = element and element.WhichOneof("type")
        if what in _SLOTS:
            id_ = getattr(element, what).id
            self._fields[id_.rsplit("-", 1)[-1]] = _Field(id_, _SLOTS[what], message.delta.fragment_id)
        if what == "exception":
            self.failed.append(element.exception.message)
        return kind == "script_finished" and message.script_finished in _FINISHED
