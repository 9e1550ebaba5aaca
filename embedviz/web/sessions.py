"""Nobody waits in front of an empty page: who does not come in is told so, and comes in later by itself."""

from contextlib import suppress
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected

from embedviz import log
from embedviz.texts import _, ngettext
from embedviz.web.notice import Notice, page
from embedviz.web.places import Places

_COOKIE = "_streamlit_xsrf"  # Streamlit gives each browser one, with a value of its own


class Sessions:
    """Middleware that counts connections and refuses those beyond the limit.

    Pages answer 503 with a notice; a connection is refused with 503 before it is opened. A page that was
    answered, but whose connection was not, asks for its address again (assets/room.js) and gets the notice.
    """

    def __init__(self, app: ASGIApp, places: Places, retry: int, script: str) -> None:
        self._app = app
        self._places = places
        self._retry = retry
        self._script = script

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, count, or refuse."""
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] == "http" and not self._places.has_room(_browser(scope)):
            await self._app(scope, receive, self._instead_of_pages(scope, receive, send))
        else:
            await self._app(scope, receive, send)

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        browser = _browser(scope)
        if not self._places.has_room(browser, _session(scope)):
            log.refused("sessions", sessions=self._places.n_open)
            full = PlainTextResponse("full", 503, {"Retry-After": str(self._retry)})
            await refuse(scope, receive, send, full)
            return
        self._places.enter(browser)
        try:
            # Who leaves while Streamlit reads or writes is no error of the server's.
            with suppress(WebSocketDisconnected):
                await self._app(scope, receive, send)
        finally:
            self._places.leave(browser)

    def _instead_of_pages(self, scope: Scope, receive: Receive, send: Send) -> Send:
        """A `send` that answers with the notice where the app answers with a page; files go through."""
        is_page = False

        async def changed(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                is_page = Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
                if is_page:
                    if scope["method"] == "GET":
                        log.refused("sessions", sessions=self._places.n_open)
                    await page(self._notice(), scope, self._script)(scope, receive, send)
            if not is_page:
                await send(message)

        return changed

    def _notice(self) -> Notice:
        if self._places.is_stopping:
            title, line = _("embedviz starts anew"), _("What runs is being finished.")
        else:
            n, most = self._places.n_open, self._places.most
            here = ngettext("{n:,} visitor is in.", "{n:,} visitors are in.", n)
            limit = ngettext("{n:,} is the most that fits at a time.", "{n:,} are the most that fit at a time.", most)
            title, line = _("embedviz is full just now"), f"{here} {limit}"
        safe = _("Your texts and settings stand in the address; nothing is lost.")
        return Notice(503, title, (line, safe), self._retry)


async def refuse(scope: Scope, receive: Receive, send: Send, answer: Response) -> None:
    """Refuse a connection before it is opened, with an answer if the server can send one."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1013})


def _browser(scope: Scope) -> str:
    try:
        found = SimpleCookie(Headers(scope=scope).get("cookie", "")).get(_COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _session(scope: Scope) -> str:
    """The session that a connection wants to take up again: the third of what Streamlit calls subprotocols."""
    names = [each.strip() for each in Headers(scope=scope).get("sec-websocket-protocol", "").split(",")]
    return names[2] if len(names) > 2 else ""
