"""What adding a position does to a token's vector, with another token as the yardstick."""

from dataclasses import dataclass

import numpy as np

from embedviz.vectors.embedding import Embedded
from embedviz.vectors.projection import Projection, project


@dataclass(frozen=True)
class WithPosition:
    """A token, what is added to it, and another token of the sentence if it has one; float32 arrays of shape (D,)."""

    token: np.ndarray
    position: np.ndarray
    other: np.ndarray | None

    @property
    def total(self) -> np.ndarray:
        """token + position, float32 (D,)."""
        return self.token + self.position

    @property
    def own_distance(self) -> float:
        """How far the sum is from its own token."""
        return _apart(self.total, self.token)

    @property
    def other_distance(self) -> float | None:
        """How far the sum is from the other token."""
        return None if self.other is None else _apart(self.total, self.other)

    def first(self, n_numbers: int) -> "WithPosition":
        """The same of the first numbers alone, or of all if there are fewer."""
        other = None if self.other is None else self.other[:n_numbers]
        return WithPosition(self.token[:n_numbers], self.position[:n_numbers], other)


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a.astype(np.float64) - b))


def other_than(embedded: Embedded, n: int) -> int | None:
    """The place of the next token of a sentence that has another ID than token n, after the last from the first on."""
    ids = embedded.tokens.ids
    places = [*range(n + 1, len(ids)), *range(n)]
    return next((place for place in places if ids[place] != ids[n]), None)


def with_position(embedded: Embedded, n: int) -> WithPosition:
    """Token n of a sentence, and what its position adds."""
    place = other_than(embedded, n)
    other = None if place is None else embedded.token_embeddings[place]
    return WithPosition(embedded.token_embeddings[n], embedded.added[n], other)


def shadow(embedded: Embedded, n: int) -> tuple[WithPosition, np.ndarray]:
    """`with_position` in two principal components of the sentence's vectors, and their shares. Zero is at zero."""
    together = np.concatenate([embedded.token_embeddings, embedded.added, embedded.input_embeddings])
    projection, whole = project(together, n=2), with_position(embedded, n)
    token, position = (_shadow_of(vector, projection) for vector in (whole.token, whole.position))
    other = None if whole.other is None else _shadow_of(whole.other, projection)
    return WithPosition(token, position, other), projection.explained


def _shadow_of(vector: np.ndarray, projection: Projection) -> np.ndarray:
    return (projection.components @ vector).astype(np.float32)
