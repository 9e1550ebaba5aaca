"""How far RoPE's pairs of dimensions turn within a text: for several bases, and after scaling to longer texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_choice, check_whole
from embedviz.positions.rope_frequencies import frequencies

BASES = (10_000, 500_000)  # Su et al. 2021; Llama 3, 2024
MAX_LENGTH, MAX_FACTOR, MAX_HEAD_DIM, MAX_BASE = 10**7, 128, 512, 10**9
SCALINGS = ("none", "linear", "dynamic", "yarn", "llama3", "proportional")
LOW_FREQ_FACTOR, HIGH_FREQ_FACTOR = 1.0, 4.0  # Llama 3.1's
PART = 0.25  # of the pairs that "proportional" turns, as in Gemma 4
_SAME = 1e-5  # the relative difference that rounding in float32 makes


@dataclass(frozen=True)
class Turning:
    """How one base lets the pairs turn.

    wavelengths: positions after which each pair has gone full circle, float32 (P,). turns: how often each goes round
    between the first and the last token of a text, float32 (P,).
    """

    base: float
    wavelengths: np.ndarray
    turns: np.ndarray

    @property
    def n_full(self) -> int:
        """How many pairs go full circle."""
        return int((self.turns >= 1).sum())


def turning(base: float, head_dim: int, trained: int) -> Turning:
    """The turning of all pairs of a head over a text of `trained` tokens. Raises as `frequencies` does."""
    speeds, _factor = frequencies(head_dim, float(base))
    return Turning(base, read_only((2 * np.pi / speeds).astype(np.float32)), _turns(speeds, trained))


def _turns(speeds: np.ndarray, length: int) -> np.ndarray:
    """Full circles between the first and the last of `length` tokens, float32 (P,)."""
    check_whole("length", length, 2, MAX_LENGTH)
    return read_only((speeds.astype(np.float64) * (length - 1) / (2 * np.pi)).astype(np.float32))


class Region(IntEnum):
    """What a scaling does to a pair."""

    KEPT = 0
    BLENDED = 1
    INTERPOLATED = 2  # slowed by the whole factor
    SLOWER = 3  # slowed by more than the factor
    STILL = 4  # not turned at all


@dataclass(frozen=True)
class Stretch:
    """RoPE before and after a scaling, for a model that was trained on short texts and is used on a longer one.

    before, after: radians a position, float32 (P,). regions: a Region for each pair, integers (P,). turns_trained: how
    often each pair goes round in a text of the training, float32 (P,); turns_used: in the longer text, with the
    scaling. new, new_unscaled: the pairs that there meet an angle which no text of the training showed, with the
    scaling and without it, bool (P,): they had not gone full circle, and now turn at least one position further.
    """

    name: str
    factor: int
    attention_factor: float
    before: np.ndarray
    after: np.ndarray
    regions: np.ndarray
    turns_trained: np.ndarray
    turns_used: np.ndarray
    new: np.ndarray
    new_unscaled: np.ndarray

    def count(self, region: Region) -> int:
        """How many pairs are in this region."""
        return int((self.regions == region).sum())


def stretched(name: str, factor: int, *, head_dim: int, base: float, trained: int, used: int) -> Stretch:
    """What the scaling of this name does. Raises EmbedvizError for another name, and as `frequencies` does."""
    check_choice("scaling", name, SCALINGS)
    before, _factor = frequencies(head_dim, float(base))
    after, attention_factor = frequencies(head_dim, float(base), scaling_of(name, factor, trained), used)
    return Stretch(
        name,
        factor,
        attention_factor,
        before,
        after,
        _regions(before, after, factor),
        _turns(before, trained),
        _turns(after, used),
        _unseen(before, after, trained, used),
        _unseen(before, before, trained, used),
    )


def scaling_of(name: str, factor: int, trained: int) -> Mapping[str, object] | None:
    """The dictionary that a config would hold, with the usual values of what the visitor does not choose."""
    own: dict[str, dict[str, object]] = {
        "dynamic": {"max_position_embeddings": trained},
        "yarn": {"original_max_position_embeddings": trained},
        "llama3": {
            "original_max_position_embeddings": trained,
            "low_freq_factor": LOW_FREQ_FACTOR,
            "high_freq_factor": HIGH_FREQ_FACTOR,
        },
        "proportional": {"partial_rotary_factor": PART},
    }
    return None if name == "none" else {"rope_type": name, "factor": float(factor), **own.get(name, {})}


def _regions(before: np.ndarray, after: np.ndarray, factor: int) -> np.ndarray:
    ratio = after.astype(np.float64) / before
    found = np.full(len(before), Region.BLENDED)
    found[ratio * factor < 1 - _SAME] = Region.SLOWER
    found[abs(ratio * factor - 1) <= _SAME] = Region.INTERPOLATED
    found[abs(ratio - 1) <= _SAME] = Region.KEPT
    found[ratio == 0] = Region.STILL
    return read_only(found)


def _unseen(before: np.ndarray, after: np.ndarray, trained: int, used: int) -> np.ndarray:
    ahead = after.astype(np.float64) * (used - 1) >= before.astype(np.float64) * trained * (1 - _SAME)
    return read_only((_turns(before, trained) < 1) & ahead)
