"""The small GPT under six position schemes of this project, on texts of any length."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

from embedviz.positions import SCHEMES
from embedviz.positions.alibi import by_distance, slopes
from embedviz.positions.common import distances
from embedviz.positions.rope_frequencies import frequencies
from embedviz.positions.t5 import bucket, table
from embedviz.training.model import GPT, Shape

NAMES = ("none", "learned", "sinusoidal", "t5", "rope", "alibi")
SINUSOIDAL_SIZE = 0.02 * 2**0.5  # so that sines are as large on average as the first numbers of a learned table
T5_BUCKETS, T5_MAX_DISTANCE = 16, 16  # so few that the last range is met in texts of 32 tokens, as it is in a real T5


class SchemeGPT(GPT):
    """A GPT whose positional vectors, angles and biases are those of `embedviz.positions`."""

    def __init__(self, shape: Shape, generator: torch.Generator) -> None:
        super().__init__(shape, generator)
        if shape.positions == "t5":  # all layers share the table
            self.biases = nn.Parameter(table(T5_BUCKETS, shape.output_dim, shape.n_heads, generator))

    def forward(self, ids: torch.Tensor, scaling: Mapping[str, object] | None = None) -> torch.Tensor:
        """IDs (B, T) to logits (B, T, V). scaling: how RoPE is stretched, as `frequencies` takes it.

        A learned table must have a row for each token.
        """
        at, kind = np.arange(ids.shape[1]), SCHEMES[self.shape.positions].kind
        x = self.token_embedding(ids)  # (B, T, D)
        if kind == "add":
            x = x + self.added(at)
        angles = self.angles(at, scaling) if kind == "rotate" else None
        bias = self.bias(at) if kind == "bias" else None
        for block in self.blocks:
            x = block(x, angles, bias)
        return self.head(self.norm(x))

    def added(self, at: np.ndarray) -> torch.Tensor:
        """The positional vectors at these positions, (T, D)."""
        rows = SCHEMES[self.shape.positions].added(
            at, self.shape.output_dim, lambda n: self.position_embedding.weight[:n]
        )
        return rows if isinstance(rows, torch.Tensor) else SINUSOIDAL_SIZE * torch.tensor(rows)

    def angles(self, at: np.ndarray, scaling: Mapping[str, object] | None) -> torch.Tensor:
        """The angles by which RoPE turns the pairs of a head, float64 (T, d/2)."""
        speeds, _factor = frequencies(self.shape.output_dim // self.shape.n_heads, scaling=scaling, seq_len=len(at))
        return torch.from_numpy(np.outer(at, speeds.astype(np.float64)))

    def bias(self, at: np.ndarray) -> torch.Tensor:
        """What ALiBi or T5 adds to the scores, (H, T, T), and -inf where a token must not look."""
        if self.shape.positions == "alibi":
            added = torch.from_numpy(by_distance(distances(at), slopes(self.shape.n_heads)))
        else:
            rows = torch.tensor(bucket(distances(at), False, T5_BUCKETS, T5_MAX_DISTANCE))
            added = self.biases.T[:, rows]
        return added + torch.full((len(at), len(at)), -torch.inf).triu(1)
