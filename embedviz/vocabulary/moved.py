"""A token's neighbours before and after a position is added to it."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.positions import SCHEMES
from embedviz.vectors import tables
from embedviz.vectors.neighbours import Neighbours, exact, nearest
from embedviz.vectors.spec import Spec


@dataclass(frozen=True)
class Moved:
    """A token to which the vector of a position is added, under one scheme.

    before, after: the nearest tokens to the token's vector, and to its sum with the positional vector.

    rank: the token's own place in the second list, 1 if it is still the nearest to its sum.
    distance: how far the sum is from the token, the length of the positional vector.
    total: the sum, read-only float32 of shape (D,).
    """

    position: int
    scheme: str
    before: Neighbours
    after: Neighbours
    rank: int
    distance: float
    total: np.ndarray


def moved(id_: int, position: int, spec: Spec, vocab_size: int, *, scheme: str, k: int, metric: str) -> Moved:
    """A token's neighbours at a position, by a scheme of ADDING. Raises EmbedvizError if it has no such position."""
    table = tables.token_table(vocab_size, spec)
    total = read_only(table[id_] + _vector(position, spec, scheme, vocab_size))
    own = exact(total, table[id_ : id_ + 1], metric)[0]
    return Moved(
        position,
        scheme,
        nearest(table[id_], table, k, metric),
        nearest(total, table, k, metric),
        _rank(total, table, id_, own, metric),
        float(np.linalg.norm((total - table[id_]).astype(np.float64))),
        total,
    )


def _vector(position: int, spec: Spec, scheme: str, vocab_size: int) -> np.ndarray:
    known = SCHEMES[scheme]
    known.check_width(spec.output_dim)
    if known.has_end and position >= spec.context_length:
        raise EmbedvizError(
            "The learned table ends at context_length {context_length}: its positions are 0 to {last}.",
            context_length=spec.context_length,
            last=spec.context_length - 1,
        )

    def learned(n_positions: int) -> np.ndarray:
        return tables.position_table(vocab_size, spec)[:n_positions]

    return known.added(np.array([position]), spec.output_dim, learned)[0]


def _rank(total: np.ndarray, table: np.ndarray, id_: int, own: float, metric: str) -> int:
    """The rank of row `id_`: one more than the number of nearer rows, in float64, for a part of the table at a time."""
    nearer = 0
    for start in range(0, len(table), 8192):
        values = exact(total, table[start : start + 8192], metric)
        closer = values > own if metric == "cosine" else values < own
        if start <= id_ < start + 8192:
            closer[id_ - start] = False
        nearer += int(closer.sum())
    return nearer + 1
