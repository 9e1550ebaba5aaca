"""The numbers of the page "Lookup" as PyTorch programs."""

from collections.abc import Sequence


def pytorch_lookup(vocab_size: int, output_dim: int, seed: int, ids: Sequence[int]) -> str:
    """A short program that prints the looked-up rows, then whether one-hot times the table equals them."""
    return f"""import torch

torch.manual_seed({seed})
embedding = torch.nn.Embedding({vocab_size}, {output_dim})  # vocab_size, output_dim
ids = torch.tensor({list(ids)})

with torch.no_grad():
    rows = embedding(ids)
    one_hot = torch.nn.functional.one_hot(ids, {vocab_size}).float()
    print(rows.tolist())
    print(torch.equal(one_hot @ embedding.weight, rows))
"""
