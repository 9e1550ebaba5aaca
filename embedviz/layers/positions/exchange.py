"""Which two tokens of a sentence exchange their positions."""

from collections.abc import Sequence


def exchanged(ids_a: Sequence[int], ids_b: Sequence[int]) -> tuple[int, int]:
    """The two tokens of A to exchange: the first and the last that differ from B's at their place, or A's two ends.

    If A and B differ in these two alone, as "the dog bites the man" and "the man bites the dog", A becomes B.
    """
    differing = [n for n, (one, other) in enumerate(zip(ids_a, ids_b, strict=False)) if one != other]
    return (differing[0], differing[-1]) if len(differing) > 1 else (0, len(ids_a) - 1)
