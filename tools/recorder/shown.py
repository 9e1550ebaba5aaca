"""Streamlit's messages as plain data, without what differs from run to run."""

import re
from collections.abc import Iterable

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.payload import unpack

_SAID = (
    "page_info_changed", "page_config_changed", "navigation", "auto_rerun", "stop_auto_rerun", "page_not_found",
    "parent_message", "logo", "session_event", "auth_redirect", "script_finished",
)  # fmt: skip
_CHANGING = {"stack_trace", "deferred_file_id", "main_script_path", "live_debounce_ms"}  # fields
_PATTERNS = (
    (re.compile(r"\$\$(\w+)-[0-9a-f]{32}-"), r"$$\1-"),
    (re.compile(r"(assets/\w+/)[0-9a-f]{12}(?=/)"), r"\1…"),
    (re.compile(r"(?<=/media/)[0-9a-f]{20,}"), "…"),
    (re.compile(r"(127\\?\.0\\?\.0\\?\.1\\?:)\d+"), r"\1…"),
    (re.compile(r"^[0-9a-f]{16}$"), "…"),  # names the points of a map
    (re.compile(r"-?\b\d{16,20}\b"), "…"),  # Python's hash
)


def said(messages: Iterable[ForwardMsg]) -> list:
    """What a run says beside its elements: the address, the title, the pages."""
    found = []
    for message in messages:
        kind = message.WhichOneof("type")
        if kind in _SAID:
            value = getattr(message, kind)
            found.append([kind, plain(value) if isinstance(value, Message) else value])
    return _named(found, _names(messages))


def tree(messages: Iterable[ForwardMsg]) -> dict[str, dict]:
    """The elements and blocks that a run leaves on the page, by their place, in the order of the page."""
    last: dict[tuple[int, ...], ForwardMsg] = {}
    for message in messages:
        if message.WhichOneof("type") == "delta":
            last[tuple(message.metadata.delta_path)] = message
    names = _names(messages)
    return {".".join(map(str, place)): _named(_drawn(last[place]), names) for place in sorted(last)}


def _drawn(message: ForwardMsg) -> dict:
    delta = message.delta
    what = delta.WhichOneof("type")
    if what is None:
        return {"type": "nothing"}
    holder = getattr(delta, what)
    kind = holder.WhichOneof("type") if what != "new_transient" else None
    found = {"type": kind or what, "part": delta.fragment_id, **plain(holder)}
    if kind == "bidi_component" and (data := getattr(holder, kind).bytes):
        found[kind]["bytes"] = unpack(data)
    return found


def plain(message: Message) -> dict:
    """A message as dicts, lists, numbers and texts."""
    return _cleaned(MessageToDict(message, preserving_proto_field_name=True))


def _cleaned(value: object) -> object:
    if isinstance(value, list):
        return [_cleaned(part) for part in value]
    if isinstance(value, dict):
        return {key: _cleaned(part) for key, part in value.items() if key not in _CHANGING}
    return value


def _names(messages: Iterable[ForwardMsg]) -> dict[str, str]:
    """Instead of hashes: of pages their addresses, of parts their number on the page."""
    names: dict[str, str] = {}
    parts: dict[str, str] = {}
    for message in messages:
        for page in message.navigation.app_pages:
            names[page.page_script_hash] = f"page {page.url_pathname}"
        if message.delta.fragment_id:
            parts.setdefault(message.delta.fragment_id, f"part {len(parts)}")
    return names | parts


def _named(value: object, names: dict[str, str]) -> object:
    if isinstance(value, str):
        return normalised(names.get(value, value)) if value else value
    if isinstance(value, list):
        return [_named(part, names) for part in value]
    if isinstance(value, dict):
        return {normalised(key): _named(part, names) for key, part in value.items()}
    return value


def normalised(text: str) -> str:
    """A text without hashes, versions and ports."""
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    return text
