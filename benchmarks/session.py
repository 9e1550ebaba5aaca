"""A visitor without a browser: one websocket session that speaks Streamlit's own protocol."""

import asyncio
from dataclasses import dataclass

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_FINISHED = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
    ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
)


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
    "number_input": "double_value",
    "button": "trigger_value",
}


class Session:
    """Connect, open a page, then edit its fields one after the other.

    `received` counts the bytes that the server sent since the last edit. `interval` is how often the page
    wants a part of it to be run again, in seconds; 0 if it does not.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._fields: dict[str, _Field] = {}
        self._page_hash = ""
        self._again = ""
        self.received = 0
        self.interval = 0.0
        self.failed: list[str] = []

    async def open(self, page: str = "", query: str = "") -> "Session":
        address = f"ws://localhost:{self._port}/_stcore/stream"
        # No pings: a server that is busy for half a minute is what we measure, not a lost connection.
        self._socket = await websockets.connect(address, subprotocols=["streamlit"], max_size=None, ping_interval=None)
        await self._rerun(page=page, query=query)
        return self

    async def edit(self, key: str, value: str | int | bool, timeout: float = 120) -> None:
        """Change one field and wait until the script has run."""
        self.received = 0
        await asyncio.wait_for(self._rerun((self._fields[key], value)), timeout)

    async def look_again(self) -> None:
        """Run the part that wants it, as a browser does on its own."""
        await self._rerun(fragment_id=self._again)

    async def close(self) -> None:
        await self._socket.close()

    async def _rerun(
        self, change: tuple[_Field, str | int] | None = None, page: str = "", query: str = "", fragment_id: str = ""
    ) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.query_string = page, query
        state.page_script_hash, state.fragment_id = self._page_hash, fragment_id
        state.is_auto_rerun = bool(fragment_id)
        if not fragment_id:
            self.interval = 0.0
        if change:
            widget = state.widget_states.widgets.add()
            field, value = change
            setattr(widget, field.slot, value)
            widget.id, state.fragment_id = field.id, field.fragment_id
        await self._socket.send(message.SerializeToString())
        while not self._take(ForwardMsg.FromString(await self._next())):
            pass

    async def _next(self) -> bytes:
        data = await self._socket.recv()
        self.received += len(data)
        return data

    def _take(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind in ("new_session", "navigation"):
            self._page_hash = getattr(message, kind).page_script_hash
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
