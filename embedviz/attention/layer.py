"""The seeded weights of one self-attention layer: query, key and value matrices, and the scheme's own tables."""

import math
import threading
from dataclasses import dataclass, replace
from typing import Any

import cachetools
import numpy as np
import torch

from embedviz import positions
from embedviz.base.arrays import read_only
from embedviz.base.checks import MAX_SEED, check_choice, check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import translated
from embedviz.positions.common import matrix
from embedviz.positions.scheme import Scheme
from embedviz.vectors.spec import MAX_OUTPUT_DIM, Spec

BUDGET_BYTES = 2**27  # for all layers together; the layer used longest ago is removed first
MAX_HEADS = 64
# DeBERTa's tables take the most, up to those of six matrices of shape (D, D): a wider layer would never be kept.
MAX_LAYER_DIM = math.isqrt(BUDGET_BYTES // (6 * 4))


@dataclass(frozen=True)
class Layer:
    """One self-attention layer without its output projection, of H heads of d dimensions, H d = D.

    query, key, value: float32 matrices of shape (D, D), used as `x @ query`; head h owns the columns from
        h d on. They hold normal numbers of variance 1/D, so that vectors keep their length on average.
    own: the scheme's tables by the names in its record. Tables that a model would learn hold untrained random numbers.
    """

    position: str
    n_heads: int
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    own: dict[str, np.ndarray]

    @property
    def nbytes(self) -> int:
        """The bytes of the budget that the layer takes."""
        return sum(table.nbytes for table in (self.query, self.key, self.value, *self.own.values()))


_layers = cachetools.LRUCache[Any, Layer](maxsize=BUDGET_BYTES, getsizeof=lambda layer: layer.nbytes)


def make_layer(position: str, output_dim: int, n_heads: int = 1, seed: int = 0) -> Layer:
    """Make the layer of a scheme. One seed gives all schemes the same query, key and value matrices.

    The numbers equal those of `torch.manual_seed(seed)`, then `torch.randn(D, D) / D**0.5` for query, key and value,
    then `torch.randn` for the scheme's own tables in the order of `Layer.own`. Of these tables, matrices of shape
    (D, D) and T5's biases are also divided by D**0.5.

    Raises EmbedvizError for an unknown scheme, for more than MAX_LAYER_DIM dimensions, for heads that do not divide
    output_dim, and for heads of an odd size where the scheme needs pairs.
    """
    check_choice("position", position, tuple(positions.SCHEMES))
    check_whole("output_dim", output_dim, 1, MAX_OUTPUT_DIM)
    _check_width(output_dim)
    check_whole("n_heads", n_heads, 1, MAX_HEADS)
    check_whole("seed", seed, 0, MAX_SEED)
    _check_heads(positions.SCHEMES[position], output_dim, n_heads)
    return _layer(position, output_dim, n_heads, seed)


def one_head(layer: Layer, head: int) -> Layer:
    """One head, counted from 0, as a layer of its own, which has the head's columns of every matrix, (D, d).

    Raises EmbedvizError if there is no such head.
    """
    check_whole("head", head, 0, layer.n_heads - 1)
    head_dim = layer.query.shape[1] // layer.n_heads
    mine = slice(head * head_dim, (head + 1) * head_dim)
    cuts = {"columns": (..., mine), "row": slice(head, head + 1), "column": (..., [head]), None: ...}
    own = {each.name: layer.own[each.name][cuts[each.share]] for each in positions.SCHEMES[layer.position].own}
    query, key, value = (whole[:, mine] for whole in (layer.query, layer.key, layer.value))
    return replace(layer, n_heads=1, query=query, key=key, value=value, own=own)


def layer_for(spec: Spec, n_heads: int = 1) -> Layer:
    """The layer of a Spec. Its seed is the one after the Spec's, so that it does not repeat the tables' numbers."""
    return make_layer(spec.position, spec.output_dim, n_heads, next_seed(spec.seed))


def next_seed(seed: int) -> int:
    """The seed of a layer whose tables have this seed: the next one, or 0 after the last."""
    return seed + 1 if seed < MAX_SEED else 0


def _check_width(output_dim: int) -> None:
    if output_dim > MAX_LAYER_DIM:
        raise EmbedvizError(
            "The matrices of an attention layer are made here for at most {most:,} dimensions, and these vectors "
            "have {output_dim:,}. Take a model that is less wide, or random vectors.",
            most=MAX_LAYER_DIM,
            output_dim=output_dim,
        )


def _check_heads(scheme: Scheme, output_dim: int, n_heads: int) -> None:
    if output_dim % n_heads:
        fitting = max(n for n in range(1, n_heads) if output_dim % n == 0)
        raise EmbedvizError(
            "n_heads must divide output_dim; {output_dim} dimensions do not go into {n_heads} heads. Try "
            "n_heads {fitting}.",
            output_dim=output_dim,
            n_heads=n_heads,
            fitting=fitting,
        )
    if scheme.even_head_dim and output_dim // n_heads % 2:
        raise EmbedvizError(
            "{title} turns dimensions in pairs, so a head needs an even number of them; {output_dim} "
            "dimensions in {n_heads} heads are {each} each. Try output_dim {better}.",
            title=translated(scheme.title),
            output_dim=output_dim,
            n_heads=n_heads,
            each=output_dim // n_heads,
            better=output_dim + n_heads,
        )
    scheme.check_width(output_dim)


@cachetools.cached(_layers, condition=threading.Condition())
def _layer(position: str, output_dim: int, n_heads: int, seed: int) -> Layer:
    # We use a generator of our own, since all visitors' threads share the global one.
    generator = torch.Generator().manual_seed(seed)
    query, key, value = (read_only(matrix(output_dim, generator).numpy()) for _ in range(3))
    drawn = positions.SCHEMES[position].own
    own = {each.name: read_only(each.draw(output_dim, n_heads, generator).numpy()) for each in drawn}
    return Layer(position, n_heads, query, key, value, own)
