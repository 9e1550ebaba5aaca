"""Rotary positions, RoPE (Su et al. 2021, section 3.2).

Dimensions are taken in pairs; at position m pair k is turned by the angle m theta_k:

    theta_k = base^(-2k / D)
    (x, y)  ->  (x cos(m theta_k) - y sin(m theta_k),  x sin(m theta_k) + y cos(m theta_k))

Query and key are turned, the value is not. A turn by m and a turn by n leave in the dot product the turn
by n - m alone, so that scores depend on the distance.

Which dimensions make a pair is a convention: "interleaved" pairs 2k with 2k + 1, as in the paper and
GPT-J; "half" pairs k with k + D/2, as in GPT-NeoX and LLaMA. One is the other with dimensions renamed.
"""

import math
from typing import Literal, get_args

import numpy as np

from embedviz.base.checks import check_choice, short
from embedviz.base.errors import EmbedvizError
from embedviz.positions.common import A, angular_speeds, array, first_and_second, like
from embedviz.positions.rope_frequencies import frequencies
from embedviz.positions.scheme import Lines, Program, Scheme

Layout = Literal["half", "interleaved"]
LAYOUTS = get_args(Layout)

__all__ = ["LAYOUTS", "SCHEME", "Layout", "frequencies", "rotate", "turned_apart"]


def rotate(x: A, positions: object, base: float = 10000.0, layout: Layout = "half") -> A:
    """Turn the rows of `x`, floating numbers of shape (..., T, D), each by its position, (T,) numbers.

    The result is like `x`; sines and cosines are computed in float64 and rounded once. Raises EmbedvizError
    if D is odd, if there is not one position for each row, or for another layout or a base that is not
    positive.
    """
    check_choice("layout", layout, LAYOUTS)
    values, places = array(x), array(positions)
    _check(values, places, base)
    angles = np.outer(places, angular_speeds(values.shape[-1], base))  # (T, D/2)
    cos, sin = np.cos(angles).astype(values.dtype), np.sin(angles).astype(values.dtype)
    first, second = first_and_second(values.shape[-1], layout)
    a, b = values[..., first], values[..., second]  # (..., T, D/2)
    turned = np.empty_like(values)
    turned[..., first] = a * cos - b * sin
    turned[..., second] = a * sin + b * cos
    return like(turned, x)


def turned_apart(queries: np.ndarray, keys: np.ndarray, distances: np.ndarray) -> np.ndarray:
    """The product of each query with its key, (N, D) both, at each distance, key - query, (S,): (N, S), float64.

    The products are those after `rotate`. They depend on the positions only by their distance.
    """
    angles = np.outer(angular_speeds(queries.shape[-1]), distances)  # (D/2, S)
    (a, b), (c, d) = (np.split(each.astype(np.float64), 2, axis=-1) for each in (queries, keys))  # (N, D/2)
    return (a * c + b * d) @ np.cos(angles) + (b * c - a * d) @ np.sin(angles)


def _check(values: np.ndarray, places: np.ndarray, base: float) -> None:
    if values.ndim < 2 or not np.issubdtype(values.dtype, np.floating):
        raise EmbedvizError(
            "x must be floating-point numbers of shape (T, D), not {dtype} of {shape}.",
            dtype=values.dtype,
            shape=values.shape,
        )
    n_rows, n_dims = values.shape[-2:]
    if n_dims < 2 or n_dims % 2:
        raise EmbedvizError(
            "RoPE turns dimensions in pairs; {n_dims} is not even. Try {better}.",
            n_dims=n_dims,
            better=max(n_dims + 1, 2),
        )
    if places.shape != (n_rows,):
        raise EmbedvizError("{n_rows} rows need {n_rows} positions; there are {n}.", n_rows=n_rows, n=places.size)
    if not (isinstance(base, (int, float)) and math.isfinite(base) and base > 0):
        raise EmbedvizError("base must be a positive number such as 10000, not {base}.", base=short(base))


TURNED = """def turned(x, at):  # RoPE, dimension k paired with k + d/2
    angles = torch.outer(at.double(), 10000.0 ** (-torch.arange(0, head_dim, 2).double() / head_dim))
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)"""

SCHEME = Scheme(
    name="rope",
    title="RoPE",
    kind="rotate",
    even_output_dim=True,
    even_head_dim=True,
    paper="Su et al. 2021",
    seen_in="rope/turn",
    turned=lambda queries, keys, places: (rotate(queries, places), rotate(keys, places)),
    past_training="formula",
    program=Program(
        tables=lambda causal: tuple(TURNED.split("\n")), layer=Lines(turned=("q, k = turned(q, at), turned(k, at)",))
    ),
)
