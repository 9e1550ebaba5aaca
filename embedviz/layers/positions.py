"""The positions that a model is given: as it was trained, or changed in one of three ways."""

from collections.abc import Sequence

from embedviz.base.checks import check_choice, check_whole

CHANGES = ("trained", "off", "shifted", "swapped")


def changed(change: str, n_tokens: int, shift: int = 0, swap: tuple[int, int] = (0, 0)) -> tuple[int, ...]:
    """The positions of T tokens, from 0 on, after one of CHANGES.

    "off" gives all tokens one position, so that a model cannot tell by it which token comes first: those with RoPE turn
    all vectors alike, and those with a table add one vector to all. shift: by how many places all of them are moved.
    swap: the two tokens whose positions are exchanged. Raises EmbedvizError for another change or token.
    """
    check_choice("change", change, CHANGES)
    found = [0] * n_tokens if change == "off" else list(range(n_tokens))
    if change == "shifted":
        found = [position + shift for position in found]
    if change == "swapped":
        for each in swap:
            check_whole("swap", each, 0, n_tokens - 1)
        i, j = swap
        found[i], found[j] = found[j], found[i]
    return tuple(found)


def exchanged(ids_a: Sequence[int], ids_b: Sequence[int]) -> tuple[int, int]:
    """The two tokens of A to exchange: the first and the last that differ from B's at their place, or A's two ends.

    If A and B differ in these two alone, as "the dog bites the man" and "the man bites the dog", A becomes B.
    """
    differing = [n for n, (one, other) in enumerate(zip(ids_a, ids_b, strict=False)) if one != other]
    return (differing[0], differing[-1]) if len(differing) > 1 else (0, len(ids_a) - 1)
