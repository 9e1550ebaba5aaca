"""The HTML of each page: Streamlit's, with the files for its pictures, the style of all pages, and the menu.

It also answers with what stands around a page that a visitor saves as a file, into which the browser puts its contents.
"""

import re
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from embedviz import __version__
from embedviz.base import log
from embedviz.base.i18n import N_, _, direction, for_scripts, language, own_names, translated
from embedviz.base.pages import BESIDE, PAGES, ROAD, Page, page_at
from embedviz.base.settings import configured, place
from embedviz.figures.theme import role_sheet
from embedviz.server import address, notice
from embedviz.server.guards.origins import FRAMED
from embedviz.server.html import without_scripts
from embedviz.ui.components.cards.links import picture_of
from embedviz.ui.components.component import ASSETS_PATH, KNOWN
from embedviz.ui.components.plot.plot import PLOTLY_FILE
from embedviz.ui.components.standalone import document, literal, with_imports

INDEX = Path(st.__file__).parent / "static/index.html"
# A proxy that strips /app makes / of it, and the page would look for its files beside /app. Only its browser knows.
_WITH_SLASH = """<script>
if (!location.pathname.endsWith("/")) location.replace(location.pathname + "/" + location.search + location.hash)
</script>"""
INSIDE = INDEX.read_text("utf-8") + _WITH_SLASH  # all scripts that stand in a page itself
_BYTES_EACH = 64  # that a message takes for a character: two full fields, each in three places, most of it as %E4%B8%AD
_LONGEST = 20_000
_NOSCRIPT = re.compile("<noscript>.*?</noscript>", re.DOTALL)
_WHOLE_FONT = re.compile(r"<link\s[^>]*\bas=\"font\"[^>]*>")  # that Streamlit loads before it is asked for
_PAGE = f"{ASSETS_PATH[1:]}/embedviz/ui/assets/page"
# What components and pages have to say in the page itself, such as the room that they take before their scripts come.
# Whoever goes to another page keeps the head, so it is that of all pages.
_SHEETS = [path for each in ("embedviz/ui/components", "pages") for path in sorted(place(each).glob("*/page.css"))]
_OWN = "".join([role_sheet(), *(path.read_text("utf-8") for path in _SHEETS)])
_STYLE = (
    f'<link rel="stylesheet" href="{_PAGE}/site.css"><style>{_OWN}</style>'
    f'<link rel="stylesheet" href="{_PAGE}/print.css" media="print" id="ev-print">'
)
_FONTS = "".join(
    f'<link rel="preload" as="font" type="font/woff2" href="{ASSETS_PATH[1:]}/{each}" crossorigin>'
    for each in ("embedviz/ui/assets/fonts/sans.woff2", "embedviz/ui/assets/fonts/icons.woff2")
)
MOST = min(_LONGEST, configured().message_kib * 1024 // _BYTES_EACH)  # characters that a field may hold
_NAMES = {"", *(page.name for page in PAGES)}
_PREFIXED = N_(
    "If a proxy leads here under a prefix such as /app, let it strip the prefix from each path, or start the server "
    "with STREAMLIT_SERVER_BASE_URL_PATH=/app."
)
_SCRIPTS = {
    "base": "",
    "address": ' type="module"',  # before Streamlit's own, whose writing it takes over
    "away": ' type="module"',
    "slides": ' type="module"',
    "pages": ' type="module"',
    "print": ' type="module"',  # before those of components
    "fields": f' defer data-most="{MOST}"',
}


@cache
def html(page: Page, tag: str) -> str:
    """The HTML of a page in a language. Its addresses are relative, as all addresses of the site are."""
    lines = INDEX.read_text("utf-8").replace('<html lang="en"', f'<html lang="{tag}" dir="{direction(tag)}"', 1)
    lines = lines.replace("<head>", f"<head>\n{_head(page, tag)}\n", 1)
    # The site's style sheet stands in the body, where it comes after those that Streamlit adds to the head.
    lines = lines.replace("<body>", f"<body>\n{_STYLE}{_menu(page)}\n", 1)
    # What the page shows until its scripts have come, which takes seconds on a slow line, and where none run. Of that
    # Streamlit says only how other programs may use it, and browsers do not show it where a policy forbids scripts.
    words, plain = escape(_("embedviz is loading …")), escape(without_scripts.words())
    lines = _WHOLE_FONT.sub(_FONTS, _NOSCRIPT.sub("", lines))
    root = f'<div id="root" data-loading="{words}"><p class="ev-plain">{plain}</p>'
    return lines.replace('<div id="root">', root, 1)


def _head(page: Page, tag: str) -> str:
    shown = ("shared/instances", "share/share", *page.components)
    own = [f"pages/{page.name}/{path.stem}" for path in sorted(page.script.parent.glob("*.js"))]
    modules = [
        f'<link rel="modulepreload" href="{ASSETS_PATH[1:]}/{each}.js">'
        for each in with_imports(*(f"embedviz/ui/components/{each}" for each in shown), *own)
    ]
    library = [f'<link rel="preload" as="script" href="{PLOTLY_FILE}">'] if "plot/plot" in page.components else []
    facts = [_data("ev-address", address.for_scripts()), _data("ev-languages", own_names())]
    how = _SCRIPTS | {"base": f' data-framed="{escape(translated(FRAMED))}"'}
    scripts = [f'<script src="{_PAGE}/{each}.js"{how[each]}></script>' for each in _SCRIPTS]
    texts = [_data("ev-texts", for_scripts(tag))] if for_scripts(tag) else []  # none in English
    made_by = f'<meta name="generator" content="embedviz {__version__}">'
    first = [] if page.address else [_WITH_SLASH]
    return "\n".join([*first, made_by, *facts, *scripts, *texts, *library, *modules])


def _data(name: str, value: object) -> str:
    """Data for scripts, which find it by its name."""
    return f'<script type="application/json" id="{name}">{literal(value)}</script>'


def _menu(page: Page) -> str:
    """The menu of pages, before all else, so that it is there at once. Streamlit's takes half of an edit's time."""
    title, is_beside = translated(page.title), page not in ROAD
    pages, skip, road, more = map(escape, (_("Pages"), _("Skip to the content"), _("The road"), _("More")))
    here, menu = escape(title), escape(_("Menu: {page}", page=title))
    stations = "".join(f"<li>{_link(each, page)}</li>" for each in ROAD)
    groups = "".join(_group(escape(translated(name)), map(page_at, group), page) for name, group in BESIDE.items())
    return (
        f'<nav class="ev-pages" aria-label="{pages}"><button type="button" class="ev-skip">{skip}</button>'
        f'<button type="button" class="ev-menu" aria-expanded="false" aria-label="{menu}">{here}</button>'
        f'<div class="ev-sheet"><ol aria-label="{road}">{stations}</ol>'
        f'<button type="button" class="ev-more" aria-expanded="false">{more}<b>{is_beside * here}</b></button>'
        f'<div class="ev-beside">{groups}</div></div></nav>'
    )


def _group(name: str, pages: Iterable[Page], current: Page) -> str:
    """Pages beside the road under a heading, each with the line that says what it is for."""
    lines = "".join(f"<li>{_link(page, current)}<span>{escape(translated(page.help))}</span></li>" for page in pages)
    return f'<div><b>{name}</b><ul aria-label="{name}">{lines}</ul></div>'


def _link(page: Page, current: Page) -> str:
    mark = ' aria-current="page"' if page is current else ""
    title, about = escape(translated(page.title)), escape(translated(page.help))
    return f'<a href="{page.address or "."}" title="{about}"{mark}>{title}</a>'


class _Name(StringConvertor):
    """A page's name, or what could be one: Streamlit itself answers for its files, and with a page for what is none."""

    regex = rf"(?!({'|'.join(re.escape(path.name) for path in INDEX.parent.iterdir() if path != INDEX)})$)[^/]*"


class _Deeper(StringConvertor):
    """What lies deeper than a page, and is no path of Streamlit's own."""

    regex = "(?!(_stcore|media|static)/).*/.*"


register_url_convertor("name", _Name())
register_url_convertor("deeper", _Deeper())


async def _answer(request: Request) -> Response:
    """Browsers ask for a page anew at each visit."""
    name = request.path_params["name"]
    if name not in _NAMES:
        return _unknown(request)
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Language"}
    page = page_at(name)
    text = html(page, language()).replace("</head>", f"{_card(page, request)}\n</head>", 1)
    return HTMLResponse(text, headers=headers)


def _card(page: Page, request: Request) -> str:
    """What a chat or a search shows of a link: title, a line on the page, and the view's own picture.

    It takes a whole address, which the server knows by the request alone.
    """
    named = request.query_params.get("view", "")
    view = named if named in page.views else next(iter(page.views), "")
    titles = [*([translated(page.views[view])] if view else []), translated(page.title), "embedviz"]
    said = {
        "og:title": " · ".join(titles),
        "og:description": translated(page.help),
        "og:image": f"{request.base_url}{picture_of(page, view)}",
    }
    return "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in said.items())


async def _to_page(request: Request) -> Response:
    """Send the browser to the page of the first name: no page finds its files from deeper."""
    path, query = request.path_params["path"], request.scope["query_string"].decode("latin-1")
    name = path.partition("/")[0]
    if name not in _NAMES:
        return _unknown(request)
    there = "../" * path.count("/") + page_at(name).address
    return RedirectResponse(f"{there}?{query}" if query else there)


def _unknown(request: Request) -> Response:
    """There is no such page. It would not find its files, and a redirect would lead out of a proxy's prefix."""
    log.advise(_PREFIXED)
    first = "../" * "".join(request.path_params.values()).count("/") or "./"
    title, link = _("There is no page at this address"), (first, _("The first page"))
    return notice.page(notice.Notice(404, title, (translated(_PREFIXED),), link=link), request.scope, "")


async def _around(request: Request) -> PlainTextResponse:
    """A saved page without its data, for the components whose scripts the address names."""
    names = dict.fromkeys(request.query_params.getlist("part"))
    if not names.keys() <= {name for name, _html, _style in KNOWN.values()}:
        return PlainTextResponse("", 404)
    return PlainTextResponse(document({}, names, language()))


_SMALL = Middleware(GZipMiddleware, compresslevel=4)  # a higher level takes three times as long for 2 percent
ROUTES = (
    Route(f"{ASSETS_PATH}/page", _around),
    Route("/{name:name}", _answer, middleware=[_SMALL]),
    Route("/{path:deeper}", _to_page),
)
