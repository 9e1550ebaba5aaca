"""Lines that the site adds to Streamlit's page: files for pictures, the style of all pages, and the menu."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import PurePosixPath
from posixpath import dirname, normpath

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from embedviz.base.i18n import _, for_scripts, language, own_names, translated
from embedviz.base.pages import PAGES, Page, page_at
from embedviz.base.settings import ROOT, configured
from embedviz.server import address
from embedviz.ui.components.plot.plot import PLOTLY_FILE
from embedviz.ui.components.shared.component import ASSETS_PATH

_IMPORT = re.compile(r'^import .* from "(\.[^"]+)\.js"$', re.MULTILINE)
_BYTES_EACH = 64  # that a message takes for a character: two full fields, each in three places, most of it as %E4%B8%AD
_LONGEST = 20_000
_PAGE = f"{ASSETS_PATH[1:]}/embedviz/ui/assets/page"
# Of every page, since whoever goes to another one keeps the head.
_OWN = "".join(path.read_text("utf-8") for path in sorted(ROOT.glob("pages/*/page.css")))
_STYLE = f'<link rel="stylesheet" href="{_PAGE}/site.css"><style>{_OWN}</style>'
MOST = min(_LONGEST, configured().message_kib * 1024 // _BYTES_EACH)  # characters that a field may hold
_SCRIPTS = {
    "base": "",
    "address": ' type="module"',  # before Streamlit's own, whose writing it takes over
    "room": " defer",
    "away": ' type="module"',
    "slides": ' type="module"',
    "pages": ' type="module"',
    "lengths": f' defer data-most="{MOST}"',
}


@cache
def head(page: Page, tag: str) -> str:
    """HTML for the head of a page in a language. Its addresses are relative, as all addresses of the site are."""
    shown = ("shared/instances", "share/share", *page.components)
    own = [f"pages/{page.name}/{path.stem}" for path in sorted(page.script.parent.glob("*.js"))]
    modules = [
        f'<link rel="modulepreload" href="{ASSETS_PATH[1:]}/{each}.js">'
        for each in with_imports(*(f"embedviz/ui/components/{each}" for each in shown), *own)
    ]
    library = [f'<link rel="preload" as="script" href="{PLOTLY_FILE}">'] if "plot/plot" in page.components else []
    facts = [_data("ev-address", address.for_scripts()), _data("ev-languages", own_names())]
    scripts = [f'<script src="{_PAGE}/{each}.js"{how}></script>' for each, how in _SCRIPTS.items()]
    return "\n".join([*facts, *scripts, *_texts(tag), _loading(), *library, *modules, ""])


def _loading() -> str:
    """What the page shows until its scripts have come, which takes seconds on a slow line."""
    words = json.dumps(_("embedviz is loading …"), ensure_ascii=False).replace("<", "\\3c ")
    return (
        f"<style>#root:empty::before {{ content: {words}; position: fixed; inset: 0; display: grid; "
        "place-items: center; font: 1rem system-ui, sans-serif; color-scheme: light dark; "
        "color: light-dark(#5b6270, #a8afbd); background: light-dark(#ffffff, #0f1218); }</style>"
    )


def _texts(tag: str) -> list[str]:
    """The translated texts of the scripts, as data that `i18n.js` reads; nothing in English."""
    return [_data("ev-texts", for_scripts(tag))] if for_scripts(tag) else []


def _data(name: str, value: object) -> str:
    """Data for scripts, which find it by its name."""
    text = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")  # no text may end the script
    return f'<script type="application/json" id="{name}">{text}</script>'


@cache
def menu(page: Page, tag: str) -> str:
    """HTML for the menu of pages in a language. It stands before all else, so that it is there at once.

    Streamlit's own menu is drawn anew with every edit, and takes half of the time.
    """
    links = "".join(f"<li>{_link(each, is_here=each is page)}</li>" for each in PAGES)
    pages, skip = escape(_("Pages")), escape(_("Skip to the content"))
    here = escape(_("Menu: {page}", page=translated(page.title)))
    return (
        f'<nav class="ev-pages" aria-label="{pages}"><button type="button" class="ev-skip">{skip}</button>'
        f'<button type="button" class="ev-menu" aria-expanded="false">{here}</button><ul>{links}</ul></nav>'
    )


def _link(page: Page, *, is_here: bool) -> str:
    address = page.address or "."
    here = ' aria-current="page"' if is_here else ""
    title, about = escape(translated(page.title)), escape(translated(page.help))
    return f'<a href="{address}" title="{about}"{here}>{title}</a>'


@dataclass(frozen=True)
class Lines:
    """What is added to a page: to its head, and at the beginning of its body."""

    head: str
    body: str


def lines_at(path: str) -> Lines:
    """What is added to the page at this path."""
    page = page_at(path)
    return Lines(head(page, language()), _STYLE + menu(page, language()))


def with_imports(*names: str) -> list[str]:
    """These modules of ours and all that they import, each once."""
    found = list(names)
    for name in found:
        text = (ROOT / f"{name}.js").read_text("utf-8")
        imported = [normpath(f"{dirname(name)}/{other}") for other in _IMPORT.findall(text)]
        found += [other for other in imported if other not in found]
    return found


class Head:
    """Middleware that puts lines into the head of each HTML page, by its path, and says its language.

    The site's style sheet goes into the body, where it comes after those that Streamlit adds to the head.

    All else goes on as it is.

    The ETag that Streamlit gives the page does not fit the changed page, so it is taken out, and so is the offer of
    parts of it. Browsers ask for the page anew at each visit.
    """

    def __init__(self, app: ASGIApp, lines: Callable[[str], Lines]) -> None:
        self._app = app
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and change a page that comes back."""
        if scope["type"] != "http" or scope["method"] != "GET" or PurePosixPath(scope["path"]).suffix:
            await self._app(scope, receive, send)
            return
        started: Message | None = None
        body = b""

        async def changed(message: Message) -> None:
            nonlocal started, body
            if message["type"] == "http.response.start" and _is_page(message):
                started = message
            elif started is None or message["type"] != "http.response.body":
                await send(message)
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    page = body.replace(b'<html lang="en"', f'<html lang="{language()}"'.encode(), 1)
                    lines = self._lines(scope["path"])
                    page = page.replace(b"<head>", b"<head>\n" + lines.head.encode(), 1)
                    page = page.replace(b"<body>", b"<body>\n" + lines.body.encode(), 1)
                    await send(_start(started, len(page)))
                    await send({"type": "http.response.body", "body": page})

        await self._app(_uncompressed(scope), receive, changed)


def _uncompressed(scope: Scope) -> Scope:
    """The same request for an answer that can be read here."""
    return scope | {"headers": [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]}


def _is_page(message: Message) -> bool:
    return message["status"] == 200 and MutableHeaders(scope=message).get("content-type", "").startswith("text/html")


def _start(message: Message, length: int) -> Message:
    headers = MutableHeaders(scope=message)
    for name in ("etag", "last-modified", "accept-ranges"):
        del headers[name]
    headers["content-length"] = str(length)
    headers.add_vary_header("Accept-Language")
    return message
