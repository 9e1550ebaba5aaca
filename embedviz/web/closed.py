"""Addresses of Streamlit's that are nobody's business."""

from collections.abc import Collection

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send


class Closed:
    """Middleware for which some paths, and all below them, are not there."""

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        self._app = app
        self._paths = tuple(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 404, or pass on."""
        path = scope.get("path", "").rstrip("/")
        closed = scope["type"] == "http" and any(path == each or path.startswith(f"{each}/") for each in self._paths)
        await (Response(status_code=404) if closed else self._app)(scope, receive, send)
