"""Where to put the labels of points so that they do not cover each other."""

from collections.abc import Sequence

import numpy as np

# The picture's size is the browser's to choose; these are a typical one's, in pixels.
_WIDTH, _HEIGHT = 420, 240
_LINE, _OFFSET = 14.0, 9.0
_SIDES = {
    "middle right": (1, 0), "middle left": (-1, 0), "top center": (0, -1), "bottom center": (0, 1),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip
_NAMES = list(_SIDES)
_DIRECTIONS = np.array(list(_SIDES.values()))  # (8, 2): right, down
_SWEEPS = 6
# What covering a square pixel of each costs.
_MARK, _ARROW, _LABEL = 2.0, 0.5, 2.0


def place(
    groups: Sequence[np.ndarray],
    widths: Sequence[Sequence[float]],
    ranges: Sequence[tuple[float, float]],
    avoid: np.ndarray,
) -> list[list[str]]:
    """For each point of each group, shape (N, 2), the `textposition` with the least overlap.

    widths: of each label, in pixels. avoid: points on arrows, shape (M, 2).
    Each label in turn takes the side on which it covers the least of points and other labels, until
    none would move.
    """
    low, high = np.array(ranges).T
    to_pixels = (_WIDTH, _HEIGHT) / (high - low) * (1, -1)
    points = (np.concatenate(groups) - low) * to_pixels + (0, _HEIGHT)  # (N, 2)
    others = (avoid - low) * to_pixels + (0, _HEIGHT)  # (M, 2)
    boxes = _boxes(points, np.concatenate(widths)).astype(np.float32)  # (8 N, 4)
    marks = np.hstack([points - 6, points + 6]).astype(np.float32)
    arrows = np.hstack([others - 3, others + 3]).astype(np.float32)
    alone = _MARK * _overlap(boxes, marks).sum(axis=1) + _ARROW * _overlap(boxes, arrows).sum(axis=1)
    alone += _LINE * _outside(boxes)  # (8 N,)
    shape = (len(points), len(_SIDES))
    sides = _settle(alone.reshape(shape), _LABEL * _overlap(boxes, boxes).reshape(*shape, *shape))
    named = iter([_NAMES[side] for side in sides])
    return [[next(named) for _ in group] for group in groups]


def _settle(alone: np.ndarray, together: np.ndarray) -> list[int]:
    """The side of each label. alone: the cost of each side, (N, 8); together: of each pair of them, (N, 8, N, 8)."""
    labels = np.arange(len(alone))
    together[labels, :, labels] = 0
    sides = alone.argmin(axis=1)
    for _ in range(_SWEEPS):
        before = sides.copy()
        for label in labels:
            sides[label] = (alone[label] + together[label, :, labels, sides].sum(axis=0)).argmin()
        if (sides == before).all():
            break
    return sides.tolist()


def _boxes(points: np.ndarray, widths: np.ndarray) -> np.ndarray:
    """Left, top, right, bottom of each label on each of its sides, shape (8 N, 4)."""
    sizes = np.stack([widths, np.full(len(widths), _LINE)], axis=1)[:, None]  # (N, 1, 2)
    corners = points[:, None] + _DIRECTIONS * _OFFSET - (0.5 - _DIRECTIONS / 2) * sizes  # (N, 8, 2)
    return np.concatenate([corners, corners + sizes], axis=2).reshape(-1, 4)


def _overlap(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The area that each box of `one` shares with each of `other`, shapes (M, 4) and (N, 4), as (M, N)."""
    left, top = (np.maximum(one[:, None, n], other[:, n]) for n in (0, 1))
    right, bottom = (np.minimum(one[:, None, n], other[:, n]) for n in (2, 3))
    return np.maximum(right - left, 0) * np.maximum(bottom - top, 0)


def _outside(boxes: np.ndarray) -> np.ndarray:
    """How far each box reaches over the picture's edges, in pixels."""
    return (np.maximum(-boxes[..., :2], 0) + np.maximum(boxes[..., 2:] - (_WIDTH, _HEIGHT), 0)).sum(axis=-1)
