"""Learned positions: a second embedding table with one row for each position (Gehring et al. 2017)."""

import torch


def table(context_length: int, output_dim: int, generator: torch.Generator) -> torch.Tensor:
    """The untrained table, standard normal, shape (L, D), float32.

    Equals `nn.Embedding(context_length, output_dim).weight` bit for bit when the
    global generator stands where `generator` does.
    """
    return torch.empty(context_length, output_dim).normal_(generator=generator)
