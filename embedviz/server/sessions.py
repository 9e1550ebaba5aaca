"""How many visitors the server takes at a time, who may come in, and the page that all others get.

Nobody waits in front of an empty page, since this page tries again by itself.
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import cachetools
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected

from embedviz.base import log, metrics
from embedviz.base.i18n import _, ngettext, paragraph
from embedviz.base.networks import network_of
from embedviz.server.middleware import AsgiMiddleware
from embedviz.server.notice import Notice, page

_COOKIE = "_streamlit_xsrf"  # Streamlit gives each browser one, with a value of its own
_BACK = 60.0  # seconds in which a browser that left may come back though the server is full


class Places:
    """The count of open connections, by browser as far as browsers have a name, and by address.

    most: connections at a time. is_known: whether a session of this name may be taken up again. A browser that is
    in, or was a moment ago, comes in even beyond `most`, up to a tenth more: it loads its page anew, or its
    connection broke. Nobody new comes in once the server is stopping.

    A class behind one address may have all places. While one address has more than a tenth of them, another tenth is
    kept for those from whose address nobody is in.
    """

    def __init__(self, most: int, is_known: Callable[[str], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self.n_open = 0
        self.is_stopping = False
        self._is_known = is_known
        self._here: Counter[str] = Counter()  # connections, by browser
        self.by_address: Counter[str] = Counter()  # connections, by address
        self._left = cachetools.TTLCache(math.inf, _BACK, clock)  # browsers whose last connection has ended

    def has_room(self, browser: str = "", session: str = "", address: str = "") -> bool:
        """Return whether this browser may come in now. browser, session, address: "" if they are not known."""
        if not self.is_stopping and self.n_open < self.most:
            return True
        was_here = bool(browser) and (browser in self._here or browser in self._left)
        if self.n_open < self.most + self.spare and (was_here or self._is_known(session)):
            return True
        is_other = bool(address) and not self.by_address[address] and not self.is_stopping
        return is_other and self.n_open < self.most + 2 * self.spare and max(self.by_address.values()) > self.spare

    @property
    def spare(self) -> int:
        """Return how many places are kept for visitors who come back, and as many for those from other addresses."""
        return max(self.most // 10, 1)

    def enter(self, browser: str, address: str = "") -> None:
        """A connection has been opened."""
        self.n_open += 1
        self._here[browser] += 1
        self.by_address[address] += 1
        metrics.opened.inc()
        log.event("session opened", sessions=self.n_open)

    def leave(self, browser: str, address: str = "") -> None:
        """It has been closed."""
        self.n_open -= 1
        for counts, name in ((self.by_address, address), (self._here, browser)):
            counts[name] -= 1
            if not counts[name]:
                del counts[name]
        if browser not in self._here:
            self._left[browser] = True
        log.event("session closed", sessions=self.n_open)


@dataclass(eq=False)
class Sessions(AsgiMiddleware):
    """Middleware that counts connections and refuses those beyond the limit.

    Pages answer 503 with a notice; a connection is refused with 503 before it is opened. A page that was
    answered, but whose connection was not, asks for its address again (assets/page/away.js) and gets the notice.
    """

    places: Places
    retry: int
    script: str

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_vote = scope["path"].removeprefix(scope.get("root_path", "")).startswith("/vote/")  # which needs no session
        has_room = is_vote or self.places.has_room(browser_of(scope), address=address_of(scope))
        await self.app(scope, receive, send if has_room else self._instead_of_pages(scope, receive, send))

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        browser, address = browser_of(scope), address_of(scope)
        if not self.places.has_room(browser, session_of(scope), address):
            log.refused("sessions", sessions=self.places.n_open)
            full = PlainTextResponse("full", 503, {"Retry-After": str(self.retry)})
            await refuse(scope, receive, send, full)
            return
        self.places.enter(browser, address)
        try:
            # Who leaves while Streamlit reads or writes is no error of the server's.
            with suppress(WebSocketDisconnected):
                await self.app(scope, receive, send)
        finally:
            self.places.leave(browser, address)

    def _instead_of_pages(self, scope: Scope, receive: Receive, send: Send) -> Send:
        """A `send` that answers with the notice where the app answers with a page; files go through."""
        is_page = False

        async def changed(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                is_page = Headers(raw=message["headers"]).get("content-type", "").startswith("text/html")
                if is_page:
                    if scope["method"] == "GET":
                        log.refused("sessions", sessions=self.places.n_open)
                    await page(self._notice(), scope, self.script)(scope, receive, send)
            if not is_page:
                await send(message)

        return changed

    def _notice(self) -> Notice:
        if self.places.is_stopping:
            title, line = _("embedviz is restarting"), _("Whatever is running now is being finished.")
        else:
            n, most = self.places.n_open, self.places.most
            here = ngettext("{n:,} visitor is connected.", "{n:,} visitors are connected.", n)
            limit = ngettext("At most {n:,} fits at a time.", "At most {n:,} fit at a time.", most)
            title, line = _("embedviz is full just now"), paragraph([here, limit])
        safe = _("Your texts and settings stand in the address; nothing is lost.")
        return Notice(503, title, (line, safe), self.retry)


async def refuse(scope: Scope, receive: Receive, send: Send, answer: Response) -> None:
    """Refuse a connection before it is opened, with an answer if the server can send one."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await answer(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": 1013})


def browser_of(scope: Scope) -> str:
    """The name of a browser, which its cookie has; "" if it has none."""
    return cookie_parser(Headers(scope=scope).get("cookie", "")).get(_COOKIE, "")


def address_of(scope: Scope) -> str:
    """Where a request comes from; of an address of IPv6 the part that one household or company has for itself."""
    return network_of((scope.get("client") or ("",))[0])


def session_of(scope: Scope) -> str:
    """The session that a connection wants to take up again: the third of what Streamlit calls subprotocols."""
    names = [each.strip() for each in Headers(scope=scope).get("sec-websocket-protocol", "").split(",")]
    return names[2] if len(names) > 2 else ""
