"""The weights of one self-attention layer, seeded: query, key and value matrices, and the scheme's own."""

import threading
from dataclasses import dataclass, replace

import cachetools
import numpy as np
import torch

from embedviz import positions
from embedviz.checks import check_choice, check_whole
from embedviz.errors import EmbedvizError
from embedviz.spec import MAX_OUTPUT_DIM, MAX_SEED, Spec
from embedviz.texts import _

BUDGET_BYTES = 2**27  # all layers together; the one used longest ago goes first
MAX_HEADS = 64


@dataclass(frozen=True)
class Layer:
    """One self-attention layer without its output projection, of H heads of d dimensions, H d = D.

    query, key, value: float32 matrices of shape (D, D), used as `x @ query`; head h owns the columns from
        h d on. Normal numbers of variance 1/D, so that vectors keep their length on average.
    own: the scheme's tables by name. What it would learn is here untrained random numbers: "bias"
        (num_buckets, H) of T5; "keys", "values" (2k + 1, d) of Shaw; "position_key" (D, D), "u", "v" (H, d)
        of Transformer-XL; "relative" (2k, D), "position_key", "position_query" (D, D) of DeBERTa. "slopes" (H,)
        of ALiBi are not learned.
    """

    position: str
    n_heads: int
    query: np.ndarray
    key: np.ndarray
    value: np.ndarray
    own: dict[str, np.ndarray]

    @property
    def nbytes(self) -> int:
        """What the layer takes of the budget."""
        return sum(table.nbytes for table in (self.query, self.key, self.value, *self.own.values()))


_layers = cachetools.LRUCache(maxsize=BUDGET_BYTES, getsizeof=lambda layer: layer.nbytes)


def make_layer(position: str, output_dim: int, n_heads: int = 1, seed: int = 0) -> Layer:
    """The layer for a scheme; one seed gives all schemes the same query, key and value matrices.

    Equal to `torch.manual_seed(seed)`, then `torch.randn(D, D) / D**0.5` for query, key and value, then
    the scheme's own tables in the order of `Layer.own`: `torch.randn`, matrices of (D, D) over D**0.5.

    Raises EmbedvizError for an unknown scheme, for heads that do not divide output_dim, and for heads of
    an odd size where the scheme needs pairs.
    """
    check_choice("position", position, tuple(positions.SCHEMES))
    check_whole("output_dim", output_dim, 1, MAX_OUTPUT_DIM)
    check_whole("n_heads", n_heads, 1, MAX_HEADS)
    check_whole("seed", seed, 0, MAX_SEED)
    _check_heads(position, output_dim, n_heads)
    return _layer(position, output_dim, n_heads, seed)


def one_head(layer: Layer, head: int) -> Layer:
    """Head number `head`, from 0, as a layer of its own: its columns of every matrix, (D, d).

    Raises EmbedvizError if there is no such head.
    """
    check_whole("head", head, 0, layer.n_heads - 1)
    head_dim = layer.query.shape[1] // layer.n_heads
    mine = slice(head * head_dim, (head + 1) * head_dim)
    cuts = {"columns": (slice(None), mine), "row": slice(head, head + 1), "column": (slice(None), [head])}
    own = {name: table[cuts[_MINE[name]]] if name in _MINE else table for name, table in layer.own.items()}
    query, key, value = (matrix[:, mine] for matrix in (layer.query, layer.key, layer.value))
    return replace(layer, n_heads=1, query=query, key=key, value=value, own=own)


# Where a head's share of an own table lies; all heads share the others.
_MINE = {
    "position_key": "columns",
    "position_query": "columns",
    "u": "row",
    "v": "row",
    "slopes": "row",
    "bias": "column",
}


def layer_for(spec: Spec, n_heads: int = 1) -> Layer:
    """The layer of a Spec. Its seed is the next one: with that of the tables its numbers would be theirs."""
    return make_layer(spec.position, spec.output_dim, n_heads, next_seed(spec.seed))


def next_seed(seed: int) -> int:
    """The seed of the layer over tables of this seed."""
    return seed + 1 if seed < MAX_SEED else 0


def _check_heads(position: str, output_dim: int, n_heads: int) -> None:
    if output_dim % n_heads:
        fitting = max(n for n in range(1, n_heads) if output_dim % n == 0)
        raise EmbedvizError(
            _(
                "n_heads must divide output_dim; {output_dim} dimensions do not go into {n_heads} heads. Try "
                "n_heads {fitting}.",
                output_dim=output_dim,
                n_heads=n_heads,
                fitting=fitting,
            )
        )
    if position == "rope" and output_dim // n_heads % 2:
        raise EmbedvizError(
            _(
                "RoPE turns dimensions in pairs, so a head needs an even number of them; {output_dim} "
                "dimensions in {n_heads} heads are {each} each. Try output_dim {better}.",
                output_dim=output_dim,
                n_heads=n_heads,
                each=output_dim // n_heads,
                better=output_dim + n_heads,
            )
        )
    if positions.SCHEMES[position].even_output_dim and output_dim % 2:
        title = positions.SCHEMES[position].title
        raise EmbedvizError(
            _(
                "{title} needs an even output_dim; {output_dim} is odd. Try {better}.",
                title=title,
                output_dim=output_dim,
                better=output_dim + 1,
            )
        )


@cachetools.cached(_layers, condition=threading.Condition())
def _layer(position: str, output_dim: int, n_heads: int, seed: int) -> Layer:
    # A generator of our own: the global one is shared by every visitor's thread.
    generator = torch.Generator().manual_seed(seed)
    query, key, value = (_matrix(output_dim, generator) for _ in range(3))
    own = {name: _read_only(table) for name, table in _own(position, output_dim, n_heads, generator).items()}
    return Layer(position, n_heads, *map(_read_only, (query, key, value)), own)


def _own(position: str, output_dim: int, n_heads: int, generator: torch.Generator) -> dict[str, torch.Tensor]:
    head_dim = output_dim // n_heads
    if position == "alibi":
        return {"slopes": torch.from_numpy(positions.alibi.slopes(n_heads).copy())}
    if position == "t5":
        return {"bias": positions.t5.table(positions.t5.NUM_BUCKETS, n_heads, generator)}
    if position == "shaw":
        k = positions.shaw.MAX_DISTANCE
        return {name: positions.shaw.table(k, head_dim, generator) for name in ("keys", "values")}
    if position == "transformer_xl":
        matrix = _matrix(output_dim, generator)
        return {"position_key": matrix} | {name: _normal(n_heads, head_dim, generator) for name in "uv"}
    if position == "deberta":
        relative = positions.deberta.table(positions.deberta.MAX_DISTANCE, output_dim, generator)
        names = ("position_key", "position_query")
        return {"relative": relative} | {name: _matrix(output_dim, generator) for name in names}
    return {}


def _matrix(output_dim: int, generator: torch.Generator) -> torch.Tensor:
    return _normal(output_dim, output_dim, generator) / output_dim**0.5


def _normal(n_rows: int, n_columns: int, generator: torch.Generator) -> torch.Tensor:
    return torch.empty(n_rows, n_columns).normal_(generator=generator)


def _read_only(table: torch.Tensor) -> np.ndarray:
    rows = table.numpy()
    rows.flags.writeable = False
    return rows
