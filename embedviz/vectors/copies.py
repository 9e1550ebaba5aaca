"""Which token of B is the copy of a token of A among vectors, how many stay identical, and a yardstick of distances."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from embedviz.vectors.comparison import Comparison


@dataclass(frozen=True)
class Copies:
    """The tokens of A and their copies in B: the first token of an ID in A with the first in B, and so on."""

    comparison: Comparison

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """(i, j): a token of A and its copy in B, in the order of A."""
        return paired(*self.comparison.ids)

    @property
    def n_tokens(self) -> int:
        """The number of tokens of A."""
        return len(self.comparison.ids[0])

    @property
    def n_before(self) -> int:
        """How many tokens of A have the same token vector, bit for bit, as some token of B with the same ID."""
        return _n_rows(self.comparison.shared & self.comparison.before.same)

    @property
    def n_after(self) -> int:
        """The same count for input vectors, once positions are added."""
        return _n_rows(self.comparison.shared & self.comparison.after.same)

    @property
    def in_place(self) -> list[int]:
        """Positions at which A and B have the same token, and the same input vector."""
        return np.flatnonzero(np.diagonal(self.comparison.shared & self.comparison.after.same)).tolist()


def paired(ids_a: Sequence[int], ids_b: Sequence[int]) -> list[tuple[int, int]]:
    """(i, j): a token of A and its copy in B, in the order of A, from the IDs of both."""
    places = {copy: j for j, copy in enumerate(_numbered(ids_b))}
    return [(i, places[copy]) for i, copy in enumerate(_numbered(ids_a)) if copy in places]


def _numbered(ids: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give each ID together with the number of times that it occurs before."""
    seen: Counter[int] = Counter()
    for id_ in ids:
        yield id_, seen[id_]
        seen[id_] += 1


def _n_rows(cells: np.ndarray) -> int:
    return int(cells.any(axis=1).sum())
