"""Components whose JavaScript is served once as a file, so that no rerun sends it again, and the data that they get."""

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any, Protocol

import numpy as np
import orjson
from streamlit.components.v2 import component as register
from streamlit.components.v2.bidi_component import BidiComponentResult
from streamlit.components.v2.types import ComponentRenderer

from embedviz.base.i18n import AFTER_CONTEXT, language, translated
from embedviz.base.locale.catalogues import IN_HTML
from embedviz.base.settings import place

_FOLDERS = ("embedviz/ui", "pages")
_SHARED = "embedviz/ui/components/shared/{}.css"
_KINDS = {".js", ".css", ".woff2"}
_FILES = [path for each in _FOLDERS for path in sorted(place(each).rglob("*")) if path.suffix in _KINDS]
# This stands in the files' addresses, so that a browser may keep the files for ever and still gets new ones.
VERSION = hashlib.sha256(b"".join(path.read_bytes() for path in _FILES)).hexdigest()[:12]
ASSETS_PATH = f"/assets/embedviz/{VERSION}"  # below this a script has the path that it has in the project
KNOWN: dict[str, tuple[str, str, str]] = {}  # by Streamlit's name of a component: its script, its HTML and its style
ASSETS = {f"{ASSETS_PATH}/{each}": place(each) for each in _FOLDERS}

# Streamlit sends this again with each component that an edit changes, so what is to be said of it stands here.
# isWanted: whoever has left the page by then needs nothing of it, and what is not on a page has no colours.
# nextTask: new data may come while the script still loads. Then Streamlit calls this function for the older data as
# well as for the newer, in either order, and ends the older call at once. The next task knows which of them it is.
# The last call ends what all of them have begun, even if the visitor left before it could draw.
# recorded: a page that is saved has this component too, even if its own script has still to come.
# dataset: says that the component's script is there, and what of it is a slide of its own.
LOADER = """
const load = (name) => import(new URL(`{path}/${{name}}.js`, document.baseURI).href)
const loading = load("{name}"), instances = load("embedviz/ui/components/shared/instances")
export default function (component) {{
  let isOver = false
  const isWanted = () => !isOver && component.parentElement.isConnected
  const nextTask = new Promise((resolve) => setTimeout(resolve))
  const recorded = Promise.all([instances, nextTask]).then(([all]) => isWanted() && all.record("{name}", component))
  const drawn = Promise.all([loading, recorded]).then(([module, unpacked]) => {{
    if (!isWanted()) return false
    const {{ host = component.parentElement }} = component.parentElement.getRootNode()
    Object.assign(host.dataset, {notes})
    module.render(unpacked)
    return true
  }})
  return async () => {{
    isOver = true
    if (!(await drawn) && component.parentElement.isConnected) return
    ;(await instances).forget(component)
  }}
}}
"""


class Component(Protocol):
    """Draws a component with its data; the other arguments are those of Streamlit's renderer."""

    def __call__(self, data: dict | bytes | None, **arguments: Any) -> BidiComponentResult:
        """Draw it."""
        ...


def component(
    module: str, *, style: str = "", isolate_styles: bool = True, ideas: str = "", rows: str = ""
) -> Component:
    """The component of a Python module, whose folder has a script, a style sheet and HTML of the same name.

    The script has a function `render`, which begins by `once` what is to end. Without a style sheet there is no style,
    and without HTML an element with the class of this name. style: a sheet in `shared` that comes first. ideas: a CSS
    selector; in projection each of these elements has a slide of its own. rows: likewise, but only where the window has
    no room for all of them. What stands in braces in the HTML is translated. Streamlit takes the HTML of a component
    once, so there is a component for each language in which it has been drawn.
    """
    sheets = [_SHARED.format(each) for each in ("base" if isolate_styles else "", style)]
    name, html, css = parts_of(module.replace(".", "/"), sheets)
    notes = json.dumps({key: value for key, value in {"ideas": ideas, "rows": rows}.items() if value} | {"loaded": ""})

    @cache
    def in_language(tag: str) -> ComponentRenderer:
        registered = f"{name}_{tag}".replace("/", "_").replace("-", "_")
        filled = in_words(html)
        KNOWN[registered] = name, filled, css
        js = LOADER.format(path=ASSETS_PATH[1:], name=name, notes=notes)
        return register(registered, html=filled, css=css, js=js, isolate_styles=isolate_styles)

    def draw(data: dict | bytes | None, **arguments: Any) -> BidiComponentResult:
        return in_language(language())(data=pack(data) if isinstance(data, dict) else data, **arguments)

    return draw


def parts_of(name: str, sheets: Sequence[str] = ()) -> tuple[str, str, str]:
    """Of the component of this script: its name, its HTML and its style. sheets: what comes before its own sheet."""
    html = _text(f"{name}.html") or f'<div class="{name.rpartition("/")[2]}"></div>'
    return name, html, "".join(map(_text, [*sheets, f"{name}.css"]))


def in_words(html: str) -> str:
    """HTML with the words that stand in braces, in the language of the visitor."""
    return IN_HTML.sub(lambda text: escape(translated(AFTER_CONTEXT.join(filter(None, text.groups())))), html)


def _text(name: str) -> str:
    """The text of a file, if there is one. Streamlit itself would take a line with brackets for a file's name."""
    path = place(name)
    return path.read_text("utf-8") if path.exists() else ""


def facts(data: bytes) -> dict:
    """What was packed, with the places of its arrays instead of these."""
    return orjson.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def pack(payload: dict) -> bytes:
    """The length of the JSON (uint32, little-endian), the JSON, padding to 4 bytes, then the arrays.

    A float32 array stands in the JSON as `{"at": offset in bytes, "shape": [...]}`; base64 would take a
    third more.
    """
    arrays: list[bytes] = []
    offset = 0

    def place(value: Any) -> object:
        nonlocal offset
        if not isinstance(value, np.ndarray) or value.dtype != np.float32:
            return value.tolist()
        arrays.append(value.tobytes())
        offset += value.nbytes
        return {"at": offset - value.nbytes, "shape": value.shape}

    text = orjson.dumps(payload, default=place)
    padding = b" " * (-len(text) % 4)
    return b"".join([(len(text) + len(padding)).to_bytes(4, "little"), text, padding, *arrays])
