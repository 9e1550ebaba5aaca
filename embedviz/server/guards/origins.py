"""Whose pages may speak with the server: only its own, and only under a name that is the site's.

Streamlit compares names as well, but for a foreign one it asks a host on the internet for this machine's address, and
everybody waits meanwhile. Here nobody is asked, and Streamlit gets no origin to compare.
"""

import ipaddress
import re
import socket
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from embedviz.base import log
from embedviz.base.i18n import N_, _, translated
from embedviz.server.middleware import AsgiMiddleware
from embedviz.server.notice import Notice, page
from embedviz.server.sessions import refuse

_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:(?P<port>\d{1,5}))?")
_PORTS = {"http": "80", "https": "443"}
_READS = ("GET", "HEAD")
FRAMED = N_(
    "A sandboxed frame hides where this page is from, so the page cannot connect to its server. Add "
    "allow-same-origin to the frame's sandbox, or open the page in a window of its own."
)
_RENAMED = N_(
    "The server refuses this page's connection, because the page's address is not the one by which the server is "
    "called. A proxy in front of it must pass on the header Host, or EMBEDVIZ_HOSTS must name the site."
)
# Networks use these endings for their own machines. Nobody can register a name that has one of them (RFC 6762, 8375).
_LOCAL = (".localhost", ".local", ".lan", ".internal", ".intranet", ".private", ".corp", ".home", ".home.arpa")


@dataclass(eq=False)
class Origins(AsgiMiddleware):
    """Middleware that answers 403 to pages of other sites, and 421 to browsers that call the server by a strange name.

    names: the site's. What only reads is left to the browser, which does not show the answer to another site's page.
    Whoever sends no origin is no browser, since a browser says it with each websocket and with whatever changes
    something.

    A page of another site can call itself by a name that leads to this machine. Its browser then takes it for one of
    ours, so the name itself has to be known. Addresses and the names of a local network are, since no such page can
    have them. Where no names are set, a name that a proxy has passed on is too: a page cannot add the proxy's header
    to a websocket.
    """

    names: Collection[str]

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self.app
        if scope["method"] not in _READS and not self._may_come(scope):
            answer = _refusal(scope)
        elif scope["method"] in _READS and _asks_for_page(scope) and not self._is_known(scope):
            answer = page(_notice(), scope, "")  # or the page's websocket would be refused without a word
        elif _is_nowhere(scope):
            log.advise(FRAMED)  # its browser runs no module of the page, so that no connection would be refused
        await answer(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._may_come(scope):
            others = [(name, value) for name, value in scope["headers"] if name != b"origin"]
            await self.app({**scope, "headers": others}, receive, send)
        else:
            await refuse(scope, receive, send, _refusal(scope))

    def _may_come(self, scope: Scope) -> bool:
        return self._is_known(scope) and self._is_own(scope)

    def _is_known(self, scope: Scope) -> bool:
        """Whether the name by which the server is called is the site's, or one that no other site can have."""
        name, _port = _host(_all(scope, b"host"))
        is_passed_on = bool(name and not self.names and _all(scope, b"x-forwarded-for"))
        return is_passed_on or name in self.names or _is_local(name)

    def _is_own(self, scope: Scope) -> bool:
        """Whether the page that calls is the site's: the same name and port, or a name that was set."""
        given = _all(scope, b"origin")
        if not given:
            return True
        scheme, _mark, rest = given[0].partition(b"://")
        usual = _PORTS.get(scheme.decode("latin-1"))
        name, port = _host([rest]) if len(given) == 1 and usual else ("", None)
        called, at = _host(_all(scope, b"host"))
        return bool(name) and ((name, port or usual) == (called, at or usual) or name in self.names)


def _refusal(scope: Scope) -> PlainTextResponse:
    """What to change; a page whose connection was refused asks for it, since browsers hand on no such answer."""
    remedy = FRAMED if _is_nowhere(scope) else _RENAMED
    log.refused("origin")
    log.advise(remedy)
    return PlainTextResponse(translated(remedy), 403)


def _is_nowhere(scope: Scope) -> bool:
    """Whether the page that calls has no origin: in a sandboxed frame, or in a file."""
    return _all(scope, b"origin") == [b"null"]


def _asks_for_page(scope: Scope) -> bool:
    return any(b"text/html" in each for each in _all(scope, b"accept"))


def _all(scope: Scope, name: bytes) -> list[bytes]:
    """The values of a header, as often as it was sent."""
    return [value.strip().lower() for key, value in scope.get("headers", []) if key == name]


def _host(headers: Sequence[bytes]) -> tuple[str, str | None]:
    """The name and the port of the one host that was given; an empty name if there is no such thing."""
    found = _HOST.fullmatch(headers[0].decode("latin-1")) if len(headers) == 1 else None
    return (found["name"].rstrip("."), found["port"]) if found else ("", None)


def _is_local(name: str) -> bool:
    if "." not in name and ":" not in name:
        return bool(name)
    if name.endswith(_LOCAL) or name == socket.gethostname().lower():
        return True
    try:
        return bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        return False


def _notice() -> Notice:
    lines = (
        _("The server answers only to names that it knows, and always to an address such as 192.168.1.20."),
        _("Whoever runs the server can write this name into the setting EMBEDVIZ_HOSTS."),
    )
    return Notice(421, _("The server does not know this name"), lines)
