"""A page as one file that opens without a server or a network: everything around what the page's components show.

Share makes such a file of what is on the screen (components/share/standalone.js); the command, a notebook's cell and
the site make it of a page that was run without a browser (embedviz/command). In the file runs share/opened.js.
"""

import base64
import gzip
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from posixpath import dirname, normpath
from typing import Any

import plotly

from embedviz import __version__
from embedviz.base.i18n import _, direction, for_scripts, use_language
from embedviz.base.settings import ROOT, place
from embedviz.figures.theme import role_sheet

PLOTLY = Path(plotly.__file__).parent / "package_data"
PLOT = "embedviz/ui/components/plot/plot"
_OPENED = "embedviz/ui/components/share/opened"
_IMPORT = re.compile(r'\b(from|import) "(\.[^"]+)\.js"')
_CAPITAL = re.compile("(?=[A-Z])")
_RUNS = "document.documentElement.dataset.scripts = ''"
_MARKS = place("embedviz/ui/components/shared/page.css").read_text("utf-8")
_SHEET = """
body { margin: 0 auto; padding: 1.5rem clamp(0.75rem, 2.5vw, 3rem); max-width: 120rem; color: var(--st-text-color);
  background: var(--st-background-color); font-family: var(--st-font); }
[data-scripts] #plain { display: none; }
h1 { margin: 0; font-size: 1.55rem; font-weight: 650; }
header p { margin: 0.2rem 0 1rem; opacity: 0.75; }
a { color: var(--st-link-color); }
.row { display: flex; gap: 1rem; align-items: flex-start; }
.column { display: flex; flex-direction: column; gap: 0.8rem; min-width: 0; }
.typed { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; margin-bottom: 0.7rem; font-size: 0.9rem; }
.typed > div { flex: 1 1 16rem; max-width: 26rem; }
.typed span { display: block; }
.typed input { box-sizing: border-box; width: 100%; padding: 0.4rem 0.6rem; border: 1px solid var(--st-border-color);
  border-radius: 0.5rem; color: inherit; background: var(--st-secondary-background-color); font: inherit;
  font-size: 1rem; }
.typed input[aria-invalid="true"] { border-color: var(--st-red-text-color); }
.typed p { margin: 0.25rem 0 0; }
.typed [role="alert"] { color: var(--st-red-text-color); font-weight: 600; }
.typed [role="alert"]:empty { display: none; }
.typed details { flex: 2 1 16rem; margin-top: 1.7rem; }
pre { overflow: auto; padding: 1rem; border-radius: 0.5rem; background: var(--st-secondary-background-color); }
@media (max-width: 40em) {
  .row { flex-direction: column; align-items: stretch; }
  .typed details { margin-top: 0; }
}
"""


def document(page: Mapping[str, Any], names: Iterable[str], tag: str, *, shared: Mapping[str, str] = {}) -> str:
    """The file. page: what opened.js reads. names: of the components on it. tag: of the language.

    shared: for several files beside each other, the addresses of the two files `scripts` and `library` that all use.
    """
    scripts = (
        _linked(shared["scripts"]) if shared else f'<script type="importmap">{literal(import_map(names))}</script>'
    )
    library = ""
    if PLOT in names:
        library = (
            _linked(shared["library"]) if shared else f'<script type="text/plain" id="library">{_packed()}</script>'
        )
    with use_language(tag):
        plain = _plain(page)
    texts = f'<script type="application/json" id="ev-texts">{literal(for_scripts(tag))}</script>'
    return "\n".join(
        [
            f'<!doctype html><html lang="{tag}" dir="{direction(tag)}"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f'<meta name="generator" content="embedviz {__version__}">',
            f"<title>{escape(str(page.get('title', 'embedviz')))}</title>",
            f"<style>{colours()}{_SHEET}</style><script>{_RUNS}</script>{texts}{scripts}{library}</head><body>",
            f'<main id="plain">{plain}</main>',
            f'<script type="application/json" id="page">{literal(page)}</script>',
            f'<script type="module">import {{ open }} from "{_OPENED}.js"; open()</script></body></html>',
        ]
    )


def _plain(page: Mapping[str, Any]) -> str:
    """What the page says in words, for where none of its scripts run."""
    needs = _("The rest of this page needs JavaScript, which does not run here.")
    if not page:
        return f"<p>{escape(needs)}</p>"
    said = "".join(f"<p><b>{escape(title)}</b> {escape(text)}</p>" for title, text in page["said"])
    return f"<h1>{escape(page['title'])}</h1><p>{escape(page['subtitle'])}</p>{said}<p>{escape(needs)}</p>"


def literal(value: object) -> str:
    """A value as JSON in a script, which no text in it may end."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _linked(address: str) -> str:
    return f'<script src="{escape(address)}"></script>'


def import_map(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Every module that these components need, by the name under which the file imports it."""
    return {"imports": {f"{name}.js": _module(name) for name in with_imports(_OPENED, *names)}}


def with_imports(*names: str) -> list[str]:
    """These modules of ours and all that they import, each once."""
    found = list(dict.fromkeys(names))
    for name in found:
        others = _IMPORT.findall(place(f"{name}.js").read_text("utf-8"))
        paths = dict.fromkeys(normpath(f"{dirname(name)}/{other}") for _word, other in others)
        found += [path for path in paths if path not in found]
    return found


@cache
def _module(name: str) -> str:
    def bare(matched: re.Match) -> str:
        return f'{matched[1]} "{normpath(f"{dirname(name)}/{matched[2]}")}.js"'

    text = _IMPORT.sub(bare, place(f"{name}.js").read_text("utf-8"))
    return "data:text/javascript;base64," + base64.b64encode(text.encode()).decode()


@cache
def _packed() -> str:
    """plotly.js, which takes 4.8 MB, in 2.0 MB."""
    return base64.b64encode(gzip.compress((PLOTLY / "plotly.min.js").read_bytes(), mtime=0)).decode()


@cache
def colours() -> str:
    """Fonts, what colours mean, and both themes of .streamlit/config.toml, as components know them.

    The reader's browser chooses one of the themes.
    """
    theme = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
    shared = "color-scheme: light dark; --st-font: Source Sans, system-ui; --st-code-font: ui-monospace, monospace;"
    light, dark = _roles(theme["light"]), _roles(theme["dark"])
    themes = f":root {{ {shared} {light} }} @media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f"{_MARKS}{role_sheet()}{themes}"


def _roles(theme: Mapping[str, str | list[str]]) -> str:
    values = {name: value if isinstance(value, str) else ",".join(value) for name, value in theme.items()}
    return " ".join(f"--st-{_CAPITAL.sub('-', name).lower()}: {value};" for name, value in values.items())
