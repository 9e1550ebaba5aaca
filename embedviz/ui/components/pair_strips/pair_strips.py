"""Each token of A, its copy in B and their difference, as strips of colour that move as positions are added."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from embedviz.base.i18n import _, ngettext
from embedviz.figures.theme import limit_of, token_marks
from embedviz.text.tokens import Tokens, words_first
from embedviz.text.visible import visible
from embedviz.ui import alt_text, presenting
from embedviz.ui.components.component import component
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.copies import Copies

_STRIPS = component(__name__)
_MOST = 12  # pairs that are drawn before somebody asks for the rest


def pair_strips(copies: Copies, n_numbers: int | None, *, key: str) -> None:
    """Show each pair's token of A, copy and difference in n_numbers, or all. Distances are over all D dimensions."""
    c = copies.comparison
    shown = slice(n_numbers)
    tokens = {id_: n for n, id_ in enumerate(dict.fromkeys(c.ids[0][i] for i, _j in copies.pairs))}
    first = {id_: c.ids[0].index(id_) for id_ in tokens}
    longer = max(c.a, c.b, key=lambda each: len(each.tokens))
    token_rows = c.a.token_embeddings[list(first.values()), shown]  # (U, n)
    unrelated = copies.comparison.unrelated
    payload = {
        "label": alt_text.strips(copies),
        "head": _head(copies, n_numbers),
        "limit": limit_of(c.a.token_embeddings[:, shown], c.a.input_embeddings[:, shown]),
        "tokens": np.ascontiguousarray(token_rows),
        "positions": np.ascontiguousarray(longer.positional_embeddings[:, shown]),  # (max(T_A, T_B), n)
        "pairs": [_pair(c, i, j, tokens, first) for i, j in _drawn(copies)],
        "most": _MOST,
        "all": _("Show all {n} pairs", n=len(copies.pairs)),
        "unrelated": [unrelated.before, unrelated.after, unrelated.positions] if unrelated else None,
    }
    _draw(payload, [*c.ids[0], *c.ids[1]], key)


def _drawn(copies: Copies) -> list[tuple[int, int]]:
    """All pairs; in a hall the first that stays the same once positions are added, and the first that does not."""
    if not presenting.is_on():
        return copies.pairs
    stays = [bool(copies.comparison.after.same[pair]) for pair in copies.pairs]
    return [copies.pairs[stays.index(kind)] for kind in (True, False) if kind in stays]


def vector_strips(
    tokens: tuple[Tokens, Tokens],
    vectors: tuple[np.ndarray, np.ndarray],
    pairs: Sequence[tuple[int, int]],
    distances: Sequence[float],
    *,
    head: str,
    label: str,
    least: float,
    unrelated: float | None,
    key: str,
) -> None:
    """Show A's vector, B's and their difference of each pair, as they are: no slider moves them.

    vectors: of the tokens of A and of B, float32 (T, n) each, their numbers that are drawn. distances: of each pair,
    over all dimensions. head, label: what the strips show. least: what is not farther apart is called identical.
    unrelated: the typical distance of tokens with different IDs.
    """
    texts = tokens[0].texts
    payload = {
        "label": label,
        "head": head,
        "limit": limit_of(*vectors),
        "tokens": np.zeros((1, vectors[0].shape[1]), np.float32),
        "positions": np.concatenate(vectors),  # (T_A + T_B, n)
        "pairs": [
            _described(tokens[0], i, j, i)
            | {"token": 0, "places": [i, len(texts) + j], "distance": float(apart), "same": bool(apart <= least)}
            for (i, j), apart in zip(pairs, distances, strict=True)
        ],
        "most": _MOST,
        "all": _("Show all {n} pairs", n=len(pairs)),
        "unrelated": None if unrelated is None else [unrelated, unrelated, 0.0],
        "still": True,
    }
    _draw(payload, words_first(*tokens), key)


def _draw(payload: dict[str, Any], colour_order: Sequence[int], key: str) -> None:
    marks = token_marks(colour_order)
    for pair in payload["pairs"]:
        pair["colour"], pair["again"] = marks[pair["id"]]
    _STRIPS(payload, key=key)


def _head(copies: Copies, n_numbers: int | None) -> str:
    """Say what the strips show, how many numbers of it, and what the numbers beside the strips are."""
    total = copies.comparison.a.spec.output_dim
    if not copies.pairs:
        return ""
    if n_numbers is None or n_numbers >= total:
        which = ngettext("The one number", "All {n:,} numbers", total)
    else:
        which = _("First {n} of {total:,} numbers", n=n_numbers, total=total)
    if presenting.is_on():
        return which
    return _(
        "{which}: A’s token, B’s copy, and A − B. Distances are over all {total:,}. “Unrelated” is the typical "
        "distance of tokens with different IDs (root mean square).",
        which=which,
        total=total,
    )


def _pair(c: Comparison, i: int, j: int, tokens: dict[int, int], first: dict[int, int]) -> dict[str, object]:
    id_ = c.ids[0][i]
    return _described(c.a.tokens, i, j, first[id_]) | {
        "token": tokens[id_],
        "places": [i, j],
        "distance": float(c.after.distances[i, j]),
        "same": bool(c.after.same[i, j]),
    }


def _described(tokens: Tokens, i: int, j: int, first: int) -> dict[str, object]:
    """Token i of A, its copy j in B, and their names. first: where A has this token first."""
    names = [f"A{i}", f"B{j}", "A − B"]
    return {"id": tokens.ids[i], "text": visible(tokens.texts[i]), "part": tokens.partial[first], "names": names}
