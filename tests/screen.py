"""What a browser shows of Streamlit's messages, by the rules of Streamlit's own page (1.67)."""

from collections.abc import Iterator

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

Place = tuple[int, ...]

_EVENTS = 2  # the root of toasts, which go by themselves


class Screen:
    """The elements and containers of a page by their places. Nothing stands where an element is empty."""

    def __init__(self) -> None:
        self._messages: dict[Place, ForwardMsg] = {}
        self._runs: dict[Place, str] = {}
        self._run = self._page = ""
        self.navigation = ForwardMsg()

    def take(self, message: ForwardMsg) -> None:
        """Draw what the server sends."""
        run = message.metadata.run
        match message.WhichOneof("type"):
            case "new_session":
                if message.new_session.page_script_hash != self._page:
                    self.__init__()
                self._run, self._page = run.script_run_id, message.new_session.page_script_hash
            case "navigation":
                self.navigation, self._page = message, message.navigation.page_script_hash
            case "delta":
                self._draw(tuple(message.metadata.delta_path), message)
            case "script_finished" if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._forget(run.script_run_id, list(run.fragment_ids))

    @property
    def messages(self) -> list[ForwardMsg]:
        """What stands there, in the order of the page."""
        return [self._messages[place] for place in sorted(self._messages) if not _is_empty(self._messages[place])]

    @property
    def text(self) -> str:
        """All of it, to search in."""
        return "".join(map(str, self.messages))

    def _draw(self, place: Place, message: ForwardMsg) -> None:
        if place[0] == _EVENTS or message.delta.WhichOneof("type") == "new_transient":
            return  # a spinner lies over its place, and what stands there is seen again when it goes
        above = place[:-1]
        assert len(above) == 1 or _kind(self._messages[above]), f"{place}: nothing that holds it"
        assert place[-1] <= len({each for each in self._messages if each[:-1] == above}), f"{place}: none before it"
        before = self._messages.get(place)
        if before is not None and (not _kind(message) or _kind(before) != _kind(message)):
            for each in list(self._below(place)):
                self._drop(each)
        self._messages[place], self._runs[place] = message, self._run

    def _forget(self, run: str, parts: list[str]) -> None:
        """Take away what the run has not made anew."""
        if parts:
            mine = {place for place in self._messages if self._is_made_by(place, run, parts)}
            old = [place for place in self._messages if place[:-1] in mine and self._runs[place] != run]
        else:
            old = [place for place in self._messages if self._runs[place] != run] if run and run == self._run else []
        for place in old:
            for each in [place, *self._below(place)]:
                self._drop(each)

    def _is_made_by(self, place: Place, run: str, parts: list[str]) -> bool:
        return any(
            self._messages[above].delta.fragment_id in parts and self._runs[above] == run
            for above in (place[:n] for n in range(2, len(place) + 1))
            if above in self._messages
        )

    def _below(self, place: Place) -> Iterator[Place]:
        return (each for each in list(self._messages) if len(each) > len(place) and each[: len(place)] == place)

    def _drop(self, place: Place) -> None:
        self._messages.pop(place, None)
        self._runs.pop(place, None)


def _kind(message: ForwardMsg) -> str:
    """Of a container; "" for an element."""
    if message.delta.WhichOneof("type") != "add_block":
        return ""
    return message.delta.add_block.WhichOneof("type") or "container"


def _is_empty(message: ForwardMsg) -> bool:
    return message.delta.new_element.WhichOneof("type") == "empty"
