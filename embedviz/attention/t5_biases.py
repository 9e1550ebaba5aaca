"""The biases that a T5 model has learned, and what they do to attention by distance alone."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from embedviz.base.checks import check_whole
from embedviz.models import HubModel
from embedviz.positions import t5

REACH = 128  # tokens in each direction
NEAR, FAR = 8, 65  # distances up to NEAR are near, those from FAR on are far
_ONE_SIDED = 0.6  # of the attention, at which a head is said to look to one side
_CLEAR = 1.0  # of a difference between biases: e times as much attention


@dataclass(frozen=True)
class LearnedBiases:
    """What each of H heads adds to a score, by the distance key - query.

    distances: from -REACH to REACH, whole numbers (2 REACH + 1,). table: the model's table by buckets,
    float32 (buckets, H). by_distance: its rows at these distances, float32 (H, 2 REACH + 1).
    max_distance: from this distance on, all distances share one bucket.
    """

    model: HubModel
    distances: np.ndarray
    table: np.ndarray
    by_distance: np.ndarray
    max_distance: int

    @cached_property
    def back(self) -> np.ndarray:
        """The share of its attention that each head would give to tokens before, float64 (H,), 0 to 1.

        That is so if all scores were alike but for the biases. The token itself is not counted.
        """
        weights = np.exp(self.by_distance - self.by_distance.max(axis=1, keepdims=True)).astype(np.float64)
        before, after = weights[:, self.distances < 0].sum(axis=1), weights[:, self.distances > 0].sum(axis=1)
        return before / (before + after)

    @property
    def looking_back(self) -> np.ndarray:
        """The heads, counted from 0, that give most of their attention to tokens before."""
        return np.flatnonzero(self.back > _ONE_SIDED)

    @property
    def looking_ahead(self) -> np.ndarray:
        """The heads, counted from 0, that give most of their attention to tokens after."""
        return np.flatnonzero(self.back < 1 - _ONE_SIDED)

    @cached_property
    def fall(self) -> np.ndarray:
        """How much higher the mean bias of near tokens is than that of far ones in each head, float64 (H,)."""
        apart = np.abs(self.distances)
        near, far = (apart >= 1) & (apart <= NEAR), apart >= FAR
        exact = self.by_distance.astype(np.float64)
        return exact[:, near].mean(axis=1) - exact[:, far].mean(axis=1)

    @property
    def falling(self) -> np.ndarray:
        """The heads, counted from 0, whose biases clearly fall with distance."""
        return np.flatnonzero(self.fall > _CLEAR)

    @property
    def rising(self) -> np.ndarray:
        """The heads, counted from 0, whose biases clearly rise with distance."""
        return np.flatnonzero(self.fall < -_CLEAR)


def learned_biases(model: HubModel, reach: int = REACH) -> LearnedBiases | None:
    """The biases of a T5 model's encoder; None for a model of another family.

    Raises Unavailable if they cannot be read now, and EmbedvizError for a model of no known family.
    """
    check_whole("reach", reach, FAR, 2**16)
    layout = model.layout()
    if layout.bias is None:
        return None
    table = model.position_biases()  # (buckets, H)
    max_distance = layout.scheme_settings["max_distance"]
    distances = np.arange(-reach, reach + 1)
    buckets = t5.bucket(distances, True, len(table), max_distance)
    return LearnedBiases(model, distances, table, table[buckets].T, max_distance)
