"""The page on which phones vote: one request, no script, and no cookie but the one that stops a second vote."""

import re

import cachetools
from starlette.concurrency import run_in_threadpool
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from embedviz.base import log, metrics
from embedviz.base.errors import Unavailable
from embedviz.base.i18n import N_, _, translated, use_language
from embedviz.base.votes.memory import SECONDS
from embedviz.base.votes.votes import LETTERS, MOST_FROM_ADDRESS, N_LETTERS, Vote, votes
from embedviz.server import notice
from embedviz.server.guards.headers import hashes
from embedviz.server.notice import Notice
from embedviz.server.sessions import address_of
from embedviz.server.streamlit_inside.runs import Bucket

_COOKIE = "embedviz_vote"
_MOST_BYTES = 1024  # of a vote, which is "choice=0"
_SENT = re.compile(rb"choice=(\d)")
_CODE = re.compile(f"[{LETTERS}{LETTERS.lower()}]{{{N_LETTERS}}}")
# Requests a second, and at once. A hall of 500 behind one address asks for the page and votes within seconds. It takes
# ten addresses that do so all the time to use up what all may.
EACH, ALL = (40, 2000), (400, 20_000)
# A phone has no further request. Without "close", it would keep a connection that others need.
_POLICY = "default-src 'none'; style-src {}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
_HEADERS = {"Connection": "close", "Content-Security-Policy": _POLICY.format(*hashes(notice.HTML, "style"))}
_SCREEN = N_("Look at the screen: there the hall's answer is shown.")
_ANSWERS = {  # the status of the answer, its title, and a sentence
    "counted": (200, N_("Your vote is counted"), _SCREEN),
    "voted": (409, N_("You have voted"), N_("Your first vote is counted, and it alone.")),
    "over": (410, N_("This vote is over"), _SCREEN),
    "full": (409, N_("This vote is full"), N_("It has as many votes as it can take.")),
    "crowded": (409, N_("Your network has no votes left"),
        N_("One network may cast {most:,} votes, and yours has. Vote by another one, such as mobile data.")),
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


everyone = Bucket(*ALL)
by_address = cachetools.LRUCache(10_000)  # by address


async def _answer(request: Request) -> Response:
    """The question with a button for each choice, and what came of a vote."""
    code, body = request.path_params["code"], b""
    if refusal := refusal_of(request, code):
        return _page(request, refusal)
    if code != code.upper() and request.method == "GET":  # the cookie belongs to the address in capitals
        return RedirectResponse(f"./{code.upper()}")
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > _MOST_BYTES:
                return _page(request, "large")
        return await run_in_threadpool(_vote, request, code, body)
    except ClientDisconnect:
        return Response(status_code=400)  # which nobody reads
    except Unavailable:
        return _page(request, "away")


async def _count(request: Request) -> Response:
    """How many have voted, for the projector, in numbers and in words."""
    code = request.path_params["code"].upper()
    if refusal := refusal_of(request, code):
        return _page(request, refusal)
    try:
        vote = await run_in_threadpool(votes().look, code)
    except Unavailable:
        return _page(request, "away")
    return JSONResponse(vote.summary(), headers=_HEADERS) if vote else _page(request, "unknown")


def refusal_of(request: Request, code: str) -> str:
    """The name of what is said to a request that nobody looks at any further; "" is none.

    An address's own limit is asked before that of all, which no address alone can use up.
    """
    own = by_address.setdefault(address_of(request.scope), Bucket(*EACH))
    if not (own.offers() and everyone.offers()):
        log.refused("vote")
        return "busy"
    return "" if _CODE.fullmatch(code) else "unknown"


def _vote(request: Request, code: str, body: bytes) -> Response:
    vote = votes().look(code, request.cookies.get(_COOKIE, ""))
    if vote is None:
        return _page(request, "unknown")
    with use_language(vote.language):
        is_vote = request.method == "POST"
        if vote.has_voted or vote.is_over or not (is_vote and vote.voter):
            refusal = "cookie" if is_vote else ""
            return _page(request, "voted" if vote.has_voted else "over" if vote.is_over else refusal, vote)
        sent = _SENT.fullmatch(body)
        if not sent or not int(sent[1]) < len(vote.choices):
            return _page(request, "number" if sent else "nothing", vote)
        choice = int(sent[1])
        outcome = votes().cast(code, vote.voter, choice, vote.hashed(address_of(request.scope)))
        if outcome != "counted":
            return _page(request, outcome, vote)
        metrics.votes_counted.inc()
        return _page(request, outcome, vote, _("You chose “{choice}”.", choice=vote.choices[choice]))


def _page(request: Request, name: str, vote: Vote | None = None, first: str = "") -> Response:
    """What is said under this name, after a first line; beside the choices a browser without a mark gets one."""
    if vote is None or name in _ANSWERS:
        status, title, line = _ANSWERS[name]
        lines = (*filter(None, [first]), translated(line, most=MOST_FROM_ADDRESS))
        answer = notice.page(Notice(status, translated(title), lines), request.scope, "")
    else:
        lines = (translated(_WRONG[name]),) if name else ()
        asked = Notice(400 if name else 200, vote.question, lines, choices=tuple(vote.choices))
        answer = notice.page(asked, request.scope, "")
        if not vote.voter:
            # Not from request.url, which cannot be made where the Host is nonsense.
            how = {"path": request.scope["path"], "secure": request.scope["scheme"] == "https", "samesite": "lax"}
            answer.set_cookie(_COOKIE, vote.new_mark(), SECONDS, httponly=True, **how)
    answer.headers.update(_HEADERS)
    return answer


class _Anything(StringConvertor):
    """What a code could be, and all that can be none: no other route is to take it for a page, and lead elsewhere."""

    regex = r"[\s\S]*"


register_url_convertor("anything", _Anything())
ROUTES = (Route("/vote/{code}/count", _count), Route("/vote/{code:anything}", _answer, methods=["GET", "POST"]))
