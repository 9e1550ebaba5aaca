"""Which language a visitor reads: what the address asks for, else what the browser prefers, else the server's own."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs

import streamlit as st
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send
from streamlit.runtime.scriptrunner import get_script_run_ctx

from embedviz.base.i18n import use_language
from embedviz.base.locale.catalogues import default_language, languages
from embedviz.server.address import unescaped
from embedviz.server.middleware import AsgiMiddleware

_known = threading.local()  # the address of the run in this thread, and its language: a page asks for it 2,000 times


def of_the_run() -> str | None:
    """The language of the visitor for whom this thread draws a page, or a part of it, or carries out a press."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:
        return None
    if getattr(_known, "run", None) != (id(run), run.query_string):
        _known.language = language_for(run.query_string, st.context.headers.get("Accept-Language", ""))
        _known.run = id(run), run.query_string
    return _known.language


def language_for(query: str, preferred: str) -> str:
    """The tag for an address and a header Accept-Language (RFC 9110). One that is not here counts as its language."""
    asked = parse_qs(unescaped(query)).get("lang", [])[-1:]
    return next(filter(None, map(_language_of, [*asked, *_in_order(preferred)])), default_language())


def _in_order(preferred: str) -> Iterator[str]:
    """The tags in a header like "de-AT, de;q=0.9, en;q=0.8", the most wanted first, without those of weight 0."""
    weighed = []
    for part in preferred.split(","):
        tag, _sign, weight = part.partition(";")
        try:
            weighed.append((float(weight.strip().removeprefix("q=") or 1), tag.strip()))
        except ValueError:  # no such weight: the header is not well formed there, and that part says nothing
            continue
    return (tag for weight, tag in sorted(weighed, key=lambda each: -each[0]) if weight > 0)


def _language_of(tag: str) -> str | None:
    """The language that is here for a tag."""
    by_name = {each.lower(): each for each in reversed([*languages()])}
    by_kind = {name.partition("-")[0]: each for name, each in by_name.items()}
    asked = tag.lower().replace("_", "-")
    return by_name.get(asked) or by_kind.get(asked.partition("-")[0])


@dataclass(eq=False)
class Languages(AsgiMiddleware):
    """Middleware that answers each request in the visitor's language. Sessions find theirs themselves, run by run."""

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        preferred = Headers(scope=scope).get("accept-language", "")
        with use_language(language_for(scope.get("query_string", b"").decode("latin-1"), preferred)):
            await self.app(scope, receive, send)
