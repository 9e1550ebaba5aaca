"""Cards: short findings in words, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from embedviz.ui.components.cards.links import Link
from embedviz.ui.components.component import component


@dataclass(frozen=True)
class Card:
    """A finding and what it rests on, as plain text. stage: when it holds, on a page that adds positions."""

    title: str
    text: str
    tone: Literal["same", "different", "right", "wrong", "plain", "note"] = "plain"
    stage: Literal["", "before", "after"] = ""


_CARDS = component(__name__, ideas="section")


def cards(findings: Sequence[Card], *, key: str, links: Sequence[Link] = ()) -> None:
    """Show findings side by side. links: at the end of the last one."""
    _CARDS({"cards": list(findings)} | ({"links": list(links)} if links else {}), key=f"cards_{key}")
