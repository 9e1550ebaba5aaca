"""Paths under which a proxy has put the whole site, such as /app, and which it does not take away itself."""

from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import Receive, Scope, Send

from embedviz.server.middleware import AsgiMiddleware


@dataclass(eq=False)
class Prefix(AsgiMiddleware):
    """Middleware that takes the prefix away from each path. No more is needed, since the site's addresses are relative.

    prefix: such as "/app", or "" for none. Paths without it are taken as they are, since whoever watches the server
    asks it without the proxy.
    """

    prefix: str

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.prefix and scope["path"] == self.prefix:  # relative addresses need the slash
            query = scope["query_string"].decode("latin-1")
            there = f"./{quote(self.prefix.rpartition('/')[2])}/"
            await RedirectResponse(f"{there}?{query}" if query else there)(scope, receive, send)
        else:
            await self._websocket(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.prefix and scope["path"].startswith(f"{self.prefix}/"):
            scope = {**scope, "path": scope["path"].removeprefix(self.prefix)}
        await self.app(scope, receive, send)
