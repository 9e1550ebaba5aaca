"""A small GPT in nanoGPT's shape: two embedding tables, blocks of attention and MLP, a head."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional


@dataclass(frozen=True)
class Shape:
    """What decides the sizes of a model."""

    vocab_size: int
    context_length: int = 11  # the words of an item of the site's own language, without its full stop
    output_dim: int = 32
    n_heads: int = 4
    n_layers: int = 1
    positions: str = "learned"  # a table of vectors that are added; or "rope"; or "none"
    tied: bool = True  # the head is the token table, as in GPT-2


class Block(nn.Module):
    """Causal self-attention and an MLP, each added to what came in.

    angles: see `turned`; None if nothing turns. bias: added to every score, with the mask, (H, T, T); None if
    there is the mask alone.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        dim = shape.output_dim
        self.n_heads = shape.n_heads
        self.norm_1, self.norm_2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.queries_keys_values = nn.Linear(dim, 3 * dim)
        self.attended = nn.Linear(dim, dim)
        self.widen, self.narrow = nn.Linear(dim, 4 * dim), nn.Linear(4 * dim, dim)

    def forward(
        self, x: torch.Tensor, angles: torch.Tensor | None = None, bias: torch.Tensor | None = None
    ) -> torch.Tensor:
        """(B, T, D) to (B, T, D)."""
        return self.leave(x, *self.heads(x, angles), bias=bias)

    def leave(
        self,
        x: torch.Tensor,
        queries: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        bias: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """What leaves for x, (B, T, D), whose `heads` these are. Each token looks at itself and those before it."""
        outputs = functional.scaled_dot_product_attention(queries, keys, values, bias, is_causal=bias is None)
        x = x + self.attended(outputs.transpose(1, 2).reshape(x.shape))  # outputs were (B, H, T, D/H)
        return x + self.narrow(functional.gelu(self.widen(self.norm_2(x))))

    @staticmethod
    def weights(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        """How much each token (row) looks at each token (column) in `leave`, (B, H, T, T)."""
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])  # (B, H, T, T)
        return scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf).softmax(dim=-1)

    def heads(self, x: torch.Tensor, angles: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Queries, keys and values, (B, H, T, D/H) each."""
        batch, length, _dim = x.shape
        parts = self.queries_keys_values(self.norm_1(x)).view(batch, length, 3, self.n_heads, -1)  # (B, T, 3, H, D/H)
        queries, keys, values = parts.permute(2, 0, 3, 1, 4)  # each (B, H, T, D/H)
        return (queries, keys, values) if angles is None else (turned(queries, angles), turned(keys, angles), values)


def turned(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    """RoPE: pairs k, k + d/2 of x (B, H, T, d) turned by their angles, float64 (T, d/2) or (B, 1, T, d/2)."""
    cos, sin = angles.cos().float(), angles.sin().float()
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)


class GPT(nn.Module):
    """Token IDs to logits for the token that follows each of them.

    The parameters come from `generator`: normal, standard deviation 0.02, smaller where a block adds to
    its input (GPT-2's rule); biases are 0. No dropout.
    """

    def __init__(self, shape: Shape, generator: torch.Generator) -> None:
        super().__init__()
        self.shape = shape
        # The layers' first numbers come from the global generator, which is left as it was. On the device "meta" they
        # would have none, yet there PyTorch imports its compiler, which takes 0.6 s.
        with torch.random.fork_rng(devices=[]):
            self.token_embedding = nn.Embedding(shape.vocab_size, shape.output_dim)
            self.position_embedding = nn.Embedding(
                shape.context_length, shape.output_dim
            )  # used or not, all draw alike
            self.blocks: Any = nn.ModuleList(Block(shape) for _ in range(shape.n_layers))  # a program has no cast
            self.norm = nn.LayerNorm(shape.output_dim)
            self.head = nn.Linear(shape.output_dim, shape.vocab_size, bias=False)
        self.position_embedding.requires_grad_(shape.positions == "learned")
        if shape.tied:
            self.head.weight = self.token_embedding.weight
        self.fill(generator)

    @torch.no_grad()
    def fill(self, generator: torch.Generator) -> None:
        """Give every parameter its first value."""
        added = 0.02 / math.sqrt(2 * self.shape.n_layers)
        for name, weights in self.named_parameters():
            if "norm" in name:
                weights.fill_(float(name.endswith("weight")))
            elif name.endswith("bias"):
                weights.zero_()
            else:
                weights.normal_(std=added if "attended" in name or "narrow" in name else 0.02, generator=generator)

    def forward(self, ids: torch.Tensor, places: torch.Tensor | None = None) -> torch.Tensor:
        """IDs of shape (B, T) to logits of shape (B, T, V). places: see `enter`."""
        x, angles = self.enter(ids, places)
        for block in self.blocks:
            x = block(x, angles)
        return self.head(self.norm(x))

    def enter(self, ids: torch.Tensor, places: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor | None]:
        """What enters the first block, (B, T, D), and by which angles the blocks turn it.

        places: how much each token has of each position, (T, L) or (B, T, L). None: each stands where it comes.
        """
        x = self.token_embedding(ids)  # (B, T, D)
        if places is None:
            places = torch.eye(self.shape.context_length)[: ids.shape[1]]  # (T, L)
        if self.shape.positions == "learned":
            x = x + places @ self.position_embedding.weight  # (B, T, D) + (T, L) @ (L, D)
        if self.shape.positions == "rope":
            n_dims = self.shape.output_dim // self.shape.n_heads
            speeds = 10000.0 ** (-torch.arange(0, n_dims, 2).double() / n_dims)  # (d/2,)
            at = (places @ torch.arange(self.shape.context_length).float()).unsqueeze(-2)  # (1, T) or (B, 1, T)
            return x, at[..., None].double() * speeds
        return x, None

    def losses(self, ids: torch.Tensor) -> torch.Tensor:
        """The cross-entropy, in nats, of each next token of windows (B, T + 1), in the shape (B, T)."""
        logits = self(ids[:, :-1])  # (B, T, V)
        return functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
