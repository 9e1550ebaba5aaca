"""How alike copies are in a real model, at the input and after each layer; and how alike the sentences are."""

from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import pairwise_distances, read_only
from embedviz.vectors.comparison import typical
from embedviz.vectors.copies import paired
from embedviz.vectors.forward import Forward


@dataclass(frozen=True)
class CopySimilarity:
    """The P pairs of copies in sentences A and B, at the input and after each layer: read-only float32 arrays.

    pairs: (i, j), a token of A and its copy in B. cosines, distances: (P, n_layers + 1).
    other_cosines: (n_layers + 1,), the mean cosine of a token of A and a token of B that have two IDs, and
    other_distances: the root mean square of their distances. They are the yardstick; NaN if there are no such two.
    sentences: the cosine of the two sentence vectors. unrelated: that of A's and that of B's with the vector of an
    unrelated sentence, which is their yardstick; None if there is no such sentence.
    """

    pairs: list[tuple[int, int]]
    cosines: np.ndarray
    distances: np.ndarray
    other_cosines: np.ndarray
    other_distances: np.ndarray
    sentences: float
    unrelated: tuple[float, float] | None = None


def sentences(a: Forward, b: Forward) -> float:
    """The cosine of the two sentence vectors."""
    return float(1 - pairwise_distances(a.sentence[None], b.sentence[None], "cosine")[0, 0])


def copy_similarity(a: Forward, b: Forward, unrelated: Forward | None = None) -> CopySimilarity:
    """Compare what one model made of two sentences, and of one that has nothing to do with them."""
    pairs = paired(a.tokens.ids, b.tokens.ids)
    rows, columns = ([pair[n] for pair in pairs] for n in (0, 1))
    others = np.not_equal.outer(a.tokens.ids, b.tokens.ids)  # (T_A, T_B)
    cosines, distances, other_cosines, other_distances = [], [], [], []
    for in_a, in_b in zip(a.hidden_states, b.hidden_states, strict=True):  # (T_A, D), (T_B, D)
        cosine, distance = 1 - pairwise_distances(in_a, in_b, "cosine"), pairwise_distances(in_a, in_b)  # (T_A, T_B)
        cosines.append(cosine[rows, columns])
        distances.append(distance[rows, columns])
        other_cosines.append(cosine[others].mean() if others.any() else np.nan)
        other_distances.append(typical(distance, others) or np.nan)
    stacked = (np.stack(cosines, axis=-1), np.stack(distances, axis=-1), other_cosines, other_distances)
    arrays = (read_only(np.asarray(each, np.float32)) for each in stacked)
    yardstick = None if unrelated is None else (sentences(a, unrelated), sentences(b, unrelated))
    return CopySimilarity(pairs, *arrays, sentences=sentences(a, b), unrelated=yardstick)
