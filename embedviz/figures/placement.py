"""Where to put the labels of points so that they do not cover each other."""

from collections.abc import Sequence

import numpy as np

# The picture's size is the browser's to choose; these are a typical one's, in pixels.
_WIDTH, _HEIGHT = 400, 280
_LINE, _OFFSET = 16.0, 9.0
_SIDES = {
    "middle right": (1, 0), "middle left": (-1, 0), "top center": (0, -1), "bottom center": (0, 1),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip


def place(
    groups: Sequence[np.ndarray],
    widths: Sequence[Sequence[float]],
    ranges: Sequence[tuple[float, float]],
    avoid: np.ndarray,
) -> list[list[str]]:
    """For each point of each group, shape (N, 2), the `textposition` with the least overlap.

    widths: of each label, in pixels. avoid: further points that labels should not cover, shape (M, 2).
    Greedy, in the order given: each label takes the side on which it covers the fewest points and
    labels placed so far.
    """
    low, high = np.array(ranges).T
    pixels = [(points - low) / (high - low) * (_WIDTH, _HEIGHT) * (1, -1) + (0, _HEIGHT) for points in (*groups, avoid)]
    *pixels, others = pixels
    points = np.concatenate(pixels)
    taken = np.concatenate(  # boxes: left, top, right, bottom
        [np.hstack([points - 6, points + 6]), np.hstack([others - 3, others + 3])]
    )
    placed = []
    for group, sizes in zip(pixels, widths, strict=True):
        sides = []
        for point, width in zip(group, sizes, strict=True):
            boxes = np.array([_box(point, side, width) for side in _SIDES.values()])  # (8, 4)
            best = int(np.argmin(_overlap(boxes, taken)))
            taken = np.concatenate([taken, boxes[best : best + 1]])
            sides.append(list(_SIDES)[best])
        placed.append(sides)
    return placed


def _box(point: np.ndarray, side: tuple[int, int], width: float) -> list[float]:
    right, down = side
    left = point[0] + right * _OFFSET - (0.5 - right / 2) * width
    top = point[1] + down * _OFFSET - (0.5 - down / 2) * _LINE
    return [left, top, left + width, top + _LINE]


def _overlap(boxes: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Area of each box, shape (8, 4), that is taken or outside the picture, shape (8,)."""
    width = np.minimum(boxes[:, None, 2], taken[:, 2]) - np.maximum(boxes[:, None, 0], taken[:, 0])
    height = np.minimum(boxes[:, None, 3], taken[:, 3]) - np.maximum(boxes[:, None, 1], taken[:, 1])
    covered = (np.maximum(width, 0) * np.maximum(height, 0)).sum(axis=1)
    outside = np.maximum(-boxes[:, :2], 0).sum(axis=1) + np.maximum(boxes[:, 2:] - (_WIDTH, _HEIGHT), 0).sum(axis=1)
    return covered + outside * _LINE
