"""Where to put the labels of points so that they do not cover each other."""

from collections.abc import Sequence

import numpy as np

# The browser chooses the picture's size. These are the pixels of a picture that fills a screen of 1280 by 720.
SIZE = 1150, 200
_LINE, _OFFSET = 14.0, 9.0
_SIDES = {
    "middle right": (1, 0), "middle left": (-1, 0), "top center": (0, -1), "bottom center": (0, 1),
    "top right": (1, -1), "top left": (-1, -1), "bottom right": (1, 1), "bottom left": (-1, 1),
}  # fmt: skip
_NAMES = list(_SIDES)
_DIRECTIONS = np.array(list(_SIDES.values()))  # (8, 2): right, down
_SWEEPS = 6
# The cost of covering a square pixel of each thing.
_MARK, _ARROW, _LABEL = 2.0, 0.5, 2.0

# Where labels may lie apart from their points: the directions, and the pixels farther out.
_ROUND = np.linspace(0, 2 * np.pi, 16, endpoint=False)
_FARTHER = (0.0, 14.0, 30.0, 48.0)
_PIXEL, _MOVE = 6.0, 20.0  # the costs of each pixel farther out, and of a place other than that of a moment before


def place(
    groups: Sequence[np.ndarray],
    widths: Sequence[Sequence[float]],
    ranges: Sequence[tuple[float, float]],
    avoid: np.ndarray,
) -> list[list[str]]:
    """For each point of each group, shape (N, 2), the `textposition` with the least overlap.

    widths: the width of each label in pixels. avoid: points on arrows, which labels should not cover, shape (M, 2).
    The labels take turns: each takes the side on which it covers the least of points and other labels, until no
    label would move any more.
    """
    low, high = np.array(ranges).T
    to_pixels = SIZE / (high - low) * (1, -1)
    points = (np.concatenate(groups) - low) * to_pixels + (0, SIZE[1])  # (N, 2)
    others = (avoid - low) * to_pixels + (0, SIZE[1])  # (M, 2)
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
    """The side of each label. alone: the cost of each side, (N, 8). together: that of each pair, (N, 8, N, 8)."""
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


def _outside(boxes: np.ndarray, size: tuple[int, int] = SIZE) -> np.ndarray:
    """How far each box reaches over the picture's edges, in pixels."""
    return (np.maximum(-boxes[..., :2], 0) + np.maximum(boxes[..., 2:] - size, 0)).sum(axis=-1)


def spread(
    moments: np.ndarray, widths: Sequence[float], ranges: np.ndarray, size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Place the labels of moving points close to them, so that the labels do not cover each other.

    Returns where the middle of each label is, and where a line from its point ends, both of shape (S, N, 2) like the
    points. widths: the width of each label in pixels. ranges: the ranges of the axes at each of the S moments,
    (S, 2, 2). size: the size of the picture.
    A label leaves its place only where it would cover something, so that labels do not jump as the points move.
    """
    sizes = np.stack([widths, np.full(len(widths), _LINE)], axis=1)  # (N, 2)
    offsets, far = _offsets(sizes)
    labels, chosen, found = np.arange(len(sizes)), np.zeros(len(sizes), int), []
    for points, (low, high) in zip(moments, ranges.transpose(0, 2, 1), strict=True):
        to_pixels = size / (high - low) * (1, -1)
        pixels = (points - low) * to_pixels + (0, size[1])
        boxes, alone = _choices(pixels, sizes, offsets, size)
        chosen = _apart(boxes, alone + _PIXEL * far, chosen)
        away = offsets[labels, chosen]  # (N, 2)
        line = np.where(far[chosen, None] > 0, away - np.clip(away, -sizes / 2, sizes / 2), 0)
        found.append((points + away / to_pixels, points + line / to_pixels))
    return tuple(np.stack(each).astype(np.float32) for each in zip(*found, strict=True))


def _offsets(sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The way from a point to its label's middle at C places, (N, C, 2), and how much farther out each is, (C,)."""
    directions = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)  # (16, 2)
    near = directions * (_OFFSET - 2) + directions * sizes[:, None] / 2  # (N, 16, 2)
    offsets = [near + directions * farther for farther in _FARTHER]
    return np.concatenate(offsets, axis=1), np.repeat(_FARTHER, len(_ROUND))


def _choices(
    points: np.ndarray, sizes: np.ndarray, offsets: np.ndarray, size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The box of each label at each of its places in pixels, (N, C, 4), and the cost of each place, (N, C)."""
    middles = points[:, None] + offsets  # (N, C, 2)
    boxes = np.concatenate([middles - sizes[:, None] / 2, middles + sizes[:, None] / 2], axis=2)  # (N, C, 4)
    flat = boxes.reshape(-1, 4)
    covered = _overlap(flat, np.hstack([points - 5, points + 5])).sum(axis=1)
    return boxes, (_MARK * covered + _LINE * _outside(flat, size)).reshape(boxes.shape[:2])


def _apart(boxes: np.ndarray, alone: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The place that each label takes next, (N,), given the place that it had."""
    labels = np.arange(len(boxes))
    alone[labels, chosen] -= _MOVE
    chosen = chosen.copy()
    for _ in range(_SWEEPS):
        before = chosen.copy()
        for label in labels:
            others = boxes[labels, chosen][labels != label]
            chosen[label] = (alone[label] + _LABEL * _overlap(boxes[label], others).sum(axis=1)).argmin()
        if (chosen == before).all():
            break
    return chosen
