"""Which token of B is the copy of a token of A, how many stay identical, and the yardstick of their distances."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from embedviz.vectors.comparison import Comparison


@dataclass(frozen=True)
class Unrelated:
    """How far apart tokens of different IDs are, one of A and one of B: the root mean square of their distances.

    Squares are what adds up: for a share s of the positions, before² (1 - s) + after² s - positions² s (1 - s) is
    exact. positions: the same of what is added to them.
    """

    before: float
    after: float
    positions: float


@dataclass(frozen=True)
class Copies:
    """The tokens of A and their copies in B: the first of an ID with the first of it, the second with the second."""

    comparison: Comparison

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """(i, j): a token of A and its copy in B, in the order of A."""
        ids_a, ids_b = self.comparison.ids
        places = {copy: j for j, copy in enumerate(_numbered(ids_b))}
        return [(i, places[copy]) for i, copy in enumerate(_numbered(ids_a)) if copy in places]

    @property
    def alone(self) -> tuple[list[int], list[int]]:
        """The positions of the tokens of A, and of those of B, that have no partner."""
        paired = [set(each) for each in zip(*self.pairs, strict=True)] or [set(), set()]
        return tuple(
            [n for n in range(len(ids)) if n not in taken]
            for ids, taken in zip(self.comparison.ids, paired, strict=True)
        )

    @property
    def n_tokens(self) -> int:
        """T of A."""
        return len(self.comparison.ids[0])

    @property
    def n_before(self) -> int:
        """Tokens of A whose token vector some token of B with the same ID has too, bit for bit."""
        return _n_rows(self.comparison.shared & self.comparison.before.same)

    @property
    def n_after(self) -> int:
        """The same of input vectors, once positions are added."""
        return _n_rows(self.comparison.shared & self.comparison.after.same)

    @property
    def in_place(self) -> list[int]:
        """Positions at which A and B have the same token, and the same input vector."""
        return np.flatnonzero(np.diagonal(self.comparison.shared & self.comparison.after.same)).tolist()

    @cached_property
    def unrelated(self) -> Unrelated | None:
        """The yardstick; None if every token of A has the ID of every token of B."""
        others = ~self.comparison.shared
        if not others.any():
            return None
        c = self.comparison
        matrices = (c.before.distances, c.after.distances, c.positions_apart)
        return Unrelated(*(float(np.sqrt(np.mean(matrix[others] ** 2))) for matrix in matrices))


def _numbered(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each ID with how many of it stand before."""
    seen: Counter[int] = Counter()
    for id_ in ids:
        yield id_, seen[id_]
        seen[id_] += 1


def _n_rows(cells: np.ndarray) -> int:
    return int(cells.any(axis=1).sum())
