"""A tab of a browser, as Streamlit's protocol sees it, without a connection: whoever has one passes messages on.

Tests and the recorder wait for each message (`tests/session.py`); the benchmarks have hundreds of visitors in one event
loop (`benchmarks/session.py`).
"""

import json
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Navigation_pb2 import Navigation
from streamlit.proto.WidgetStates_pb2 import WidgetState

_SLOTS = {
    "text_input": "string_value",
    "text_area": "string_value",
    "selectbox": "string_value",
    "number_input": "double_value",
    "checkbox": "bool_value",
    "expandable": "bool_value",
    "slider": "double_array_value",
    "button_group": "string_array_value",
    "button": "trigger_value",
    "bidi_component": "json_trigger_value",
    "file_uploader": "file_uploader_state_value",
}


@dataclass(frozen=True)
class Control:
    """Something on the page that a visitor can change.

    fragment_id: the part of the page that it belongs to, which a browser asks to run alone. in_address: its name there.
    wait: seconds for which it waits for another letter before it sends what is typed.
    """

    id: str
    kind: str
    fragment_id: str
    in_address: str
    wait: float


class Tab:
    """Makes the messages that a browser sends, and notes what it gets.

    address: of the server, as a browser would name it, `http://localhost:8501`.

    `id` is what the server calls the session. `page` and `query` are where the tab is, as its address would say by now.
    `controls` are those that the page has shown so far, by their keys. `again` is the part of the page that wants to be
    run again every `interval` seconds; "" and 0 if none does. `failed` are the errors that it showed.
    """

    def __init__(self, address: str = "") -> None:
        self.address = address
        self.id = self.page = self.query = self.again = self._page_hash = ""
        self.interval = 0.0
        self.controls: dict[str, Control] = {}
        self.failed: list[str] = []
        self._pages: dict[str, str] = {}  # their hashes

    def open(self, page: str = "", query: str = "") -> BackMsg:
        """Ask for the page at this address."""
        self.page, self.query, self._page_hash = page, query, ""
        return self.rerun(page_name=page)

    def go(self, page: str) -> BackMsg:
        """Go to another page, as its link does."""
        self.page, self.query, self._page_hash = page, "", self._pages[page]
        self.controls.clear()
        return self.rerun()

    def edit(self, key: str, value: object = True, event: str = "") -> BackMsg:
        """Give a control a value, press a button, or let a component send an event."""
        control = self.controls[key]
        if control.in_address:
            known = dict(parse_qsl(self.query, keep_blank_values=True))
            self.query = urlencode(known | {control.in_address: _written(value)}, doseq=True)
        return self.rerun(_state(control, value, event), fragment_id=control.fragment_id)

    def look_again(self) -> BackMsg:
        """Run the part that wants it, as a browser does on its own."""
        return self.rerun(fragment_id=self.again, is_auto_rerun=True)

    def rerun(self, *states: WidgetState, **more: str | bool) -> BackMsg:
        where = {"url": f"{self.address}/{self.page}", "timezone": "UTC", "locale": "en-GB"}
        asked = {"query_string": self.query, "page_script_hash": self._page_hash, "context_info": where}
        return BackMsg(rerun_script=asked | {"widget_states": {"widgets": states}} | more)

    def take(self, message: ForwardMsg) -> None:
        """Note what the server says."""
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._begin(message)
        elif kind == "navigation":
            self._find_pages(message.navigation)
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            self.again, self.interval = message.auto_rerun.fragment_id, message.auto_rerun.interval
        elif kind == "delta":
            self._show(message.delta)

    def _begin(self, message: ForwardMsg) -> None:
        new = message.new_session
        self._page_hash = new.page_script_hash
        if new.HasField("initialize"):  # the first run's message has it
            self.id = new.initialize.session_id
        if not message.metadata.run.fragment_ids:
            self.again, self.interval = "", 0.0  # until the page asks again

    def _find_pages(self, navigation: Navigation) -> None:
        self._page_hash = navigation.page_script_hash
        self._pages = {page.url_pathname: page.page_script_hash for page in navigation.app_pages}
        self._pages[""] = next(page.page_script_hash for page in navigation.app_pages if page.is_default)

    def _show(self, delta: Delta) -> None:
        holder = delta.new_element if delta.WhichOneof("type") == "new_element" else delta.add_block
        kind = holder.WhichOneof("type") or ""
        if kind in _SLOTS:
            found = getattr(holder, kind)
            key = found.id.rsplit("-", 1)[-1]
            wait = getattr(found, "live_debounce_ms", 0) / 1000
            self.controls[key] = Control(found.id, kind, delta.fragment_id, getattr(found, "query_param_key", ""), wait)
        if kind == "exception":
            self.failed.append(holder.exception.message)


def is_end(message: ForwardMsg) -> bool:
    """Whether what was asked for has run; a run that gave way to another one is no end."""
    gave_way = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
    return message.WhichOneof("type") == "script_finished" and not gave_way


def _state(control: Control, value: object, event: str) -> WidgetState:
    state = WidgetState(id=control.id)
    slot = _SLOTS[control.kind]
    if control.kind == "bidi_component":
        state.id = f"$$STREAMLIT_INTERNAL_KEY_{control.id}__events"
        state.json_trigger_value = json.dumps([{"event": event, "value": value}])
    elif control.kind == "file_uploader":  # the value is what Streamlit calls the file
        state.file_uploader_state_value.uploaded_file_info.append(value)
    elif isinstance(value, list):
        getattr(state, slot).data.extend(value)
    else:
        setattr(state, slot, value)
    return state


def _written(value: object) -> str | list[str]:
    """A value as it stands in an address."""
    if isinstance(value, list):
        return [_written(part) for part in value] or ""
    return str(value).lower() if isinstance(value, bool) else str(value)
