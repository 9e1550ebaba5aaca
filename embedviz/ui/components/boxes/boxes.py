"""The tokens of sentences in boxes, which are as large as the room allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedviz.base.i18n import N_
from embedviz.figures.theme import token_colours
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.shared.component import component
from embedviz.ui.components.shared.payload import pack

_BOXES = component(
    __name__,
    label=N_("Tokens"),
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
