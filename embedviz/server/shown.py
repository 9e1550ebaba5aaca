"""What a visitor's browser shows, so that a run sends only what differs from it.

By itself Streamlit announces each run, sends every element again, and says that the run is over. Its page draws all
elements anew for each of these messages. An edit changes a few elements. So a run of a page that the browser shows
already is not announced: what is equal is not sent, and what the run has not made again is taken away.
"""

from typing import cast

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.RootContainer_pb2 import RootContainer

Place = tuple[int | str, ...]

_ROOTS = {(RootContainer.MAIN,), (RootContainer.SIDEBAR,), (RootContainer.BOTTOM,)}
_ONCE = {"navigation", "page_config_changed"}  # messages that say the same in each run of a page
_GONE = "gone"


class PageState:
    """What stands at each place of a session's page. `is_quiet`: a run is not announced and sends differences alone."""

    def __init__(self) -> None:
        self._hashes: dict[Place, str] = {}
        self._kinds: dict[Place, str] = {}
        self._made: set[Place] = set()
        self._browser: object = None
        self._page: tuple[object, str] = (None, "")
        self._is_whole = self._will_be_whole = False
        self.is_quiet = False

    def begin(self, browser: object, page: str, *, is_part: bool, must_announce: bool = False) -> None:
        """A run begins, announced until one of the whole page has ended. browser: another one if it was broken."""
        self._browser = browser
        self._made = set() if is_part else set(_ROOTS)
        self.is_quiet = self._is_whole and (browser, page) == self._page and not must_announce
        if not self.is_quiet:
            self._hashes.clear()
            self._kinds.clear()
            self._is_whole, self._will_be_whole = False, not is_part

    def is_known(self, message: ForwardMsg) -> bool:
        """Note what the run makes. Returns whether the browser has it already."""
        kind = message.WhichOneof("type")
        if kind == "auto_rerun":
            self._is_whole = self._will_be_whole = False  # only the announcement of a run ends what runs by itself
        if kind in _ONCE:
            return self._note((kind,), kind, message.hash)
        place = tuple(message.metadata.delta_path)
        # A spinner lies over its place for a moment. What stood there comes back after it, unless it is taken away.
        is_over_a_place = message.delta.WhichOneof("type") == "new_transient"
        if kind not in {"delta", "ref_hash"} or place[:1] == (RootContainer.EVENT,) or is_over_a_place:
            return False
        is_same = self._note(place, _kind_of(message), message.hash or message.ref_hash)
        return is_same and not _must_be_sent(message)

    def sent_with(self, message: ForwardMsg) -> list[ForwardMsg]:
        """This message, and before it what the browser must know to take it."""
        if not self.is_quiet:
            return [message]
        message.metadata.cacheable = False  # a browser counts the announced runs for which it keeps a message
        return [_run_is_over(), message] if _must_be_sent(message) else [message]

    def end(self, page: str) -> list[ForwardMsg]:
        """The run has come to its end, on this page. Returns messages that take away what it has not made again."""
        if not self.is_quiet:
            self._page, self._is_whole = (self._browser, page), self._will_be_whole
            return []
        gone = [
            place
            for place, hash_ in self._hashes.items()
            if hash_ != _GONE and place not in self._made and place[:-1] in self._made
        ]
        for place in gone:
            self._note(place, _GONE, _GONE)
        return [_nothing(place) for place in gone]

    def _note(self, place: Place, kind: str, hash_: str) -> bool:
        is_same = self._hashes.get(place) == hash_
        if self._kinds.get(place) not in {None, "element", _GONE, kind}:  # a container keeps what it holds
            for each in [other for other in self._hashes if len(other) > len(place) and other[: len(place)] == place]:
                del self._hashes[each], self._kinds[each]
        self._hashes[place], self._kinds[place] = hash_, kind
        self._made.add(place)
        return is_same and self.is_quiet


def _kind_of(message: ForwardMsg) -> str:
    """What stands there: "element", or a kind of container."""
    if message.delta.WhichOneof("type") != "add_block":
        return "element"
    return message.delta.add_block.WhichOneof("type") or "container"


def _must_be_sent(message: ForwardMsg) -> bool:
    """Whether it does something once, such as to set what a visitor may have changed, however often it is sent."""
    kind = message.delta.WhichOneof("type")
    return kind == "new_transient" or (kind == "new_element" and message.delta.new_element.has_one_shot_effect)


def _run_is_over() -> ForwardMsg:
    """Says that a run is over, without which a field takes a value that it has sent for an echo."""
    message = ForwardMsg()
    message.script_finished = ForwardMsg.FINISHED_EARLY_FOR_RERUN
    message.metadata.run.script_run_id = "settled"
    return message


def _nothing(place: Place) -> ForwardMsg:
    message = ForwardMsg()
    message.metadata.delta_path.extend(cast(tuple[int, ...], place))  # what takes no place is never taken away
    message.delta.new_element.empty.SetInParent()
    return message
