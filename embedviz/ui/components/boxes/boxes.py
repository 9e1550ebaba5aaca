"""The tokens of sentences in boxes, which are as large as the room allows."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedviz.figures.theme import token_colours
from embedviz.text.tokens import Tokens
from embedviz.text.visible import visible
from embedviz.ui.components.component import component

_BOXES = component(__name__)


@dataclass(frozen=True)
class Row:
    """A row of boxes: what it is called, the same in short, and its tokens."""

    label: str
    short: str
    tokens: Tokens


def boxes(rows: Sequence[Row], *, with_ids: bool, key: str, height: str) -> None:
    """Show each row's tokens, coloured by ID. with_ids: as a model has them; else as readers do, without spaces."""
    colours = token_colours(id_ for row in rows for id_ in row.tokens.ids)
    numbers = {id_: int(colour[len("var(--token-") : -1]) for id_, colour in colours.items()}
    lines = [
        {
            "label": row.label,
            "short": row.short,
            "boxes": [
                {
                    "text": visible(text if with_ids else text.strip() or text),
                    "id": id_ if with_ids else None,
                    "colour": numbers[id_],
                }
                for text, id_ in zip(row.tokens.texts, row.tokens.ids, strict=True)
            ],
        }
        for row in rows
    ]
    _BOXES({"rows": lines, "height": height}, key=key)
