"""A small table of text, with links in a row where a row leads to views."""

from collections.abc import Sequence

from embedviz.base.pages import Place, page_at
from embedviz.ui.components.shared.component import component
from embedviz.ui.components.shared.payload import pack

_TABLE = component(__name__, rows="tbody tr")


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    key: str,
    label: str,
    numbers: Sequence[int] = (),
    places: Sequence[Sequence[Place]] | None = None,
    here: str = "",
    prose: bool = False,
) -> None:
    """Show rows of text under named columns; the first cell names its row.

    numbers: columns of numbers. places: the views to which each row leads, one column more, which
    `columns` names too. here: the page of the table, which the links to its own views need not name. prose: True if
    its cells hold sentences, which a phone shows one below the other.
    """
    payload = {
        "label": label, "columns": list(columns), "rows": [list(row) for row in rows], "numbers": list(numbers),
        "prose": prose,
        "links": None if places is None else [[_link(place, here) for place in row] for row in places],
    }  # fmt: skip
    _TABLE(data=pack(payload), key=key)


def _link(place: Place, here: str) -> dict[str, str]:
    text = place.view_title if place.page == here else f"{place.page_title}: {place.view_title}"
    return {"text": text, "address": page_at(place.page).address, "query": place.query}
