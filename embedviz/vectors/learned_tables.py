"""Tables of positions of several sources side by side: the first rows of each, and what tells them apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.positions import sinusoidal
from embedviz.vectors import position_tables
from embedviz.vectors.sources import OWN, Own, Source, source_of


class Formula(Own):
    """The sinusoids, as if their formula were a source."""

    name = title = "sinusoidal"

    def first_positions(self, n_positions: int, output_dim: int, _seed: int) -> np.ndarray:
        """The first rows, float32 (n_positions, D)."""
        return sinusoidal.table(n_positions, output_dim)


FORMULA = Formula()
# The formula, and the sources that are known to have such a table. Any other model can be named besides.
OFFERED = (
    FORMULA.name,
    *OWN,
    *(name for name, each in CHECKPOINTS.items() if each.config),  # GPT-2's family
    *("sentence-transformers/all-MiniLM-L6-v2", "google-bert/bert-base-uncased", "FacebookAI/roberta-base"),
)
MOST_TABLES = 3  # beside one another
MOST_POSITIONS = 256
FAR = 100  # positions apart
_RISE = 0.1  # of a mean cosine that is worth a word
_ALIKE = 0.5  # a mean cosine of vectors that are called alike


@dataclass(frozen=True)
class LearnedTable:
    """The first L rows of a learned table, float32 (L, D), of a source, or of the formula."""

    source: Source | Formula
    rows: np.ndarray

    @cached_property
    def spread(self) -> float:
        """The standard deviation of all numbers."""
        return float(self.rows.astype(np.float64).std())

    @cached_property
    def cosines(self) -> np.ndarray:
        """The cosine of every two positions, float64 (L, L); 0 where a row is zero."""
        return position_tables.cosines(self.rows)

    @cached_property
    def by_distance(self) -> np.ndarray:
        """The mean cosine of all positions that are 0 to L - 1 apart, float64 (L,)."""
        return np.array([np.diagonal(self.cosines, n).mean() for n in range(len(self.rows))])

    @property
    def far(self) -> int:
        """How far apart the positions are that are compared with neighbours: FAR, or half of a table that is short."""
        return FAR if len(self.rows) > FAR else len(self.rows) // 2

    @property
    def nearer_is_more_alike(self) -> bool:
        """True if neighbours are more alike than positions that are far apart."""
        return bool(self.by_distance[1] - self.by_distance[self.far] > _RISE)

    @property
    def near_is_alike(self) -> bool:
        """True if this is so, and neighbours are alike by themselves."""
        return self.nearer_is_more_alike and bool(self.by_distance[1] > _ALIKE)


def learned_table(name: str, n_positions: int, output_dim: int = 64, seed: int = 123) -> LearnedTable | None:
    """The first rows of a source's table: `n_positions`, at least 2, or all if it has fewer; None if it has no table.

    output_dim, seed: those of the source random. Raises EmbedvizError for a name that is no source, and Unavailable
    if the table cannot be read now.
    """
    source = FORMULA if name == FORMULA.name else source_of(name)
    return LearnedTable(source, source.first_positions(n_positions, output_dim, seed)) if source.has_positions else None


def as_long(tables: Sequence[LearnedTable]) -> list[LearnedTable]:
    """The same tables as far as the shortest of them goes, so that their numbers can be compared."""
    n_rows = min((len(table.rows) for table in tables), default=0)
    return [LearnedTable(table.source, table.rows[:n_rows]) for table in tables]
