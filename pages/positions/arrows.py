"""A token's vector and its position's as two arrows on a plane, which a visitor moves in the browser."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from embedviz.base.i18n import _, listed
from embedviz.base.numbers import in_print
from embedviz.ui.components.component import component
from embedviz.vectors.with_position import WithPosition

_ARROWS = component(__name__)
_HELD = 4.5  # how far a plane reaches on which arrows are moved


def arrows(
    drawn: WithPosition,
    names: dict[str, str],
    axes: Sequence[str],
    *,
    key: str,
    caption: str = "",
    distances: Sequence[str] | None = None,
    colours: Sequence[int] = (0, 1),
    keep: Callable[[], None] = lambda: None,
) -> None:
    """Show arrows of two numbers. caption: beside those that cannot be moved. distances: of the
    input from the token and from the other one, where these are not those of the two numbers. colours: the numbers of
    the colours of both. keep: takes `held` from the state."""
    reach = 1.1 * _largest(drawn) or _HELD if caption else max(_HELD, _largest(drawn))
    payload = {
        "token": drawn.token.tolist(),
        "position": drawn.position.tolist(),
        "other": None if drawn.other is None else drawn.other.tolist(),
        "limit": reach,
        "step": 10.0 ** math.floor(math.log10(reach / 1.5)),
        "names": names,
        "axes": list(axes),
        "colours": list(colours),
        "distances": None if distances is None else list(distances),
        "said": caption,
        "alt": caption or _alternative(drawn),
    }
    _ARROWS(payload, key=key, on_held_change=keep)


def _largest(moved: WithPosition) -> float:
    parts = (moved.token, moved.position, moved.total, moved.other)
    return max(float(np.abs(each).max()) for each in parts if each is not None)


def _alternative(moved: WithPosition) -> str:
    return _(
        "Arrows tip to tail: the token ({token}) plus the position ({position}) is the input ({input}).",
        token=_pair(moved.token),
        position=_pair(moved.position),
        input=_pair(moved.total),
    )


def _pair(numbers: np.ndarray) -> str:
    return listed(in_print(round(number, 2)) for number in numbers.tolist())
