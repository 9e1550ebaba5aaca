"""The small GPT under six position schemes of this project, on texts of any length."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import nn

from embedviz.base.errors import EmbedvizError
from embedviz.positions import SCHEMES, alibi, t5
from embedviz.positions.common import distances
from embedviz.positions.rope_frequencies import frequencies
from embedviz.training.model import GPT, Shape

NAMES = ("none", "learned", "sinusoidal", "t5", "rope", "alibi")
SINUSOIDAL_SIZE = 0.02 * 2**0.5  # so that the sines are as large on average as the numbers of a table that is learned
T5_BUCKETS, T5_MAX_DISTANCE = 16, 16  # so that the last range is met in training, as it is in a T5


class SchemeGPT(GPT):
    """A GPT whose positional vectors, angles and biases are those of `embedviz.positions`."""

    def __init__(self, shape: Shape, generator: torch.Generator) -> None:
        super().__init__(shape, generator)
        if shape.positions == "t5":  # all layers share the table
            self.biases = nn.Parameter(t5.table(T5_BUCKETS, shape.output_dim, shape.n_heads, generator))

    def forward(self, ids: torch.Tensor, scaling: Mapping[str, object] | None = None) -> torch.Tensor:
        """IDs (B, T) to logits (B, T, V). scaling: how RoPE is stretched, as `frequencies` takes it."""
        n_tokens = ids.shape[1]
        x, angles, bias = self.token_embedding(ids), None, None
        if SCHEMES[self.shape.positions].kind == "add":
            x = x + self.added(n_tokens)
        elif self.shape.positions == "rope":
            angles = self.angles(n_tokens, scaling)
        elif self.shape.positions != "none":
            bias = self.bias(n_tokens)
        for block in self.blocks:
            x = block(x, angles, bias)
        return self.head(self.norm(x))

    def added(self, n_tokens: int) -> torch.Tensor:
        """The positional vectors, (T, D). Raises EmbedvizError if the learned table ends before."""
        if self.shape.positions == "learned":
            if n_tokens > self.shape.context_length:
                raise EmbedvizError("The learned table ends at {n}.", n=self.shape.context_length)
            return self.position_embedding.weight[:n_tokens]
        from embedviz.positions.sinusoidal import table
        return torch.tensor(table(n_tokens, self.shape.output_dim)) * SINUSOIDAL_SIZE

    def angles(self, n_tokens: int, scaling: Mapping[str, object] | None) -> torch.Tensor:
        """The angles of RoPE, float64 (T, d/2)."""
        speeds, _factor = frequencies(self.shape.output_dim // self.shape.n_heads, scaling=scaling, seq_len=n_tokens)
        return torch.arange(n_tokens).double()[:, None] * torch.tensor(speeds).double()

    def bias(self, n_tokens: int) -> torch.Tensor:
        """What ALiBi or T5 adds to the scores, (H, T, T), and -inf where a token may not look."""
        if self.shape.positions == "alibi":
            added = torch.tensor(alibi.bias(n_tokens, self.shape.n_heads))
        else:
            apart = distances(np.arange(n_tokens))
            added = self.biases.T[:, torch.from_numpy(t5.bucket(apart, False, T5_BUCKETS, T5_MAX_DISTANCE))]
        return added + torch.full((n_tokens, n_tokens), -torch.inf).triu(1)
