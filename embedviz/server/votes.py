"""The page on which phones vote: one request, no script, and no cookie but the one that stops a second vote."""

import re
import secrets

import cachetools
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from embedviz.base import log
from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _, speaking
from embedviz.base.votes import LETTERS, N_LETTERS, SECONDS, Standing, counted, votes
from embedviz.server import notice
from embedviz.server.headers import hashes
from embedviz.server.notice import Notice
from embedviz.server.sessions import address_of
from embedviz.server.streamlit_inside.runs import Bucket

_COOKIE = "embedviz_vote"
_MOST_BYTES = 1024  # of a vote, which is "choice=0"
_SENT = re.compile(rb"choice=(\d)")
_CODE = re.compile(f"[{LETTERS}]{{{N_LETTERS}}}")
_VOTER = re.compile(r"[0-9a-f]{32}")
# Requests a second, and at once: a hall of 500 behind one address asks for the page and votes within seconds.
_EACH, _ALL = (200, 2000), (400, 4000)
_MOST_ADDRESSES = 10_000  # that are told apart
_HEADERS = {
    # A phone has no further request. Without this, it would keep a connection that others need.
    "Connection": "close",
    "Content-Security-Policy": f"default-src 'none'; style-src {' '.join(hashes(notice.HTML, 'style'))}; "
    "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}


class VotePages:
    """Answers to phones, and to the projector, which asks how many have voted."""

    def __init__(self) -> None:
        self._all = Bucket(*_ALL)
        self._each = cachetools.LRUCache(_MOST_ADDRESSES)  # by address

    async def page(self, request: Request) -> Response:
        """The question with a button for each choice, or what came of a vote. Small letters of a code mean the same."""
        if not self._has_room(request):
            again = _("So many vote at once that the server could not take this one."), _("Go back, and press again.")
            return _page(request, Notice(429, _("Too many votes at once"), again))
        body = await _body(request) if request.method == "POST" else b""
        if body is None:
            return _page(request, Notice(413, _("This is no vote"), (_("A vote is the number of a choice."),)))
        code, voter = request.path_params["code"], request.cookies.get(_COOKIE, "")
        if code != code.upper() and request.method == "GET":  # the cookie belongs to the address in capitals
            return RedirectResponse(code.upper())
        try:
            return await run_in_threadpool(_answer, request, code, voter if _VOTER.fullmatch(voter) else "", body)
        except Unavailable as error:
            return _page(request, Notice(503, _("Votes are out of reach"), (str(error),)))

    async def count(self, request: Request) -> Response:
        """How many have voted."""
        if not self._has_room(request):
            return Response(status_code=429)
        try:
            found = await run_in_threadpool(_look, request.path_params["code"])
        except Unavailable:
            return Response(status_code=503)
        return JSONResponse({"n": sum(found.counts)}, headers=_HEADERS) if found else Response(status_code=404)

    def _has_room(self, request: Request) -> bool:
        bucket = self._each.setdefault(address_of(request.scope), Bucket(*_EACH))
        has_room = bucket.offers() and self._all.offers()
        if not has_room:
            log.refused("vote")
        return has_room


def _look(code: str, voter: str = "") -> Standing | None:
    return votes().look(code, voter) if _CODE.fullmatch(code) else None


def _answer(request: Request, code: str, voter: str, body: bytes) -> Response:
    standing = _look(code, voter)
    if standing is None:
        lines = (
            _("This server has no vote with the code {code}, or it has ended.", code=code[: 2 * N_LETTERS]),
            _("Compare the code with the one on the screen. A vote lasts two hours at most."),
        )
        return _page(request, Notice(404, _("No such vote"), lines))
    with speaking(standing.vote.language):
        if request.method == "POST":
            return _page(request, _cast(standing, code, voter, body), voter)
        return _page(request, _voted(standing) or _asked(standing), voter)


def _cast(standing: Standing, code: str, voter: str, body: bytes) -> Notice:
    sent = _SENT.fullmatch(body)
    if said := _voted(standing, 409):
        return said
    if not voter:
        return _asked(standing, _("Your browser kept no cookie, by which a second vote is told. Allow it, and vote."))
    if not sent:
        return _asked(standing, _("No choice came with your vote. Press one of these."))
    if not int(sent[1]) < len(standing.vote.choices):
        return _asked(standing, _("There is no choice of this number. Press one of these."))
    if counted(code, voter, int(sent[1])):
        return Notice(200, _("Your vote is counted"), (_("Look at the screen: there the hall's answer is shown."),))
    return _voted(votes().look(code, voter) or standing, 409) or Notice(
        409, _("This vote is full"), (_("It has as many votes as it can take."),)
    )


def _voted(standing: Standing, status: int = 200) -> Notice | None:
    """What is said to whoever has voted, or comes too late."""
    if standing.has_voted:
        return Notice(status, _("You have voted"), (_("Your first vote is counted, and it alone."),))
    if standing.is_over:
        return Notice(410, _("This vote is over"), (_("Look at the screen: there the hall's answer is shown."),))
    return None


def _asked(standing: Standing, problem: str = "") -> Notice:
    lines = (problem,) if problem else ()
    return Notice(400 if problem else 200, standing.vote.question, lines, choices=standing.vote.choices)


def _page(request: Request, said: Notice, voter: str = "") -> Response:
    """The answer; with a form it brings the cookie by which a second vote is told, if the browser has none."""
    answer = notice.page(said, request.scope, "")
    answer.headers.update(_HEADERS)
    if said.choices and not voter:
        path, is_safe = request.url.path, request.url.scheme == "https"
        answer.set_cookie(
            _COOKIE, secrets.token_hex(16), SECONDS, path=path, secure=is_safe, httponly=True, samesite="lax"
        )
    return answer


async def _body(request: Request) -> bytes | None:
    """What was sent; None if that is no vote's size, or the phone has left."""
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                return None
    except ClientDisconnect:
        return None
    return body


_pages = VotePages()
ROUTES = (Route("/vote/{code}/count", _pages.count), Route("/vote/{code}", _pages.page, methods=["GET", "POST"]))
