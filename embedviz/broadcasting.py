"""A batch through the embedding layers, with the shape of every step."""

from dataclasses import dataclass

import numpy as np
import torch

from embedviz import tables
from embedviz.batches import Batch
from embedviz.spec import Spec


@dataclass(frozen=True)
class Embeddings:
    """B windows of L tokens as vectors of D dimensions.

    token_embeddings: float32 (B, L, D). positional_embeddings: float32 (L, D), one row a position, used
    again for each of the B windows. input_embeddings: their sum, float32 (B, L, D).
    """

    token_embeddings: np.ndarray
    positional_embeddings: np.ndarray
    input_embeddings: np.ndarray


def embed_batch(batch: Batch, vocab_size: int, spec: Spec) -> Embeddings:
    """Look a batch up and add the positions, broadcast over the batch.

    Raises EmbedvizError if a table would be too large.
    """
    token_embeddings = tables.token_table(vocab_size, spec).weights[batch.inputs]  # (B, L, D)
    positional = tables.position_table(vocab_size, spec).weights[: batch.inputs.shape[1]]  # (L, D)
    return Embeddings(token_embeddings, positional, token_embeddings + positional)  # (B, L, D) + (L, D)


def sum_shape(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | str:
    """The shape that PyTorch gives to a sum of tensors of these shapes, or what it says against it."""
    try:
        return tuple(torch.broadcast_shapes(first, second))
    except RuntimeError:
        return _refusal(first, second)


def _refusal(first: tuple[int, ...], second: tuple[int, ...]) -> str:
    one = torch.zeros(())
    try:
        one.expand(first) + one.expand(second)  # one number seen from everywhere: it takes no memory
    except RuntimeError as error:
        return str(error)
    raise AssertionError(f"{first} and {second} add up after all")


def positions_from_edge(mask: np.ndarray) -> np.ndarray:
    """Positions counted from the left edge, whatever stands there; mask and result have shape (B, L)."""
    return np.broadcast_to(np.arange(mask.shape[1]), mask.shape)


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """Positions counted from the first real token; padding, where the mask is 0, gets position 0.

    The way of Hugging Face's GPT-2 in `prepare_inputs_for_generation`: cumulative sum of the mask, minus 1.
    """
    return np.where(mask == 1, np.cumsum(mask, axis=1) - 1, 0)
