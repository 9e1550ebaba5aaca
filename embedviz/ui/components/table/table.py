"""A small table of text, with links in a row where a row leads to views."""

from collections.abc import Sequence

from embedviz.base.i18n import label_value, translated
from embedviz.base.pages import page_at
from embedviz.ui.components.cards.links import Link, link
from embedviz.ui.components.component import component

_TABLE = component(__name__, rows="tbody tr")


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    key: str,
    label: str,
    numbers: Sequence[int] = (),
    links: Sequence[Sequence[str]] | None = None,
    page: str = "",
    folds: bool = False,
    tones: Sequence[Sequence[str]] = (),
) -> None:
    """Show rows of text under named columns; the first cell names its row.

    numbers: columns of numbers. links: the views to which each row leads, such as "relative/distance", one column more,
    which `columns` names too. page: that of the table, which the links to its own views need not name. A phone
    shows the cells of a row one below the other. folds: True if there are so many rows that it shows the first three of
    each in one line, and the others when the row is opened. tones: of each row's cells, "same" or "different" or none.
    """
    payload = {
        "label": label, "columns": list(columns), "rows": [list(row) for row in rows], "numbers": list(numbers),
        "folds": folds, "tones": [list(row) for row in tones],
        "links": None if links is None else [[_link(path, page) for path in row] for row in links],
    }  # fmt: skip
    _TABLE(payload, key=key)


def _link(path: str, page: str) -> Link:
    """A link to the view at this path, by its title, and on another page by that of the page too."""
    name, _slash, view = path.partition("/")
    goal = page_at(name)
    title = translated(goal.views[view])
    return link(title if name == page else label_value(translated(goal.title), title), path)
