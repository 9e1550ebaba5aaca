"""The page Compare in a notebook's cell: whole in the cell, so that it needs no server, no network and no extension."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from html import escape
from typing import Any

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import language
from embedviz.base.pages import page_at
from embedviz.ui.components.standalone import document
from embedviz.vectors.embedding import with_vocabulary
from embedviz.vectors.spec import Spec


@dataclass(frozen=True)
class NotebookView:
    """A page, which a notebook draws as the last line of a cell.

    html: the page as one file. height: in pixels. said: what the page says in words, for where no page is drawn.
    """

    html: str
    height: int
    said: str = ""

    def __repr__(self) -> str:
        return f"{self.said} (The last line of a notebook's cell draws the page.)".strip()

    def _repr_html_(self) -> str:
        whole = escape(self.html)
        style = f"width:100%;height:{self.height}px;border:0"
        return f'<iframe title="embedviz" srcdoc="{whole}" style="{style}" allowfullscreen></iframe>'


def show(a: str, b: str, spec: Spec | None = None, view: str = "pairs", height: int = 720) -> NotebookView:
    """Show two sentences on the page Compare, interactive, as the last line of a notebook's cell.

    spec: its own vocabulary, if it has one, must be that of both sentences. view: the name of a view, such as
    map; map and orders take 2 MB in the notebook's file, since they hold the library that draws them. whole takes no
    spec: it chooses a model that knows the words. height: in pixels.

    Raises EmbedvizError for settings that the page cannot show, or whatever else the page itself says.
    """
    from embedviz.command.saved import contents, names_in  # noqa: PLC0415 takes seconds to load

    if view not in (views := page_at("compare").views):
        raise EmbedvizError("view must be one of {views}, not {view}.", views=", ".join(views), view=repr(view))
    if view == "whole" and spec:  # it would draw another model than the one that is asked for
        raise EmbedvizError("The whole way chooses a model that knows the words. Leave spec out.")
    query = {"a": a, "b": b, "view": view, **spec_query(a, b, spec or Spec())}
    shown = contents("compare", {**query, "lang": language()})
    return NotebookView(document(shown, names_in(shown), language()), height, _summary(shown))


def _summary(contents: Mapping[str, Any]) -> str:
    """The headline, and the first two findings."""
    found = " ".join(map(" ".join, contents["said"][:2]))
    return found if found.startswith(contents["title"]) else f"{contents['title']}. {found}"


def spec_query(a: str, b: str, spec: Spec) -> dict[str, str]:
    """What differs from what the source has anyway, as the page's address says it."""
    if spec.vocabulary and spec != with_vocabulary(replace(spec, vocabulary=()), a, b):
        raise EmbedvizError("The page makes the vocabulary of both sentences. Leave vocabulary out of the Spec.")
    if not spec.origin.is_shared:
        raise EmbedvizError("No address holds vectors of one's own. Open the page, and choose their file there.")
    usual = Spec(source=spec.source)
    names = [each.name for each in fields(Spec) if each.name not in ("vocabulary", "source")]
    values = {name: getattr(spec, name) for name in names if getattr(spec, name) != getattr(usual, name)}
    said = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in values.items()}
    return {"source": spec.origin.name, **said}
