"""The biases that a T5 model has learned: which of its heads let them fall with the distance, and which rise."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from embedviz.base.checks import check_whole
from embedviz.models import HubModel
from embedviz.positions import t5

NEAR, FAR, REACH = 8, 65, 128  # distances up to NEAR are near, those from FAR to REACH are far
_CLEAR = 1.0  # of a difference between biases: e times as much attention


@dataclass(frozen=True)
class LearnedBiases:
    """What each of H heads adds to a score, by the distance key - query.

    distances: from -N to N, whole numbers (2 N + 1,). table: the model's table by buckets, float32 (buckets, H).
    by_distance: its rows at these distances, float32 (H, 2 N + 1). max_distance: from this distance on, all distances
    share one bucket.
    """

    model: HubModel
    distances: np.ndarray
    table: np.ndarray
    by_distance: np.ndarray
    max_distance: int

    @cached_property
    def fall(self) -> np.ndarray:
        """How much higher the mean bias of near tokens is than that of far ones in each head, float64 (H,)."""
        near, far = np.arange(1, NEAR + 1), np.arange(FAR, REACH + 1)
        means = (self._at(np.concatenate([-each, each])).mean(axis=1, dtype=np.float64) for each in (near, far))
        return np.subtract(*means)

    @property
    def ways(self) -> np.ndarray:
        """Of each head: -1 if its biases clearly fall with the distance, 1 if they clearly rise, else 0, (H,)."""
        return np.where(np.abs(self.fall) > _CLEAR, -np.sign(self.fall), 0).astype(int)

    def _at(self, distances: np.ndarray) -> np.ndarray:
        return self.table[t5.bucket(distances, True, len(self.table), self.max_distance)].T


def learned_biases(model: HubModel, reach: int = REACH) -> LearnedBiases | None:
    """The biases of a T5 model's encoder up to a distance; None for a model of another family.

    Raises Unavailable if they cannot be read now, and EmbedvizError for a model of no known family.
    """
    check_whole("reach", reach, 1, 2**16)
    layout = model.layout()
    if layout.bias is None:
        return None
    table = model.position_biases()  # (buckets, H)
    max_distance = layout.scheme_settings["max_distance"]
    distances = np.arange(-reach, reach + 1)
    buckets = t5.bucket(distances, True, len(table), max_distance)
    return LearnedBiases(model, distances, table, table[buckets].T, max_distance)
