"""A short page of the server's own, in the app's colours, for when the server has no room for a page of the app."""

from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qs

from starlette.responses import HTMLResponse
from starlette.types import Scope

from embedviz.base.i18n import _, language, ngettext

_PAGE = """<!DOCTYPE html>
<html lang="{language}" class="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title} · embedviz</title>
<link rel="icon" href="data:,">
{head}
<style>
:root {{ color-scheme: light dark; }}
.light_theme {{ color-scheme: light; }}
.dark_theme {{ color-scheme: dark; }}
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1rem/1.55
  "Source Sans", "Source Sans 3", system-ui, sans-serif;
  color: light-dark(#171a22, #eceef4); background: light-dark(#ffffff, #0f1218); }}
main {{ box-sizing: border-box; width: min(34rem, 100vw - 1.5rem); padding: 1.6rem 1.8rem; border-radius: 0.5rem;
  border: 1px solid light-dark(#d5dae2, #39414f); background: light-dark(#f3f5f8, #1a1f29); }}
h1 {{ margin: 0 0 0.4rem; font-size: 1.55rem; font-weight: 650; line-height: 1.25; }}
p {{ margin: 0.5rem 0 0; }}
a {{ color: light-dark(#0b57c9, #7db4ff); }}
output {{ font-variant-numeric: tabular-nums; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""
_COUNTED = '<output aria-live="off">{}</output>'
_RETRY = (
    '<script src="{script}" data-seconds="{seconds}" data-one="{one}" data-many="{many}" defer></script>\n'
    '<noscript><meta http-equiv="refresh" content="{seconds}"></noscript>'
)


@dataclass(frozen=True)
class Notice:
    """What such a page says.

    status: of the answer. retry: seconds after which the page tries again by itself; 0 is never. link: an address and
    its words, if there is another way on.
    """

    status: int
    title: str
    lines: tuple[str, ...]
    retry: int = 0
    link: tuple[str, str] | None = None


def page(notice: Notice, scope: Scope, script: str) -> HTMLResponse:
    """The answer to a request. script: the address of assets/page/again.js."""
    body = [f"<p>{escape(line)}</p>" for line in notice.lines]
    if notice.retry:
        body.append(_again(notice.retry))
    if notice.link:
        body.append('<p><a href="{}">{}</a></p>'.format(*map(escape, notice.link)))
    counting = {"one": escape(_("in 1 second")), "many": escape(_("in {seconds} seconds"))}
    head = _RETRY.format(script=escape(script), seconds=notice.retry, **counting) if notice.retry else ""
    html = _PAGE.format(
        language=language(), theme=_theme(scope), title=escape(notice.title), head=head, body="\n".join(body)
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
