"""Cards: short findings in words, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from embedviz.ui.components.component import component
from embedviz.ui.components.payload import pack


@dataclass(frozen=True)
class Card:
    """A finding and what it rests on; both are shown as they are, never as markup.

    stage: when it holds, if the page shows how positions are added: before, or as soon as any of them is.
    """

    title: str
    text: str
    tone: Literal["same", "different", "plain", "note"] = "plain"
    stage: Literal["", "before", "after"] = ""


_CARDS = component(
    "parts/cards",
    html='<div class="cards"></div>',
    css="""
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, var(--ev-card, 19rem)), 1fr));
  gap: 0.7rem; font-family: var(--st-font); color: var(--st-text-color); }
section { padding: 0.45rem 0.8rem 0.55rem; border-radius: 0.6rem; background: var(--st-secondary-background-color);
  border-left: 5px solid var(--st-border-color); }
section.same { background: var(--st-green-background-color); border-color: var(--st-green-color); }
section.different { background: var(--st-orange-background-color); border-color: var(--st-orange-color); }
section:first-child:has(+ .note) { grid-column: 1 / -1; }
section.note { grid-column: 1 / -1; background: var(--st-blue-background-color); border-color: var(--st-blue-color); }
section[data-stage] { background: var(--st-secondary-background-color); }
section.same[aria-current] { background: var(--st-green-background-color); }
section.different[aria-current] { background: var(--st-orange-background-color); }
section[aria-current] { outline: 2px solid var(--st-text-color); outline-offset: -2px; }
@media (max-width: 560px) {
  .cards { grid: auto / auto-flow 88%; overflow-x: auto; scroll-snap-type: x proximity; }
  section { scroll-snap-align: start; }
  section.note { grid-column: auto; }
}
h2 { margin: 0; font-size: var(--ev-title, 1.2rem); font-weight: 650; line-height: 1.3; }
p { margin: 0; font-size: var(--ev-card-text, 0.92rem); line-height: 1.35; overflow-wrap: anywhere;
  unicode-bidi: plaintext; }
""",
)


def cards(findings: Sequence[Card], *, key: str) -> None:
    """Show findings side by side."""
    _CARDS(data=pack({"cards": list(findings)}), key=f"cards_{key}")
