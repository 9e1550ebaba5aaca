"""The tokens of sentences in boxes, which are as large as the room allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.figures.theme import token_colours
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack

_BOXES = component(
    "parts/boxes",
    html='<div class="boxes" role="group" aria-label="{label}"></div>',
    label=N_("Tokens"),
    css="""
.boxes { display: grid; grid-template-columns: auto 1fr; align-content: safe center; align-items: baseline;
  gap: calc(0.7 * var(--size)) calc(0.5 * var(--size)); overflow: auto; box-sizing: border-box; padding: 0.3rem;
  font-family: var(--st-font); color: var(--st-text-color); font-size: var(--size); }
.boxes:focus-visible { outline: 3px solid var(--st-primary-color); }
.line { display: contents; }
.name { font-weight: 650; font-size: max(0.7em, 0.8rem); }
ol { display: flex; flex-wrap: wrap; gap: 0.3em; margin: 0; padding: 0; list-style: none; min-width: 0; }
.single ol { flex-wrap: nowrap; }
.single li { flex: 0 0 auto; }
li { display: flex; flex-direction: column; align-items: center; max-width: 100%; padding: 0.1em 0.35em;
  border: max(1.5px, 0.06em) solid var(--colour); border-radius: 0.3em; line-height: 1.25; box-sizing: border-box; }
.text { color: var(--colour); font-weight: 650; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.id { font-size: max(0.62em, var(--ev-least, 0.75rem)); font-variant-numeric: tabular-nums; }
""",
)


@dataclass(frozen=True)
class Row:
    """A row of boxes: what it is called, the same in short, and its tokens; None: they are asked for."""

    label: str
    short: str
    tokens: Tokens | None = None


def boxes(rows: Sequence[Row], *, with_ids: bool, key: str, height: str) -> None:
    """Show each row's tokens in order, in one colour for each ID. The ID stands under its token if it is asked for."""
    colours = token_colours(id_ for row in rows if row.tokens for id_ in row.tokens.ids)
    numbers = {id_: int(colour[len("var(--token-") : -1]) for id_, colour in colours.items()}
    lines = [
        {
            "label": row.label,
            "short": row.short,
            "boxes": [
                {"text": visible(text), "id": id_ if with_ids else None, "colour": numbers[id_]}
                for text, id_ in zip(row.tokens.texts, row.tokens.ids, strict=True)
            ]
            if row.tokens
            else [{"text": "?", "id": "?" if with_ids else None, "colour": None}],
        }
        for row in rows
    ]
    _BOXES(data=pack({"rows": lines, "height": height}), key=key)
