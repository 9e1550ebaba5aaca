"""The windows of one batch, drawn over the text that they are cut from."""

import numpy as np

from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack
from embedviz.vectors.batches import Batch, Loader

MAX_SHOWN = 1200  # tokens of the text; windows that begin beyond are in the tables alone

_WINDOWS = component(
    "parts/windows",
    html='<div class="windows"></div>',
    css="""
.windows { display: grid; gap: var(--ev-gap, 0.8rem); font-family: var(--st-font); color: var(--st-text-color); }
.flow { max-height: var(--ev-flow, 8.8rem); overflow-y: auto; line-height: 1.85; padding: 0.2rem; }
.token { display: inline-block; white-space: pre; padding: 0 0.06rem; border-radius: 0.2rem; line-height: 1.5;
  border-bottom: 3px solid transparent; unicode-bidi: isolate; max-width: 100%; overflow: hidden; }
.in0 { background: color-mix(in srgb, var(--st-blue-color) 18%, transparent); }
.in1 { background: color-mix(in srgb, var(--st-orange-color) 22%, transparent); }
.shared { background: color-mix(in srgb, var(--st-violet-color) 34%, transparent);
  box-shadow: inset 0 2px 0 var(--st-violet-color); }
.outside { opacity: 0.75; }
.token.lit { background: var(--st-primary-color); color: var(--st-background-color); opacity: 1; }
.token.aim { border-bottom-color: var(--st-text-color); opacity: 1; }
.number { font-size: max(0.75rem, var(--ev-least, 0rem)); font-weight: 700; margin-right: 0.1rem; line-height: 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0.6rem 1.5rem; }
table { border-collapse: separate; border-spacing: 2px; table-layout: fixed; width: 100%; display: block;
  overflow-x: auto; max-height: var(--ev-windows, 22rem); }
tbody { display: table; width: 100%; table-layout: fixed; min-width: calc(var(--columns) * 2.85rem); }
caption { text-align: left; font-size: 0.95rem; font-weight: 600; padding-bottom: 0.15rem; display: block; }
th { width: 1.6rem; font-weight: 600; font-size: 0.8rem; }
td :is(.text, .id) { margin: 0 0.15em; }
td { cursor: pointer; background: var(--st-secondary-background-color); border-radius: 0.25rem;
  padding: 0.05rem 0.35rem; text-align: center; line-height: var(--ev-cell, 1.1); min-width: 2.6rem; }
td.lit, th.lit { background: var(--st-primary-color); color: var(--st-background-color); }
.token span { unicode-bidi: isolate; }
.text { display: var(--ev-inline, block); font-size: 0.82rem; white-space: pre; overflow: hidden;
  text-overflow: ellipsis; unicode-bidi: isolate; }
.id { display: var(--ev-inline, block); font-size: 0.9rem; font-weight: 650; font-variant-numeric: tabular-nums; }
th:focus-visible, td:focus-visible { outline: 3px solid var(--st-primary-color); }
""",
)


def windows(loader: Loader, batch: Batch, *, key: str) -> tuple[int, int] | None:
    """Show the text around the batch's windows, and its inputs and targets.

    Inputs of neighbouring windows have two colours, tokens in several windows a third; pointing at a window
    lights its inputs up and underlines its targets. Returns the cell (window, position) clicked last.
    """
    starts = batch.windows * loader.stride
    first = int(starts.min())
    near = loader.tokens.ids[first : first + MAX_SHOWN]
    state = _WINDOWS(
        data=pack(
            {
                "first": first,
                "max_length": loader.max_length,
                "starts": starts.tolist(),
                "tokens": [{"text": visible(text)} for text in loader.tokens.texts(near)],
                "inputs": batch.inputs.tolist(),
                "targets": batch.targets.tolist(),
                "names": _names(loader, batch.inputs),
                "target_names": _names(loader, batch.targets),
            }
        ),
        key=key,
        on_cell_change=lambda: None,
    )
    return _cell(state.cell, batch)


def _cell(clicked: object, batch: Batch) -> tuple[int, int] | None:
    """Return the cell that the browser names, if this batch has such a cell."""
    if not isinstance(clicked, list) or len(clicked) != 2 or not all(type(n) is int for n in clicked):
        return None
    inside = all(0 <= n < size for n, size in zip(clicked, batch.inputs.shape, strict=True))
    return (clicked[0], clicked[1]) if inside else None


def _names(loader: Loader, ids: np.ndarray) -> list[list[str]]:
    return [[visible(text) for text in loader.tokens.texts(row)] for row in ids]
