"""Cards: short findings in words, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from embedviz.ui.components.shared.component import component


@dataclass(frozen=True)
class Card:
    """A finding and what it rests on; both are shown as they are, never as markup.

    stage: when it holds, if the page shows how positions are added: before, or as soon as any of them is.
    """

    title: str
    text: str
    tone: Literal["same", "different", "plain", "note"] = "plain"
    stage: Literal["", "before", "after"] = ""


_CARDS = component(__name__, ideas="section")


def cards(findings: Sequence[Card], *, key: str) -> None:
    """Show findings side by side."""
    _CARDS({"cards": list(findings)}, key=f"cards_{key}")
