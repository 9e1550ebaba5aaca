"""From rows of a model's tables to the vectors that enter its first layer, step by step, in NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.models.families.layout import Layout


@dataclass(frozen=True)
class Inputs:
    """Each step on the way into the first layer, float32 and read-only. W is the width of the sum.

    tokens: (T, W), the rows of the token table times the factor, and mapped if a projection comes before the sum.
    positions: (T, W), what is added for positions, or None. segment: (W,), what is added to every token, or None.
    sum: (T, W). normed: (T, W), the sum after the norm, or the sum itself if there is none.
    first: (T, H), what enters the first layer: `normed`, mapped if a projection comes after the sum.
    """

    tokens: np.ndarray
    positions: np.ndarray | None
    segment: np.ndarray | None
    sum: np.ndarray
    normed: np.ndarray
    first: np.ndarray


def first_layer(
    layout: Layout,
    tokens: np.ndarray,
    positions: np.ndarray | None,
    weights: Mapping[str, np.ndarray],
    dtype: str = "F32",
) -> Inputs:
    """The vectors that enter the first layer, with every step before.

    tokens: rows of the token table, float32 (T, D). positions: rows of the positional table, float32 (T, W), or None
    if the model has none. weights: the tensors that `layout.small` names. dtype: the type in which the model
    calculates, which rounds the factor; everything else is float32. Sums are made in the order of transformers, so
    that they are equal to the bit. Raises EmbedvizError for what is missing or has another shape.
    """
    _check(layout, tokens, positions, weights)
    part = token_part(layout, tokens, weights, dtype)
    segment = weights[layout.segment][0] if layout.segment else None
    total = part if segment is None else part + segment
    total = total if positions is None else total + positions  # (T, W)
    normed = _normed(layout, total, weights)
    first = after_sum(layout, total, weights)
    steps = (part, positions, segment, total, normed, first)
    return Inputs(*(None if step is None else read_only(step.astype(np.float32)) for step in steps))


def after_sum(layout: Layout, total: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """What enters the first layer, float32 (T, H), from the sums of all vectors, float32 (T, W)."""
    normed = _normed(layout, total, weights)
    return _projected(layout, normed, weights) if layout.projection and layout.projection.after_sum else normed


def _normed(layout: Layout, total: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    norm = layout.norm
    return norm.apply(total, weights[norm.weight], norm.bias and weights[norm.bias]) if norm else total


def token_part(layout: Layout, tokens: np.ndarray, weights: Mapping[str, np.ndarray], dtype: str = "F32") -> np.ndarray:
    """What the tokens bring into the sum, float32 (T, W), from rows of the token table, float32 (T, D)."""
    part = tokens if layout.factor == 1 else tokens * layout.rounded_factor(dtype)
    if layout.projection and not layout.projection.after_sum:
        part = _projected(layout, part, weights)
    return part


def _projected(layout: Layout, rows: np.ndarray, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    projection = layout.projection
    return projection.apply(rows, weights[projection.weight], projection.bias and weights[projection.bias])


def _check(layout: Layout, tokens: np.ndarray, positions: np.ndarray | None, weights: Mapping[str, np.ndarray]) -> None:
    _check_shape(layout.token, tokens.shape, (len(tokens), layout.output_dim))
    if positions is None and layout.position:
        raise EmbedvizError("{model} needs rows of its positional table.", model=layout.title)
    if positions is not None and not layout.position:
        raise EmbedvizError("{model} has no table of positions.", model=layout.title)
    if positions is not None:
        _check_shape(layout.position, positions.shape, (len(tokens), layout.sum_dim))
    for name in layout.small:
        if name not in weights:
            raise EmbedvizError("{model} needs the tensor {name}.", model=layout.title, name=name)
        _check_shape(name, weights[name].shape, layout.shapes[name])


def _check_shape(name: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    if shape != wanted:
        raise EmbedvizError("{name} must have the shape {wanted}, not {shape}.", name=name, wanted=wanted, shape=shape)
