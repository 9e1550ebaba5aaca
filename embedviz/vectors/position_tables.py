"""Tables of absolute positions: what their numbers and pairs are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from embedviz.base.checks import check_choice, check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.positions import ADDING, SCHEMES, rope, sinusoidal
from embedviz.positions.common import angular_speeds, first_and_second
from embedviz.positions.rope import Layout
from embedviz.vectors.sources import BuiltinSource, Source, source_of
from embedviz.vectors.spec import Spec

KINDS = tuple(sorted(ADDING, key=lambda name: SCHEMES[name].has_end))  # formulas first
MAX_POSITIONS = 128  # a picture has a row for each
MAX_OUTPUT_DIM = 512
_BEYOND_CHANCE = 3.5  # standard errors of a difference of mean cosines, which random rows hardly ever reach
_FEWEST = 8  # positions; of fewer, chance alone explains too much
_VISIBLE_DIFFERENCE = 0.01  # a difference that two decimals show
_ALIKE = 0.5  # a mean cosine of vectors that are called alike


@dataclass(frozen=True)
class TableSettings:
    """A table of L positions and D dimensions.

    base, layout: those of the sinusoids. source: where the learned table comes from. It decides output_dim unless it
    is random, and context_length goes no further than its rows. seed: that of a random table, which is untrained.
    """

    output_dim: int = 64
    context_length: int = 64
    base: float = 10000.0
    layout: Layout = "interleaved"
    seed: int = 123
    source: str | BuiltinSource = "random"

    def __post_init__(self) -> None:
        if self.output_dim != self.origin.decided.get("output_dim"):
            check_whole("output_dim", self.output_dim, 2, MAX_OUTPUT_DIM)
            Spec(source=self.source, output_dim=self.output_dim)  # its error message says what the source has
        check_whole("context_length", self.context_length, 1, min(MAX_POSITIONS, self.rows_of_source))
        check_choice("layout", self.layout, sinusoidal.LAYOUTS)
        if not 1 < self.base <= 1e9:
            raise EmbedvizError("base must be above 1 and at most 1,000,000,000, not {base:g}.", base=self.base)

    @property
    def origin(self) -> Source:
        """The source as an object."""
        return source_of(self.source)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Those of KINDS that can be shown: "learned" is left out if the source has no such table."""
        return tuple(kind for kind in KINDS if kind != "learned" or self.origin.has_positions)

    @property
    def rows_of_source(self) -> int:
        """How many positions the source's learned table has. A random table has as many as the settings ask for."""
        return self.origin.decided.get("context_length", MAX_POSITIONS)


def table(kind: str, settings: TableSettings) -> np.ndarray:
    """The table (L, D), float32. Raises EmbedvizError if there is no such table, or Unavailable, as its source does."""
    check_choice("kind", kind, KINDS)
    if kind not in settings.kinds:
        raise EmbedvizError(settings.origin.about_positions())
    n_positions, output_dim = settings.context_length, settings.output_dim
    if kind == "sinusoidal":
        return sinusoidal.table(n_positions, output_dim, base=settings.base, layout=settings.layout)

    def learned(n_rows: int) -> np.ndarray:
        return settings.origin.first_positions(n_rows, output_dim, settings.seed)

    added = cast("Callable[..., np.ndarray]", SCHEMES[kind].added)  # KINDS are those that add vectors
    return added(np.arange(n_positions), output_dim, learned)


def wavelengths(settings: TableSettings) -> np.ndarray:
    """The positions from one crest to the next in each dimension, float64 of shape (D,); a pair shares one."""
    each = 2 * np.pi / angular_speeds(settings.output_dim, settings.base)  # (D/2,)
    return np.repeat(each, 2) if settings.layout == "interleaved" else np.tile(each, 2)


def pair(table_: np.ndarray, number: int, layout: Layout) -> np.ndarray:
    """Sine and cosine of one pair of dimensions, (L, 2)."""
    return np.stack([table_[:, part][:, number] for part in first_and_second(table_.shape[1], layout)], axis=1)


@dataclass(frozen=True)
class Shift:
    """Rows 0 to L - 1 turned by k positions, and wanted: rows k to L + k - 1. Both are float32 (L, D)."""

    turned: np.ndarray
    wanted: np.ndarray

    @property
    def largest_difference(self) -> float:
        """The largest difference between `turned` and `wanted`, over all numbers."""
        return float(np.abs(self.turned - self.wanted).max())


def shift(settings: TableSettings, k: int) -> Shift:
    """Turn the sinusoidal table by k positions.

    (sin, cos)(l + k) = (sin l cos k + cos l sin k, cos l cos k - sin l sin k): one matrix for all l. With
    sines alone there would be none, since sin(l + k) needs cos l.
    """
    rows = sinusoidal.table(
        settings.context_length + k, settings.output_dim, base=settings.base, layout=settings.layout
    )
    first = rows[: settings.context_length]
    # RoPE would turn a cosine and its sine by k. Here the sine comes first, which is the same turn backwards.
    turned = rope.rotate(first, np.full(len(first), -k), settings.base, settings.layout)
    return Shift(turned, rows[k:])


def cosines(table_: np.ndarray) -> np.ndarray:
    """The cosine of every two rows of a table (L, D), float64 (L, L); 0 where a row is zero."""
    rows = table_.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    unit = np.divide(rows, lengths[:, None], out=np.zeros_like(rows), where=lengths[:, None] > 0)
    return unit @ unit.T


@dataclass(frozen=True)
class ByDistance:
    """How alike the positions of a table are, by how far they are apart.

    cosines: the mean cosine of all positions that are 0 to L - 1 apart, float64 (L,). errors: the standard error of
    each mean, (L,).
    """

    cosines: np.ndarray
    errors: np.ndarray

    @property
    def is_long(self) -> bool:
        """True if there are enough positions to say whether near ones are more alike than far ones."""
        return len(self.cosines) >= _FEWEST

    @property
    def far(self) -> int:
        """How far apart the positions are that are compared with neighbours: half of the table."""
        return len(self.cosines) // 2

    @property
    def near(self) -> float:
        """The mean cosine of neighbours."""
        return float(self.cosines[1])

    @property
    def there(self) -> float:
        """The mean cosine of positions that are far apart."""
        return float(self.cosines[self.far])

    @property
    def nearer_is_more_alike(self) -> bool:
        """True if neighbours are more alike than positions that are far apart, by more than chance explains."""
        error = float(np.hypot(self.errors[1], self.errors[self.far]))
        return self.near - self.there > max(_BEYOND_CHANCE * error, _VISIBLE_DIFFERENCE)

    @property
    def near_is_alike(self) -> bool:
        """True if this is so, and neighbours are alike by themselves."""
        return self.nearer_is_more_alike and self.near > _ALIKE


def by_distance(table_: np.ndarray) -> ByDistance:
    """How alike the positions of a table (L, D) are, by their distance."""
    first, second = np.triu_indices(len(table_))
    apart, values = second - first, cosines(table_)[first, second].astype(np.float64)  # (L * (L + 1) / 2,) each
    counts = np.bincount(apart)  # (L,)
    means = np.bincount(apart, values) / counts
    squares = np.bincount(apart, (values - means[apart]) ** 2)
    return ByDistance(means, np.sqrt(squares / np.maximum(1, counts - 1) / counts))
