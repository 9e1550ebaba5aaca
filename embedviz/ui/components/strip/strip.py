"""A narrow line above a view that says what to do there: a text, hints that come one by one, and links."""

from collections.abc import Mapping, Sequence
from typing import Literal

from embedviz.ui.components.shared.component import component
from embedviz.ui.components.shared.links import Link

_STRIP = component(__name__)


def strip(
    text: str,
    *,
    key: str,
    hints: Sequence[str] = (),
    links: Sequence[Link] = (),
    tone: Literal["task", "done", "plain"] = "task",
    kept: Mapping[str, str] | None = None,
) -> None:
    """Show it. links: as `shared/links.py` makes them. kept: what its script writes into the address."""
    shown = {"text": text, "hints": list(hints), "links": list(links), "tone": tone, "kept": kept or {}}
    _STRIP(shown, key=f"strip_{key}")
