"""A page of the app as one file, made without a server and without a browser."""

import re
import sys
from base64 import b64encode
from collections.abc import Iterator, Mapping
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node

from embedviz.base.errors import EmbedvizError
from embedviz.base.pages import page_at
from embedviz.base.settings import ROOT
from embedviz.figures.figure import Figure
from embedviz.server.languages import language_for
from embedviz.server.streamlit_inside.alone import visitor_of
from embedviz.ui.components.component import KNOWN, facts, in_words, pack, parts_of
from embedviz.ui.components.standalone import PLOT, document

_CARDS = "embedviz/ui/components/cards/cards"
_ORDER = "embedviz/ui/components/order/order"
_WAY = "embedviz/ui/components/way/way"
_SHARE = "embedviz/ui/components/share/share"
_MARKDOWN = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*|`|\[([^\]]*)\]\([^)]*\)")


def saved(
    page: str,
    query: Mapping[str, str],
    *,
    language: str = "",
    shared: Mapping[str, str] = {},
    typed: Mapping[str, Any] | None = None,
) -> str:
    """The file of the page with this name at an address with these parameters.

    language: the tag of the visitor's. shared: as in `document`; then a file index.html is beside this one. typed: what
    the whole way says of sentences that are typed in the file, as `own_way` gives it. Raises EmbedvizError, with what
    the page says, if the page shows nothing but that.
    """
    tag = language_for(f"lang={language}", "")
    shown = contents(page, {**query, "lang": tag}) | {"home": "index.html" if shared else "", "typed": typed}
    return document(shown, names_in(shown), tag, shared=shared)


def of_figure(figure: Figure, *, title: str, look: str, alt: str) -> str:
    """The file of a page with one figure. title, look: what stands above it. alt: what it shows, in words."""
    name, html, css = parts_of(PLOT)
    data = {"alt": alt, "height": "min(80vh, 60rem)", "plotly": "", "data": figure.data, "layout": figure.layout}
    packed = b64encode(pack({**data, "picks": False})).decode()
    page = {
        "title": title, "subtitle": look, "said": [("", alt)],
        "claims": [], "code": [], "amount": 100, "tree": 0, "home": "",
        "instances": [{"name": name, "html": f"<div>{in_words(html)}</div>", "css": css, "data": packed}],
    }  # fmt: skip
    return document(page, [name], "en")


def write(path: Path, text: str) -> None:
    """Write a file. Raises EmbedvizError if that cannot be."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise EmbedvizError("{path} cannot be written: {why}.", path=path, why=error.strerror) from error


def names_in(contents: Mapping[str, Any]) -> list[str]:
    """The scripts of the components in these contents, each once."""
    return list(dict.fromkeys(each["name"] for each in contents["instances"]))


def contents(page: str, query: Mapping[str, str]) -> dict[str, Any]:
    """What opened.js reads, and in `said` what the page says in words. Raises EmbedvizError as `saved` does."""
    at = run(page_at(page).address, query)
    components = [element for element in _elements(at.main) if _name(element)]
    if set(map(_name, components)) <= {_CARDS}:
        raise EmbedvizError("{said}", said=_plain(" ".join(each.value for each in (*at.warning, *at.info))))
    return {
        "title": _plain(at.title[0].value) if at.title else "",
        "claims": [_plain(each.value) for each in at.title] if len(at.title) > 1 else [],
        "subtitle": _plain(at.caption[0].value) if at.caption else "",
        "code": [each.value for each in (*at.code, *at.text)],
        "amount": page_at(page).opens_at,
        "tree": _arranged(at.main, components),
        "said": [said for element in components for said in _findings_in(element)],
        "instances": [_instance(element) for element in components],
    }


def run(address: str, query: Mapping[str, str]) -> AppTest:
    """The page at this address as it is after its run. Raises EmbedvizError if it failed, or has only a message."""
    of_the_project("pages")
    at = visitor_of(address, query).run()
    if at.exception:
        raise EmbedvizError("The page could not be drawn: {why}", why=at.exception[0].message)
    if at.error:
        raise EmbedvizError("{said}", said=_plain(at.error[0].value))
    return at


def of_the_project(name: str) -> ModuleType:
    """The module `app` or the package `pages`, which an installed embedviz has inside it, where no path leads.

    Raises EmbedvizError if another program's module of this name is loaded.
    """
    file = ROOT / name / "__init__.py" if (ROOT / name).is_dir() else ROOT / f"{name}.py"
    if found := sys.modules.get(name):
        if getattr(found, "__file__", None) != str(file):
            raise EmbedvizError("Another module is loaded under the name {name}; embedviz needs it.", name=name)
        return found
    loader = SourceFileLoader(name, str(file))
    sys.modules[name] = module = module_from_spec(cast("ModuleSpec", spec_from_loader(name, loader)))
    loader.exec_module(module)
    return module


def _elements(node: Node) -> Iterator[Node]:
    """What stands on the page, in its order, without what only a press opens."""
    if not isinstance(node, Block):
        yield node
    elif node.type != "popover":
        for child in node.children.values():
            yield from _elements(child)


def _name(element: Node) -> str:
    """The script of a component of ours, but not of the corner of the page; "" for other elements."""
    found = KNOWN[element.proto.component_name][0] if element.type == "bidi_component" else ""
    return "" if found == _SHARE else found


def _instance(element: Node) -> dict[str, str | None]:
    name, html, css = KNOWN[element.proto.component_name]
    data, around = element.proto.bytes, f"<div>{html}</div>"  # as Streamlit puts it into the page
    return {"name": name, "html": around, "css": css, "data": b64encode(data).decode() if data else None}


def _findings_in(element: Node) -> list[tuple[str, str]]:
    """The findings of a component that says any in words: title and text."""
    if _name(element) == _WAY:  # without positions, and with all of them
        states = facts(element.proto.bytes)["states"]
        return [(each["headline"], each["look"]) for each in (states[0], states[-1])]
    if _name(element) not in (_CARDS, _ORDER):
        return []
    told = facts(element.proto.bytes)
    return [(each["title"], each["text"]) for each in (*told.get("counts", ()), *told.get("cards", ()))]


def _arranged(node: Node, components: list[Node]) -> int | dict[str, object] | None:
    """Rows and columns of what stands there: the number of a component, or its parts; None if there is none."""
    if not isinstance(node, Block):
        return next((n for n, each in enumerate(components) if each is node), None)
    if node.type == "popover":
        return None
    children = [(_arranged(child, components), getattr(child, "weight", 1)) for child in node.children.values()]
    found = [(part, size) for part, size in children if part is not None]
    if len(found) < 2:
        return found[0][0] if found else None
    is_row = any(child.type == "column" for child in node.children.values())
    parts, sizes = map(list, zip(*found, strict=True))
    return {"down": not is_row, "parts": parts, "sizes": [round(100 * size) for size in sizes]}


def _plain(markdown: str) -> str:
    return _MARKDOWN.sub(lambda found: found[1] or found[2] or "", markdown)
