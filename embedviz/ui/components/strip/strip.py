"""A narrow line above a view that says what to do there: a text, hints behind a button, and links."""

from collections.abc import Mapping, Sequence
from typing import Literal

from embedviz.ui.components.cards.links import Link
from embedviz.ui.components.component import component

_STRIP = component(__name__)


def strip(
    text: str,
    *,
    key: str,
    to: Sequence[Link] = (),
    hints: Sequence[str] = (),
    links: Sequence[Link] = (),
    tone: Literal["task", "done", "plain", "station", "answer"] = "task",
    stored: Mapping[str, str] | None = None,
) -> None:
    """Show it.

    to: the link that the text is, if it is one. hints: they come one by one; those of a station stand there, but on a
    phone they come at a press. An answer stands there everywhere. stored: what the script writes into the address.
    """
    shown = {
        "text": text,
        "to": list(to),
        "hints": list(hints),
        "links": list(links),
        "tone": tone,
        "kept": stored or {},
    }
    _STRIP(shown, key=f"strip_{key}")
