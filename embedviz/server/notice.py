"""A short page of the server's own, in the app's colours, for when the server has no room for a page of the app."""

from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from urllib.parse import parse_qs

from starlette.responses import HTMLResponse
from starlette.types import Scope

from embedviz.base.i18n import _, direction, language, ngettext

HTML = Path(__file__).with_suffix(".html").read_text("utf-8")
_PAGE = Template(HTML)
_CHOICE = '<button name="choice" value="{}" dir="auto">{}</button>'
_COUNTED = '<output aria-live="off">{}</output>'
_RETRY = (
    '<script src="{script}" data-seconds="{seconds}" data-one="{one}" data-many="{many}" defer></script>\n'
    '<noscript><meta http-equiv="refresh" content="{seconds}"></noscript>'
)


@dataclass(frozen=True)
class Notice:
    """What a page says. status: of the answer. retry: after how many seconds, 0 is never. link: address and words.
    choices: texts of buttons, which send their numbers, from 0, to the page's own address."""

    status: int
    title: str
    lines: tuple[str, ...]
    retry: int = 0
    link: tuple[str, str] | None = None
    choices: tuple[str, ...] = ()


def page(notice: Notice, scope: Scope, script: str) -> HTMLResponse:
    """The answer to a request. script: the address of assets/page/again.js."""
    body = [f"<p>{escape(line)}</p>" for line in notice.lines]
    if notice.retry:
        body.append(_again(notice.retry))
    if notice.link:
        body.append('<p><a href="{}">{}</a></p>'.format(*map(escape, notice.link)))
    if notice.choices:
        buttons = (_CHOICE.format(n, escape(text)) for n, text in enumerate(notice.choices))
        body.append(f'<form method="post">{"".join(buttons)}</form>')
    counting = {"one": escape(_("in 1 second")), "many": escape(_("in {seconds} seconds"))}
    head = _RETRY.format(script=escape(script), seconds=notice.retry, **counting) if notice.retry else ""
    html = _PAGE.substitute(
        language=language(),
        direction=direction(language()),
        theme=_theme(scope),
        title=escape(notice.title),
        head=head,
        body="\n".join(body),
    )
    headers = {"Cache-Control": "no-store"} | ({"Retry-After": str(notice.retry)} if notice.retry else {})
    return HTMLResponse(html, notice.status, headers)


def _again(seconds: int) -> str:
    """The line whose inner part again.js changes."""
    every = ngettext("every second", "every {n} seconds", seconds)
    sentence = escape(_("It tries again by itself {every_few_seconds}, at this same address.", every_few_seconds="\0"))
    return f"<p>{sentence.replace(chr(0), _COUNTED.format(escape(every)))}</p>"


def _theme(scope: Scope) -> str:
    """The theme that the address asks for, as Streamlit's pages take it; else the browser's."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("embed_options", [])
    return next((each for each in ("light_theme", "dark_theme") if each in asked), "")
