"""Two sentences one above the other, and a line from each token to its copy."""

from collections.abc import Callable, Sequence

from embedviz.base.i18n import _
from embedviz.figures.theme import token_marks
from embedviz.text.tokens import Tokens
from embedviz.ui.components.chips.chips import described
from embedviz.ui.components.component import component

_ORDER = component(__name__, style="chip", ideas=".order")


def order(
    tokens: Sequence[Tokens],
    pairs: Sequence[tuple[int, int]],
    *,
    key: str,
    alt: str,
    same_after: Sequence[bool] = (),
    can_undo: bool = False,
    redraw: int = 0,
    on_move: Callable[[], None],
    on_press: Callable[[], None],
) -> None:
    """Show the tokens of A above those of B, with a line for each pair (i of A, j of B) of copies.

    alt: what the lines show, for those who cannot see them. same_after: which pairs stay identical. redraw:
    another number makes the page draw the tokens anew. After the visitor has moved a
    token `on_move` is called, and `st.session_state[key].moved` has the IDs of B in their new order; `on_press` after
    a button, which `pressed` names.
    """
    marks = token_marks(id_ for each in tokens for id_ in each.ids)
    payload = {
        "empty": [_("Sentence {name} is empty: type a few words.", name=name) for name in "AB"],
        "labels": [_("Tokens of {name}", name=name) for name in "AB"],
        "sentences": [described(each, marks, range(len(each))) for each in tokens],
        "pairs": [[i, j, int(same)] for (i, j), same in zip(pairs, same_after or [True] * len(pairs), strict=True)],
        "alt": alt,
        "fixed": any(each.is_cut for each in tokens),
        "undo": can_undo,
        "redraw": redraw,
    }
    _ORDER(payload, key=key, on_moved_change=on_move, on_pressed_change=on_press)
