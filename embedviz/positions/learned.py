"""Learned positions: a second embedding table with one row for each position (Gehring et al. 2017)."""

from collections.abc import Callable

import numpy as np
import torch

from embedviz.base.i18n import N_
from embedviz.positions.common import normal
from embedviz.positions.scheme import Learned, Lines, Program, Scheme


def table(context_length: int, output_dim: int, generator: torch.Generator) -> torch.Tensor:
    """The untrained table, standard normal, shape (L, D), float32.

    Equals `nn.Embedding(context_length, output_dim).weight` bit for bit when the
    global generator stands where `generator` does.
    """
    return normal(context_length, output_dim, generator)


def _added(places: np.ndarray, output_dim: int, first_rows: Callable[[int], np.ndarray]) -> np.ndarray:
    rows = first_rows(int(places.max(initial=-1)) + 1)
    return rows[places[places < len(rows)]]


SCHEME = Scheme(
    name="learned",
    title=N_("Learned"),
    kind="add",
    has_end=True,
    paper="Gehring et al. 2017",
    seen_in="positions/end",
    added=_added,
    learns=lambda model: Learned(once=model.context_length * model.output_dim),
    past_training="ends",
    program=Program(
        added=("return {scale}position_embedding(torch.arange(n_tokens))",),
        layer=Lines(added=("x = x + position_embedding(at)",)),
    ),
)
