"""T5's relative position biases (Raffel et al. 2019, section 2.1).

    score(i, j) = q_i . k_j + b[bucket(j - i), h]

b is a learned table with one number for each bucket and head. With N buckets for one direction and the
first half of them exact, a distance n of N/2 or more goes to bucket

    N/2 + floor(log(n / (N/2)) / log(max_distance / (N/2)) * (N - N/2)),  at most N - 1.

Bidirectional attention gives half of num_buckets to each direction. All layers share the table.
"""

import math
from functools import partial

import numpy as np
import torch

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.positions.common import A, array, kept_for_distances, like, normal, unique_distances
from embedviz.positions.scheme import Heads, Learned, Lines, OwnTable, Program, Scheme

NUM_BUCKETS, MAX_DISTANCE = 32, 128  # of the published models
_MAX = 2**20


def bucket(
    relative_position: A, bidirectional: bool = True, num_buckets: int = NUM_BUCKETS, max_distance: int = MAX_DISTANCE
) -> A:
    """The bucket of every relative position, key - query, whole numbers of any shape; like the input.

    The logarithm is taken in float32, in the order of the published code, so that the edges between
    buckets are its edges. Raises EmbedvizError for numbers that are not whole, for too few buckets (4 if
    bidirectional, else 2), or a max_distance within the exact half.
    """
    given = array(relative_position)
    if not np.issubdtype(given.dtype, np.integer):
        raise EmbedvizError("relative_position must be whole numbers, key - query, not {dtype}.", dtype=given.dtype)
    check_whole("num_buckets", num_buckets, 4 if bidirectional else 2, _MAX)
    one_way = num_buckets // 2 if bidirectional else num_buckets
    check_whole("max_distance", max_distance, one_way // 2 + 1, _MAX)
    distances = torch.from_numpy(given.astype(np.int64))
    after = one_way * (distances > 0).long() if bidirectional else 0
    apart = distances.abs() if bidirectional else (-distances).clamp(min=0)
    return like((after + _one_way(apart, one_way, max_distance)).numpy().astype(given.dtype), relative_position)


def table(num_buckets: int, output_dim: int, n_heads: int, generator: torch.Generator) -> torch.Tensor:
    """The untrained table b, normal numbers of variance 1/D as in T5's own code, shape (num_buckets, H), float32."""
    return normal(num_buckets, n_heads, generator) / output_dim**0.5


def _one_way(apart: torch.Tensor, n_buckets: int, max_distance: int) -> torch.Tensor:
    """Buckets 0 to n_buckets - 1 of distances in one direction, which are not negative."""
    n_exact = n_buckets // 2
    # What is apart by less than n_exact does not need the logarithm; 1 keeps its zeros away.
    share = torch.log(apart.clamp(min=1).float() / n_exact) / math.log(max_distance / n_exact)
    far = (n_exact + (share * (n_buckets - n_exact)).long()).clamp(max=n_buckets - 1)
    return torch.where(apart < n_exact, apart, far)


@kept_for_distances(2**22)
def _kept_buckets(distances: np.ndarray, bidirectional: bool) -> np.ndarray:
    """`bucket` of the distances of a sentence."""
    return read_only(bucket(distances, bidirectional))


def _score(heads: Heads) -> np.ndarray:
    distances, index = unique_distances(heads.places)
    return heads.own["bias"][_kept_buckets(distances, not heads.causal)[index[heads.rows]]].transpose(2, 0, 1)


def bucket_lines(causal: bool, num_buckets: int = NUM_BUCKETS, max_distance: int = MAX_DISTANCE) -> tuple[str, ...]:
    """The lines of a program with the function `bucket(steps)` of distances, key - query."""
    n, offset, distance = num_buckets, "0", "(-steps).clamp(min=0)"
    if not causal:
        n, offset, distance = n // 2, f"{n // 2} * (steps > 0)", "steps.abs()"
    exact = n // 2
    return (
        f"def bucket(steps):  # T5, {num_buckets} buckets, {max_distance} at most; step = key - query",
        f"    distance, ratio = {distance}, torch.tensor({max_distance} / {exact})",
        f"    share = torch.log(distance.clamp(min=1).float() / {exact}) / torch.log(ratio)",
        f"    far = ({exact} + (share * {n - exact}).long()).clamp(max={n - 1})",
        f"    return {offset} + torch.where(distance < {exact}, distance, far)",
    )


SCHEME = Scheme(
    name="t5",
    title="T5",
    kind="bias",
    paper="Raffel et al. 2019",
    seen_in="relative/distance",
    own=(OwnTable("bias", partial(table, NUM_BUCKETS), "column"),),
    score=_score,
    learns=lambda model: Learned(once=NUM_BUCKETS * model.n_heads),
    past_training="last row",
    program=Program(
        tables=lambda causal: ("bias = torch.randn(32, n_heads) / D**0.5", "", *bucket_lines(causal)),
        layer=Lines(after=("s = s + bias[bucket(steps)].permute(2, 0, 1)",)),
    ),
)
