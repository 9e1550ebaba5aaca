"""Moving the tokens of B: the visitor's move becomes a new text, and the page says what the move has changed."""

import random
from collections import Counter
from collections.abc import Callable

import streamlit as st

from embedviz.base.i18n import _, first_and_more, in_parentheses, paragraph
from embedviz.text.reordering import Reordered, reordered
from embedviz.text.tokens import Tokens
from embedviz.text.variants import reasons, variants
from embedviz.text.visible import quoted
from embedviz.ui.inputs.sentences import MAX_CHARACTERS
from embedviz.vectors.spec import Spec

_MOST_KEPT = 50  # earlier pairs of texts
_EARLIER, _SAID, _MOVES = "earlier_texts", "said_of_order", "order_moves"


def can_undo() -> bool:
    """True if the visitor has moved anything."""
    return bool(st.session_state.get(_EARLIER))


def n_moves() -> int:
    """Return how many moves there were, including those that changed nothing."""
    return st.session_state.get(_MOVES, 0)


def message() -> str:
    """Return the words about the last move, as long as B is the text that this move made."""
    text, words = st.session_state.get(_SAID, ("", ""))
    return words if st.session_state.get("b") == text else ""


def moved(key: str, b: Tokens, spec: Spec) -> None:
    """Give B the order into which the visitor has moved its tokens. For callbacks; key is that of the component."""
    ids = st.session_state[key].moved
    st.session_state[_MOVES] = n_moves() + 1
    if isinstance(ids, list) and all(type(id_) is int for id_ in ids) and sorted(ids) == sorted(b.ids):
        _reorder(b, ids, spec)


def pressed(key: str, texts: tuple[str, str], b: Tokens, spec: Spec) -> None:
    """Do what the button under the sentences says. Meant for callbacks."""
    does: dict[object, Callable[[], None]] = {
        "shuffle": lambda: _reorder(b, shuffled(b.ids), spec),
        "swap": lambda: _write(*texts[::-1]),
        "same": lambda: _write(texts[0], texts[0]),
        "undo": _undo,
    }
    does.get(st.session_state[key].pressed, lambda: None)()


def shuffled(ids: list[int]) -> list[int]:
    """Return another order of these tokens, if there is one."""
    order = list(ids)
    while order == ids and len(set(ids)) > 1:
        random.shuffle(order)
    return order


def _reorder(b: Tokens, ids: list[int], spec: Spec) -> None:
    new = reordered(b, ids, prefix_space=spec.prefix_space, lower_case=spec.lower_case)
    if new is None:
        _say(_("These tokens are parts of characters: in this order no text has them, so B stays as it was."))
    elif len(new.text) > MAX_CHARACTERS:
        _say(_("In this order B would be longer than {most:,} characters, so it stays as it was.", most=MAX_CHARACTERS))
    else:
        _write(st.session_state["a"], new.text)
        _say(changes(b, new))


def changes(before: Tokens, reordered: Reordered) -> str:
    """Say which tokens the new order could not keep, and why. Say nothing if it kept all of them."""
    if not reordered.lost and not reordered.gained:
        return ""
    sentence = _(
        "In this order the text is cut into other tokens. Gone: {lost}. New: {gained}.",
        lost=_named(reordered.lost),
        gained=_named(reordered.gained),
    )
    return paragraph([sentence, *reasons(variants(before, reordered.tokens))])


def _named(tokens: Counter[tuple[str, int]]) -> str:
    return first_and_more([in_parentheses(quoted(text), id_) for text, id_ in tokens.elements()]) or _("nothing")


def _write(a: str, b: str) -> None:
    earlier = st.session_state.setdefault(_EARLIER, [])
    earlier.append((st.session_state["a"], st.session_state["b"]))
    del earlier[:-_MOST_KEPT]
    st.session_state.update({"a": a, "b": b})


def _undo() -> None:
    if can_undo():
        st.session_state["a"], st.session_state["b"] = st.session_state[_EARLIER].pop()


def _say(words: str) -> None:
    st.session_state[_SAID] = (st.session_state["b"], words)
