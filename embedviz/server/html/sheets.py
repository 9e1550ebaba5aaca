"""A lesson on paper: a sheet for students, with room for what they write, and one for the teacher, with the answers.

Both are pages without scripts, black on white, which the browser prints. An address of each station stands beside it as
a QR code and leads to the view.
"""

from html import escape
from pathlib import Path
from string import Template
from urllib.parse import urlencode

import segno
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from embedviz.base.i18n import _, direction, label_value, language, ngettext, pgettext
from embedviz.base.settings import configured
from embedviz.server.guards.origins import Origins
from embedviz.server.middleware import AsgiMiddleware
from embedviz.teaching.lessons import Lesson, lessons

_PAGE = Template(Path(__file__).with_name("sheet.html").read_text("utf-8"))


async def _sheet(request: Request) -> Response:
    """The sheet for the reader whom the address names: students, or the teacher."""
    lesson = lessons().get(request.path_params["lesson"])
    if not lesson:
        return _unknown()
    is_for_teacher = request.query_params.get("for") == "teacher"
    base = f"{request.base_url}lesson/{lesson.name}"
    return HTMLResponse(sheet(lesson, base, is_for_teacher=is_for_teacher), headers={"Cache-Control": "no-cache"})


async def _to_station(request: Request) -> Response:
    """The short address of a station, as the QR codes have it."""
    lesson = lessons().get(request.path_params["lesson"])
    numbers = {str(n): n for n in range(1, len(lesson.stations) + 1)} if lesson else {}
    n = numbers.get(request.path_params["n"])  # no number is made of what comes, however long it is
    if lesson is None or n is None:
        return _unknown()
    page, said = lesson.address(n)
    return RedirectResponse(f"../../{page.address}?{urlencode(said)}")


class _AsPage(AsgiMiddleware):
    """Middleware for what prints the name of the site: `Origins` is to check it, also for who asks for no page."""

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, "headers": [*scope["headers"], (b"accept", b"text/html")]}, receive, send)


def _unknown() -> PlainTextResponse:
    return PlainTextResponse(_("There is no such lesson, or no such station."), 404)


def sheet(lesson: Lesson, base: str, *, is_for_teacher: bool) -> str:
    """The HTML of a sheet. base: the address to which a slash and a station's number are added."""
    reader = _("For the teacher") if is_for_teacher else _("For students")
    facts = (reader, ngettext("{n} minute", "{n} minutes", lesson.minutes), lesson.in_language(lesson.audience))
    said = _("Afterwards: {said}", said=lesson.in_language(lesson.afterwards))
    name = escape(pgettext("of a student", "Name"))
    blank = "" if is_for_teacher else f"<p class=name>{name}<i></i></p>"
    parts = (_for_teacher if is_for_teacher else _for_students)(lesson)
    stations = "".join(
        f"<li>{_code(f'{base}/{n}')}<p>{escape(lesson.in_language(station.task))}</p>"
        f"<p><b>{escape(lesson.in_language(station.question))}</b></p>{part}</li>"
        for n, (station, part) in enumerate(zip(lesson.stations, parts, strict=True), 1)
    )
    return _PAGE.substitute(
        language=language(), direction=direction(language()),
        title=escape(lesson.in_language(lesson.title)), facts=escape(" · ".join(facts)),
        afterwards=escape(said), name=blank, stations=stations,
    )  # fmt: skip


def _for_students(lesson: Lesson) -> list[str]:
    """Room for a guess, and for what was seen."""
    labels = (_("My guess, before I look"), _("What I saw"))
    blanks = "".join(f"<p class=blank>{escape(label)}<i></i></p>" for label in labels)
    return [blanks] * len(lesson.stations)


def _for_teacher(lesson: Lesson) -> list[str]:
    """The answer and the mistake."""
    labels = (_("Answer"), _("What most get wrong"))
    return [
        "".join(map(_line, labels, map(lesson.in_language, (station.answer, station.mistake))))
        for station in lesson.stations
    ]


def _line(label: str, text: str) -> str:
    """A label in bold type, and what is said of it, joined as the language does."""
    return f"<p>{escape(label_value('{}', text))}</p>".replace("{}", f"<em>{escape(label)}</em>", 1)


def _code(address: str) -> str:
    """An address as a QR code, with the address below it for who has no camera."""
    try:
        drawn = segno.make(address, error="m", micro=False).svg_inline(border=0, omitsize=True)
    except segno.DataOverflowError:  # the name of the site is longer than a code can say
        drawn = ""
    return f"<figure>{drawn}<figcaption>{escape(address.partition('://')[2])}</figcaption></figure>"


_CHECKED = (Middleware(_AsPage), Middleware(Origins, configured().hosts))
ROUTES = (Route("/lesson/{lesson}/sheet", _sheet, middleware=_CHECKED), Route("/lesson/{lesson}/{n}", _to_station))
