"""A small table of text, with a button in a row where a row leads somewhere."""

from collections.abc import Callable, Sequence

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
[data-rows] button { justify-self: start; }
.wide { min-width: 13rem; }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
button { font: inherit; color: var(--st-text-color); background: var(--st-secondary-background-color);
  border: 1px solid var(--st-border-color); border-radius: 0.45rem; padding: 0.1rem 0.6rem; cursor: pointer;
  white-space: nowrap; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
""",
)


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    key: str,
    label: str,
    numbers: Sequence[int] = (),
    wide: Sequence[int] = (),
    actions: Sequence[str] | None = None,
    on_choose: Callable[[], None] = lambda: None,
) -> None:
    """Show rows of text under named columns; the first cell names its row.

    numbers: columns of numbers. wide: columns of longer texts, which a narrow window does not squeeze. actions: what
    the button of each row says, one column more; after a click `on_choose` is called, and
    `st.session_state[key].chosen` is the row.
    """
    payload = {
        "label": label, "columns": list(columns), "rows": [list(row) for row in rows], "numbers": list(numbers),
        "wide": list(wide), "actions": None if actions is None else list(actions),
    }  # fmt: skip
    _TABLE(data=pack(payload), key=key, on_chosen_change=on_choose)
