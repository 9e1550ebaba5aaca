"""Two questions that whoever runs the server asks: is it alive, and may new visitors come?"""

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from embedviz.web.places import Places


class Health:
    """The answers; `is_warm` is set once the first page will come at once.

    A full server is ready all the same: whoever takes one that is not ready out of the row would cut those off who
    are in. It says itself that it is full, with status 503, after which a balancer may ask another.
    """

    def __init__(self, places: Places) -> None:
        self.is_warm = False
        self._places = places

    @property
    def routes(self) -> list[Route]:
        """`/healthz`: 200 as long as the process answers. `/readyz`: 200 when warm, 503 before, and when stopping."""
        return [Route("/healthz", self._alive), Route("/readyz", self._ready)]

    async def _alive(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("alive")

    async def _ready(self, _: Request) -> PlainTextResponse:
        if self._places.is_stopping:
            return PlainTextResponse("stopping", 503)
        return PlainTextResponse("ready") if self.is_warm else PlainTextResponse("warming up", 503)
