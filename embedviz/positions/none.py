"""No positions: every vector stays as it is in the table of its token ID."""

import numpy as np

from embedviz.base.i18n import N_
from embedviz.positions.reach import Reach, State
from embedviz.positions.scheme import Program, Scheme


def table(context_length: int, output_dim: int) -> np.ndarray:
    """Zeros of shape (L, D), float32."""
    return np.zeros((context_length, output_dim), np.float32)


def _reach(trained: int, used: int, output_dim: int, n_heads: int) -> Reach:
    """The reach of no positions. Its number counts the tokens that the last one sees through a causal mask."""
    return Reach(np.full(used, State.UNTOLD, np.uint8), used, min(trained, used))


SCHEME = Scheme(
    name="none",
    title=N_("None"),
    kind="none",
    paper="Haviv et al. 2022",
    good_for=N_("Some layers of models with RoPE in the others; a causal mask lets order in"),
    seen_in="models/layers",
    told=N_("No positions to look up; a causal mask lets order in, over {n} tokens, in training {seen}"),
    reach=_reach,
    program=Program(past='print("none", used)'),
)
