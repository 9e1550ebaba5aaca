"""The shape of all middleware of the server, each of which is a layer around the app."""

from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(eq=False)
class AsgiMiddleware:
    """Middleware that answers requests by its method `_http` and connections by `_websocket`; the app gets all else."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        await getattr(self, f"_{scope['type']}", self.app)(scope, receive, send)
