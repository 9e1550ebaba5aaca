"""A visitor without a browser: one connection that speaks Streamlit's messages."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import ClientConnection, connect


def asking(query: str = "", **texts: str) -> bytes:
    """The message that asks for a page with this query and these texts in its fields."""
    message = BackMsg()
    message.rerun_script.query_string = query
    message.rerun_script.widget_states.widgets.extend(
        WidgetState(id=name, string_value=text) for name, text in texts.items()
    )
    return message.SerializeToString()


class Session:
    """What a page does when it is opened, and what it gets."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.session = ""
        self.got: list[ForwardMsg] = []

    def run(self, query: str = "", **texts: str) -> list[ForwardMsg]:
        """Ask for the page with these texts in fields, and wait until it has run."""
        self.send(query, **texts)
        return self.wait()

    def send(self, query: str = "", **texts: str) -> None:
        self.connection.send(asking(query, **texts))

    def wait(self, timeout: float = 30) -> list[ForwardMsg]:
        """The messages of the next run that comes to its end."""
        self.got = []
        while not self.got or self.got[-1].WhichOneof("type") != "script_finished":
            self._take(ForwardMsg.FromString(self.connection.recv(timeout)))
        return self.got

    def _take(self, message: ForwardMsg) -> None:
        self.got.append(message)
        if message.new_session.HasField("initialize"):  # the first run's message has it
            self.session = message.new_session.initialize.session_id
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.got = []

    @property
    def shown(self) -> str:
        """All that the last run has sent, to search in."""
        return "".join(str(message) for message in self.got)

    def widget(self, key: str) -> str:
        """The ID of the control with this key, from the last run."""
        found = [message.delta.new_element for message in self.got if message.WhichOneof("type") == "delta"]
        ids = [getattr(getattr(each, each.WhichOneof("type") or "empty"), "id", "") for each in found]
        return next(each for each in ids if each.endswith(f"-{key}"))


@contextmanager
def visiting(port: int, cookie: str = "", session: str = "") -> Iterator[Session]:
    """A connection to a server; refused it raises InvalidStatus."""
    names = ["streamlit", "no-token", session] if session else ["streamlit"]
    headers = {"Cookie": cookie} if cookie else {}
    with connect(
        f"ws://127.0.0.1:{port}/_stcore/stream",
        subprotocols=names,
        additional_headers=headers,
        max_size=None,
        compression=None,
        close_timeout=1,
    ) as connection:
        yield Session(connection)
