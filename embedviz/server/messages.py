"""What browsers send and ask for, put right before Streamlit reads it."""

import math

from google.protobuf.message import DecodeError
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState

from embedviz.base.i18n import speaking
from embedviz.base.pages import page_at
from embedviz.server.address import for_streamlit, of_today
from embedviz.server.languages import language_for

# Whoever develops an app asks for these, and any visitor can. For the first, Streamlit runs git again and again while
# everybody waits, and tells the names of files that are in no commit.
_OF_DEVELOPERS = {"load_git_info", "clear_cache"}


class Messages:
    """Middleware that lets Streamlit read addresses by our names, and keeps from it what no page of ours sends.

    A browser that asks for a page at an older address is sent to the address of today.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, with each message of a connection put right."""
        if scope["type"] != "websocket":
            await (_to_today(scope) or self._app)(scope, receive, send)
            return
        preferred = Headers(scope=scope).get("accept-language", "")

        async def right() -> Message:
            while (message := _right(await receive(), preferred)) is None:
                pass
            return message

        await self._app(scope, right, send)


def _to_today(scope: Scope) -> RedirectResponse | None:
    query = scope.get("query_string", b"").decode("latin-1")
    if scope.get("method") != "GET" or (today := of_today(page_at(scope["path"]), query)) == query:
        return None
    return RedirectResponse(f"?{today}")


def _right(message: Message, preferred: str) -> Message | None:
    """The message as Streamlit may read it; None if it is not for us."""
    try:
        said = BackMsg.FromString(message.get("bytes") or b"")
    except DecodeError:  # Streamlit will say so
        return message
    kind = said.WhichOneof("type")
    if kind == "rerun_script":
        _put_right(said.rerun_script, preferred)
    elif kind == "file_urls_request":
        del said.file_urls_request.file_names[1:]  # each address takes the server some time, and a page needs one
    else:
        return None if kind in _OF_DEVELOPERS else message
    return message | {"bytes": said.SerializeToString()}


def _put_right(asked: ClientState, preferred: str) -> None:
    with speaking(language_for(asked.query_string, preferred)):
        asked.query_string = for_streamlit(page_at(asked.context_info.url), asked.query_string)
    states = asked.widget_states
    known = [each for each in states.widgets if each.id.startswith("$$") and math.isfinite(each.double_value)]
    if len(known) < len(states.widgets):  # what is no control, or a number without end, would fail in each later run
        states.CopyFrom(type(states)(widgets=known))
