"""The page on which phones vote: one request, no script, and no cookie but the one that stops a second vote."""

import re
import secrets

import cachetools
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from embedviz.base import log, metrics
from embedviz.base.errors import Unavailable
from embedviz.base.i18n import N_, speaking, translated
from embedviz.base.votes import SECONDS, Vote, votes
from embedviz.server import notice
from embedviz.server.headers import hashes
from embedviz.server.notice import Notice
from embedviz.server.sessions import address_of
from embedviz.server.streamlit_inside.runs import Bucket

_COOKIE = "embedviz_vote"
_MOST_BYTES = 1024  # of a vote, which is "choice=0"
_SENT = re.compile(rb"choice=(\d)")
_VOTER = re.compile(r"[0-9a-f]{32}")
# Requests a second, and at once: a hall of 500 behind one address asks for the page and votes within seconds.
_EACH, _ALL = (200, 2000), (400, 4000)
# A phone has no further request. Without "close", it would keep a connection that others need.
_POLICY = "default-src 'none'; style-src {}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_HEADERS = {"Connection": "close", "Content-Security-Policy": _POLICY.format(*hashes(notice.HTML, "style"))}
_SCREEN = N_("Look at the screen: there the hall's answer is shown.")
_SAID = {  # the status of the answer, its title, and a sentence
    "counted": (200, N_("Your vote is counted"), _SCREEN),
    "voted": (409, N_("You have voted"), N_("Your first vote is counted, and it alone.")),
    "over": (410, N_("This vote is over"), _SCREEN),
    "full": (409, N_("This vote is full"), N_("It has as many votes as it can take.")),
    "unknown": (404, N_("No such vote"),
        N_("This server has no vote with this code, or it has ended. Compare the code with the one on the screen.")),
    "busy": (429, N_("Too many votes at once"), N_("Go back, and press again.")),
    "large": (413, N_("This is no vote"), N_("A vote is the number of a choice.")),
    "away": (503, N_("Votes are out of reach"), N_("The votes cannot be reached just now. Try again in a moment.")),
}  # fmt: skip
_WRONG = {  # what is said above the choices
    "cookie": N_("Your browser kept no cookie, by which a second vote is told. Allow it, and vote."),
    "nothing": N_("No choice came with your vote. Press one of these."),
    "number": N_("There is no choice of this number. Press one of these."),
}


_all = Bucket(*_ALL)
_each = cachetools.LRUCache(10_000)  # by address


async def _answer(request: Request) -> Response:
    """The question with a button for each choice, what came of a vote, or for the projector how many have voted."""
    code, bucket = request.path_params["code"], _each.setdefault(address_of(request.scope), Bucket(*_EACH))
    if not (bucket.offers() and _all.offers()):
        log.refused("vote")
        return _page(request, "busy")
    if code != code.upper() and request.method == "GET":  # the cookie belongs to the address in capitals
        return RedirectResponse(code.upper())
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                return _page(request, "large")
        return await run_in_threadpool(_found, request, code, body)
    except ClientDisconnect:
        return Response(status_code=400)  # which nobody reads
    except Unavailable:
        return _page(request, "away")


def _found(request: Request, code: str, body: bytes) -> Response:
    voter = (_VOTER.fullmatch(request.cookies.get(_COOKIE, "")) or [""])[0]
    vote = votes().look(code, voter)
    if vote is None:
        return _page(request, "unknown")
    if request.url.path.endswith("/count"):
        return JSONResponse({"n": sum(vote.counts)}, headers=_HEADERS)
    with speaking(vote.language):
        name = _outcome(vote, code, voter, body if request.method == "POST" else None)
        return _page(request, name, vote, is_new=not voter)


def _outcome(vote: Vote, code: str, voter: str, body: bytes | None) -> str:
    """Cast the vote, if there is one, and return the name of what is said: "" is the question."""
    if vote.has_voted or vote.is_over:
        return "voted" if vote.has_voted else "over"
    if body is None or not voter:
        return "" if body is None else "cookie"
    sent = _SENT.fullmatch(body)
    if not sent or not int(sent[1]) < len(vote.choices):
        return "number" if sent else "nothing"
    if votes().cast(code, voter, int(sent[1])):
        metrics.votes_counted.inc()
        return "counted"
    now = votes().look(code, voter)  # it has changed meanwhile
    return "unknown" if now is None else "voted" if now.has_voted else "over" if now.is_over else "full"


def _page(request: Request, name: str, vote: Vote | None = None, *, is_new: bool = False) -> Response:
    """What is said under this name; beside the choices a browser that is new gets its cookie."""
    if name in _SAID:
        status, title, line = _SAID[name]
        answer = notice.page(Notice(status, translated(title), (translated(line),)), request.scope, "")
    else:
        lines = (translated(_WRONG[name]),) if name else ()
        said = Notice(400 if name else 200, vote.question, lines, choices=tuple(vote.choices))
        answer = notice.page(said, request.scope, "")
        if is_new:
            how = {"path": request.url.path, "secure": request.url.scheme == "https", "samesite": "lax"}
            answer.set_cookie(_COOKIE, secrets.token_hex(16), SECONDS, httponly=True, **how)
    answer.headers.update(_HEADERS)
    return answer


ROUTES = (Route("/vote/{code}", _answer, methods=["GET", "POST"]), Route("/vote/{code}/count", _answer))
