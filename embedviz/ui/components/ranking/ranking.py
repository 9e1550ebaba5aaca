"""Lists of tokens side by side, such as the neighbours of one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from embedviz.ui.components.component import component

_RANKING = component(__name__, ideas="section")


@dataclass(frozen=True)
class Ranked:
    """A token in a list. own: True if the list is about this token."""

    id: int
    name: str
    value: str
    own: bool = False


@dataclass(frozen=True)
class Ranking:
    """A list of tokens under a title."""

    title: str
    rows: Sequence[Ranked]
    note: str = ""


def rankings(lists: Sequence[Ranking], *, key: str, height: str, on_pick: Callable[[], None]) -> None:
    """Show lists side by side; a click on a token is the trigger `picked`, its ID."""
    _RANKING({"lists": list(lists), "height": height}, key=key, on_picked_change=on_pick)
