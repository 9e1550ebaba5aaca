"""The numbers of the page "Lookup" as PyTorch programs."""

from collections.abc import Sequence

import numpy as np

from embedviz.vectors.lookup import ModelSize, Sum


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


def pytorch_mistake(n_rows: int, output_dim: int, seed: int, ids: Sequence[int]) -> str:
    """A short program that prints the rows of these IDs, or PyTorch's words if there are none."""
    return f"""import torch

torch.manual_seed({seed})
embedding = torch.nn.Embedding({n_rows}, {output_dim})
try:
    print(embedding(torch.tensor({list(ids)})).tolist())
except (IndexError, RuntimeError) as error:
    print(f"{{type(error).__name__}}: {{error}}")
"""


def pytorch_sums(*sums: Sum) -> str:
    """A short program that prints token plus positional vectors, rounded to one decimal."""
    lines = ["import torch", ""]
    for each in sums:
        lines += [
            f"tokens = torch.tensor({_rounded(each.tokens)})",
            f"positions = torch.tensor({_rounded(each.positions)})",
            "for row in (tokens + positions).tolist():",
            "    print([round(number, 1) for number in row])",
        ]
    return "\n".join([*lines, ""])


def pytorch_sizes(sizes: Sequence[ModelSize]) -> str:
    """A short program that prints parameters and bytes in float32 and float16 of each table, without memory."""
    rows = "\n".join(f"    ({size.vocab_size}, {size.output_dim}),  # {size.name}" for size in sizes)
    return f"""import torch

sizes = [
{rows}
]
for vocab_size, output_dim in sizes:
    weight = torch.nn.Embedding(vocab_size, output_dim, device="meta").weight
    print(weight.numel(), weight.nbytes, weight.half().nbytes)
"""


def _rounded(rows: np.ndarray) -> list[list[float]]:
    return [[round(number, 1) for number in row] for row in rows.tolist()]
