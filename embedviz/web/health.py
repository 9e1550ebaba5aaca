"""Two questions that whoever runs the server asks: is it alive, and is it warm?"""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route


class Health:
    """The answers; `is_warm` is set once the first page will come at once."""

    def __init__(self) -> None:
        self.is_warm = False

    @property
    def routes(self) -> list[Route]:
        """`/healthz`: 200 as long as the process answers. `/readyz`: 200 when warm, 503 before."""
        return [Route("/healthz", self._alive), Route("/readyz", self._ready)]

    async def _alive(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("alive")

    async def _ready(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("ready") if self.is_warm else PlainTextResponse("warming up", 503)
