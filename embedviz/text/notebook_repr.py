"""How a result looks as the last line of a notebook's cell, and in one short line where there is only text."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from embedviz.text.visible import visible

_MOST = 256  # tokens that are shown
_FEW = 8  # tokens in a line
_CHIP = "display:inline-block;border:1px solid;border-radius:.4em;padding:0 .4em;margin:.1em"


@dataclass(frozen=True)
class Chips:
    """Tokens with their IDs."""

    texts: Sequence[str]
    ids: Sequence[int]

    def html(self) -> str:
        """Each token in a frame. What cannot be seen is marked, and no text is read as HTML."""
        shown = list(zip(self.texts, self.ids, strict=True))[:_MOST]
        chips = [f'<span style="{_CHIP}">{escape(visible(text))} <small>{id_}</small></span>' for text, id_ in shown]
        return "".join(chips) + (f" … {len(self.ids):,} tokens" if len(self.ids) > _MOST else "")

    def __str__(self) -> str:
        named = [visible(text) for text in self.texts[:_FEW]] + ["…"] * (len(self.ids) > _FEW)
        return f"{len(self.ids)} tokens {' '.join(named)}".rstrip()


class NotebookRepr:
    """A result of the library, which says in `_about` what it holds, by name."""

    def _about(self) -> dict[str, object]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}: {_line(value)}' for name, value in self._about().items())})"

    def _repr_html_(self) -> str:
        rows = [
            f'<tr><td style="text-align:left;vertical-align:top">{escape(name)}</td>'
            f'<td style="text-align:left">{_html(value)}</td></tr>'
            for name, value in self._about().items()
        ]
        return f"<table><caption>{type(self).__name__}</caption>{''.join(rows)}</table>"


def _html(value: object) -> str:
    return value.html() if isinstance(value, Chips) else escape(_line(value))


def _line(value: object) -> str:
    """A value in a few words: of an array its shape and its kind of numbers."""
    return f"{value.shape} {value.dtype}" if isinstance(value, np.ndarray) else str(value)
