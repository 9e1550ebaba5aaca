"""The comparison of two embedded sentences: which vectors are the same, before and after positions are added."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from embedviz.base.arrays import pairwise_distances
from embedviz.base.errors import EmbedvizError
from embedviz.text.notebook_repr import Chips, NotebookRepr
from embedviz.text.tokens import Tokens
from embedviz.vectors.embedding import Embedded


class Pair(NamedTuple):
    """Token i of A and token j of B, which share an ID; distances are Euclidean, over all D dimensions."""

    i: int
    j: int
    id: int
    same_before: bool
    same_after: bool
    distance_before: float
    distance_after: float


@dataclass(frozen=True)
class Stage:
    """What the vectors of A and B have in common, before or after positions are added.

    same: bool array of shape (T_A, T_B), True where the two vectors are equal bit for bit.
    distances: Euclidean distances, float64 array of shape (T_A, T_B).
    mean_difference: largest difference between the mean vectors of A and B, over all D dimensions.
    means_agree: True if rounding to float32 explains that difference in every dimension.
    """

    same: np.ndarray
    distances: np.ndarray
    mean_difference: float
    means_agree: bool


@dataclass(frozen=True)
class Unrelated:
    """How far apart tokens of different IDs are, one of A and one of B: the root mean square of their distances.

    The mean squares add up: if a share s of the positions is added, before² (1 - s) + after² s - positions² s (1 - s)
    is the exact square. positions: the root mean square distance of the added vectors.
    """

    before: float
    after: float
    positions: float


@dataclass(frozen=True, repr=False)
class Comparison(NotebookRepr):
    """Sentences A and B side by side.

    shared: bool array of shape (T_A, T_B), True where token i of A and token j of B have one ID.
    only_in_a, only_in_b: the tokens (text, id) that the other sentence lacks, counted.
    """

    a: Embedded
    b: Embedded
    shared: np.ndarray
    before: Stage
    after: Stage
    only_in_a: Counter[tuple[str, int]]
    only_in_b: Counter[tuple[str, int]]

    def _about(self) -> dict[str, object]:
        (a, b), (ids_a, ids_b) = self.texts, self.ids
        pairs = f"of {self.n_shared} pairs with the same ID are identical, bit for bit"
        return {
            "A": Chips(a, ids_a),
            "B": Chips(b, ids_b),
            "before positions": f"{self.n_same_before} {pairs}",
            "after positions": f"{self.n_same_after} {pairs}",
        }

    @property
    def ids(self) -> tuple[list[int], list[int]]:
        """The token IDs of A and of B."""
        return self.a.tokens.ids, self.b.tokens.ids

    @property
    def texts(self) -> tuple[list[str], list[str]]:
        """The texts of the tokens of A and of B."""
        return self.a.tokens.texts, self.b.tokens.texts

    @property
    def is_permutation(self) -> bool:
        """True if A and B are made of the same token IDs, each as often."""
        return not self.only_in_a and not self.only_in_b

    @property
    def n_shared(self) -> int:
        """Pairs (i in A, j in B) that share an ID."""
        return int(self.shared.sum())

    @property
    def n_same_before(self) -> int:
        """The shared pairs that are bit-identical before positions are added."""
        return int((self.shared & self.before.same).sum())

    @property
    def n_same_after(self) -> int:
        """The shared pairs that are bit-identical after positions are added."""
        return int((self.shared & self.after.same).sum())

    @property
    def closest_after(self) -> float | None:
        """The smallest distance after adding among shared pairs that differ; None if there are none."""
        differing = self.after.distances[self.shared & ~self.after.same]
        return float(differing.min()) if differing.size else None

    @cached_property
    def unrelated(self) -> Unrelated | None:
        """The yardstick; None if every token of A has the ID of every token of B."""
        positions_apart = pairwise_distances(self.a.positional_embeddings, self.b.positional_embeddings)  # (T_A, T_B)
        matrices = self.before.distances, self.after.distances, positions_apart
        before, after, positions = (typical(matrix, ~self.shared) for matrix in matrices)
        return None if before is None or after is None or positions is None else Unrelated(before, after, positions)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Every (i in A, j in B) that share an ID, in order of i, then j."""
        return [
            Pair(
                int(i),
                int(j),
                self.a.tokens.ids[i],
                bool(self.before.same[i, j]),
                bool(self.after.same[i, j]),
                float(self.before.distances[i, j]),
                float(self.after.distances[i, j]),
            )
            for i, j in np.argwhere(self.shared)
        ]


def compare(a: Embedded, b: Embedded) -> Comparison:
    """Compare two sentences of one backend. Raises EmbedvizError if their Specs differ: an ID would mean two things."""
    if a.spec != b.spec or a.tokens.vocabulary != b.tokens.vocabulary:
        raise EmbedvizError("Both sentences must be embedded with one Spec and one vocabulary.")
    in_a, in_b = _counts(a.tokens), _counts(b.tokens)
    return Comparison(
        a,
        b,
        np.equal.outer(np.array(a.tokens.ids, int), np.array(b.tokens.ids, int)),
        _stage(a.token_embeddings, b.token_embeddings),
        _stage(a.input_embeddings, b.input_embeddings),
        in_a - in_b,
        in_b - in_a,
    )


def typical(distances: np.ndarray, which: np.ndarray) -> float | None:
    """The root mean square of some distances, float32 and bool arrays of shape (T_A, T_B); None if there are none."""
    return float(np.sqrt(np.mean(distances[which] ** 2))) if which.any() else None


def _counts(tokens: Tokens) -> Counter[tuple[str, int]]:
    return Counter(zip(tokens.texts, tokens.ids, strict=True))


def _stage(rows_a: np.ndarray, rows_b: np.ndarray) -> Stage:
    if not len(rows_a) or not len(rows_b):
        empty = np.zeros((len(rows_a), len(rows_b)))
        return Stage(empty.astype(bool), empty, 0.0, len(rows_a) == len(rows_b))
    difference = np.abs(_exact_mean(rows_a) - _exact_mean(rows_b))  # (D,)
    # Each float32 sum is off by at most half a unit in its last place, 2^-24 of its size.
    rounding = 2.0**-24 * (np.abs(rows_a).mean(axis=0) + np.abs(rows_b).mean(axis=0))  # (D,)
    return Stage(
        _same_bits(rows_a, rows_b),
        pairwise_distances(rows_a, rows_b),
        float(difference.max()),
        bool((difference <= rounding).all()),
    )


def _exact_mean(rows: np.ndarray) -> np.ndarray:
    """The mean over T, shape (D,), summed in sorted order so that the order of the rows cannot show."""
    return np.sort(rows.astype(np.float64), axis=0).mean(axis=0)


def _same_bits(rows_a: np.ndarray, rows_b: np.ndarray) -> np.ndarray:
    """Compare bytes and not numbers, since 0.0 == -0.0 would pass for the same number."""
    code: dict[bytes, int] = {}
    codes_a = [code.setdefault(row.tobytes(), len(code)) for row in rows_a]
    codes_b = [code.setdefault(row.tobytes(), len(code)) for row in rows_b]
    return np.equal.outer(codes_a, codes_b)
