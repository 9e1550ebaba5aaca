"""The whole way of two sentences in one picture: tokens, token vectors, positions, input, attention, answer."""

from collections.abc import Callable, Mapping

from embedviz.ui.components.component import component

_WAY = component(__name__)


def whole_way(
    picture: Mapping[str, object],
    *,
    key: str,
    on_swap: Callable[[], None] = lambda: None,
    on_model: Callable[[], None] = lambda: None,
) -> None:
    """Draw the picture (`picture.py`). After two tokens of B are dragged across each other, or swapped by keys,
    `on_swap` is called, and `st.session_state[key].swapped` has their places in B; `on_model` after a press on one of
    the models beside the switch, which `model` names."""
    _WAY(dict(picture), key=key, on_swapped_change=on_swap, on_model_change=on_model)
