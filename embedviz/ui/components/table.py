"""A small table of text, with links in a row where a row leads to views."""

from collections.abc import Sequence

from embedviz.base.pages import Place, page_at
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_TABLE = component(
    "parts/table",
    html='<div class="table"></div>',
    css="""
.table { overflow-x: auto; font-family: var(--st-font); color: var(--st-text-color); }
.table:focus-visible { outline: 3px solid var(--st-primary-color); }
table { border-collapse: collapse; width: 100%; font-size: var(--ev-table, 0.92rem); line-height: 1.3; }
th, td { text-align: left; vertical-align: middle;
  padding: var(--ev-row, 0.24rem) var(--ev-pad, 0.8rem) var(--ev-row, 0.24rem) 0;
  font-weight: 400; border-bottom: 1px solid var(--st-border-color); min-width: 3rem; }
thead th { font-weight: 600; }
tbody th { font-weight: 650; white-space: var(--ev-wrap, nowrap); }
/* A row alone is a list: what each cell is, and what it says. */
[data-rows] thead { display: none; }
[data-rows] :is(tbody, tr, th) { display: block; }
[data-rows] th { font-size: 1.1rem; border: 0; padding: 0; }
[data-rows] td { display: grid; grid-template-columns: 11rem 1fr; gap: 0.8rem; padding: 0.05rem 0; font-size: 0.85rem;
  white-space: normal; }
[data-rows] td::before { content: attr(data-name); font-weight: 600; }
[data-rows] a { justify-self: start; }
.table td:has(> a) { width: 1%; }
/* Sentences need more room than a phone has for columns: each row is a list there too. */
@media (max-width: 640px) {
  [data-prose] thead { display: none; }
  [data-prose] :is(tbody, tr, th, td) { display: block; white-space: normal; }
  [data-prose] tr { padding: 0.5rem 0; border-bottom: 1px solid var(--st-border-color); }
  [data-prose] :is(th, td) { border: 0; padding: 0.1rem 0; }
  [data-prose] th { font-size: 1.05rem; }
  [data-prose] td::before { content: attr(data-name) ": "; font-weight: 600; }
  .table [data-prose] td:has(> a) { width: auto; }
}
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
a { color: var(--st-text-color); background: var(--st-secondary-background-color); text-decoration: none;
  border: 1px solid var(--st-border-color); border-radius: 0.45rem; padding: 0.1rem 0.6rem; display: inline-block;
  white-space: nowrap; margin: 0.1rem 0.3rem 0.1rem 0; }
a:hover { border-color: var(--st-primary-color); }
a:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
""",
)


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
