"""What the page "Compare" asks for once all else is drawn: how alike its two sentences are to a real model."""

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from embedviz.base import log
from embedviz.base.errors import EmbedvizError
from embedviz.layers.likeness import likeness

_ENDS = (0, 100)  # percent of the positional vectors
_BETWEEN = tuple(range(10, 100, 10))  # asked for when somebody moves the slider
_MOST = 64  # questions that wait; a class that types at once has fewer, and each takes some 50 ms
_KEPT = {"Cache-Control": "private, max-age=3600"}


class Likeness:
    """Answers one question at a time, so that a visitor who has typed on by then is not answered at all."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._n_waiting = 0

    async def answer(self, request: Request) -> Response:
        """The cosine for each share in percent, as JSON; nothing (204) if the model cannot read these texts."""
        if self._n_waiting >= _MOST:
            log.refused("likeness")
            return Response(status_code=503, headers={"Retry-After": "2"})
        self._n_waiting += 1
        try:
            async with self._turn:
                return await self._found(request)
        finally:
            self._n_waiting -= 1

    async def _found(self, request: Request) -> Response:
        if await request.is_disconnected():
            return Response(status_code=204)
        a, b = (request.query_params.get(name, "") for name in "ab")
        shares = _BETWEEN if "between" in request.query_params else _ENDS
        try:
            values = await run_in_threadpool(likeness, a, b, [share / 100 for share in shares])
        except EmbedvizError:
            return Response(status_code=204, headers=_KEPT)
        return JSONResponse(dict(zip(map(str, shares), values, strict=True)), headers=_KEPT)


ROUTE = Route("/likeness", Likeness().answer)
