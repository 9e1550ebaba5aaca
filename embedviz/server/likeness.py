"""The answer to a script of the page "Compare", which asks how alike its two sentences are to a real model."""

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from embedviz.base import log
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.layers.likeness import likeness

_ENDS = (0, 100)  # percent of the positional vectors
_BETWEEN = tuple(range(10, 100, 10))  # asked for when somebody moves the slider
_MOST = 64  # questions that wait; a class that types at once has fewer
_KEPT = {"Cache-Control": "private, max-age=3600"}


class Likeness:
    """Answers for one share of one question at a time, and not at all to a visitor who has typed on by then."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()  # those who wait for it have it in the order in which they came
        self._n_waiting = 0

    async def answer(self, request: Request) -> Response:
        """The cosine for each share in percent, as JSON; nothing (204) if the model cannot read these texts."""
        if self._n_waiting >= _MOST:
            log.refused("likeness")
            return Response(status_code=503, headers={"Retry-After": "2"})
        self._n_waiting += 1
        try:
            return await self._found(request)
        except Unavailable:  # which may change, so that the browser does not keep the answer
            return Response(status_code=204)
        except EmbedvizError:
            return Response(status_code=204, headers=_KEPT)
        finally:
            self._n_waiting -= 1

    async def _found(self, request: Request) -> Response:
        a, b = (request.query_params.get(name, "") for name in "ab")
        values = {}
        for share in _BETWEEN if "between" in request.query_params else _ENDS:
            async with self._turn:
                if await request.is_disconnected():
                    return Response(status_code=204)
                (values[str(share)],) = await run_in_threadpool(likeness, a, b, [share / 100])
        return JSONResponse(values, headers=_KEPT)


ROUTE = Route("/likeness", Likeness().answer)
