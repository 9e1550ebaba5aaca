"""Where the vectors that enter a model's first layer come from, in one record, whatever the model's family."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from embedviz.base.i18n import paragraph, translated

Weights = Mapping[str, np.ndarray]
_OLD_ENDINGS = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


@dataclass(frozen=True)
class Norm:
    """A LayerNorm between the sum and the first layer. weight, bias: the names of its tensors, (W,) both."""

    weight: str
    bias: str | None
    epsilon: float

    def apply(self, rows: np.ndarray, weights: Weights) -> np.ndarray:
        """The rows, float32 (T, W), each with mean 0 and variance 1, then times weight plus bias: float32 (T, W).

        It is calculated in float64 and rounded once, so it differs from PyTorch's only in the last digits.
        """
        exact = rows.astype(np.float64)
        apart = exact - exact.mean(axis=-1, keepdims=True)
        spread = np.sqrt((apart**2).mean(axis=-1, keepdims=True) + self.epsilon)  # (T, 1)
        normed = apart / spread * weights[self.weight]
        return (normed + weights[self.bias] if self.bias else normed).astype(np.float32)


@dataclass(frozen=True)
class Projection:
    """A linear map from the width of the token table, D, to the model's, H. weight (H, D) and bias (H,) are names.

    after_sum: False if the token vectors alone go through it, before positions are added, as in OPT-350m; True if it
        comes after the sum and the norm, as in ELECTRA.
    """

    weight: str
    bias: str | None
    after_sum: bool

    def apply(self, rows: np.ndarray, weights: Weights) -> np.ndarray:
        """The rows, float32 (T, D), mapped: float32 (T, H). Calculated in float64 and rounded once."""
        mapped = rows.astype(np.float64) @ weights[self.weight].astype(np.float64).T  # (T, H)
        return (mapped + weights[self.bias] if self.bias else mapped).astype(np.float32)


@dataclass(frozen=True)
class Layout:
    """What a model's config.json says of its vectors. Tensors have the names that they have in the model's core:
    files may put a prefix before them, see `find`.

    prefixes: what files put before the names, from where a model with a head holds its core.
    aliases: other full names of the token table, such as that of the head. tied: True if all these name one table.
    vocab_size, output_dim: the rows V and the width D of the token table `token`.
    hidden_size: the width H of what enters the first layer.
    position: the table of positional vectors; None if nothing is added for positions.
    offset: the table's row of the first position. It is 2 in OPT, and in RoBERTa one more than the ID of <pad>.
    context_length: the positions that the table has, its rows less the offset; without a table, the length that
        config.json says, None if it says none.
    factor: what token vectors are multiplied by, √H in Gemma and 1 elsewhere; see `rounded_factor`.
    segment: the table of segments, of which row 0, the first segment, is added to every token. segments: its rows.
    bias: T5's table of biases by bucket and head, of the encoder, whose layers all share it. buckets, heads: its size.
    kind: "causal" if a token sees only those before it, "encoder" if it sees all, or "encoder-decoder".
    scheme: what stands for positions, a key of `positions.SCHEMES`. scheme_settings: its numbers.
    title: the family's name. sentences: what stands for positions, as marked texts; see `about`.
    """

    prefixes: tuple[str, ...]
    aliases: tuple[str, ...]
    tied: bool
    vocab_size: int
    output_dim: int
    hidden_size: int
    token: str
    position: str | None
    offset: int
    context_length: int | None
    factor: float
    segment: str | None
    segments: int
    norm: Norm | None
    projection: Projection | None
    bias: str | None
    buckets: int
    heads: int
    kind: str
    scheme: str
    scheme_settings: Mapping[str, Any]
    title: str
    sentences: tuple[str, ...]

    @property
    def sum_dim(self) -> int:
        """The width W of the sum of token, positional and segment vectors."""
        return self.output_dim if self.projection and self.projection.after_sum else self.hidden_size

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape that each tensor must have, by its name, first of all the token table's."""
        width = self.sum_dim
        shapes: dict[str, tuple[int, ...]] = {self.token: (self.vocab_size, self.output_dim)}
        if self.position:
            shapes[self.position] = (self.offset + (self.context_length or 0), width)
        if self.segment:
            shapes[self.segment] = (self.segments, width)
        if self.norm:
            shapes |= {name: (width,) for name in (self.norm.weight, self.norm.bias) if name}
        if self.projection:
            shapes[self.projection.weight] = (self.hidden_size, self.output_dim)
            if self.projection.bias:
                shapes[self.projection.bias] = (self.hidden_size,)
        if self.bias:
            shapes[self.bias] = (self.buckets, self.heads)
        return MappingProxyType(shapes)

    @property
    def small(self) -> tuple[str, ...]:
        """The names of the tensors that what enters the first layer needs whole: all but the three tables."""
        return tuple(name for name in self.shapes if name not in (self.token, self.position, self.bias))

    def find(self, names: Collection[str], wanted: str) -> str | None:
        """The full name that a file, which has these names, gives to a tensor of the layout, as transformers finds it.

        None if there is no such tensor, or if two prefixes lead to one each, so that either could be the wrong one.
        """
        old = [wanted.removesuffix(end) + former for end, former in _OLD_ENDINGS.items() if wanted.endswith(end)]
        for name in (wanted, *old):
            found = [prefix + name for prefix in self.prefixes if prefix + name in names]
            if found:
                return found[0] if len(found) == 1 else None
        return next((name for name in self.aliases if self.tied and wanted == self.token and name in names), None)

    def rounded_factor(self, dtype: str = "F32") -> np.float32:
        """The factor as a model has it that calculates in F32, F16 or BF16, the names of safetensors.

        A model rounds the factor to the type of its weights before it multiplies: √3072 is 55.4256, and 55.5 in BF16.
        """
        factor = np.float32(self.factor)
        if dtype == "BF16":  # the upper half of a float32, rounded to the nearest, or the even one of two as near
            bits = factor.view(np.uint32)
            upper = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)
            return upper.view(np.float32)
        return np.float32(np.float16(factor)) if dtype == "F16" else factor

    def token_part(self, rows: np.ndarray, weights: Weights, dtype: str = "F32") -> np.ndarray:
        """What tokens bring into the sum, float32 (T, W), from rows of the token table, float32 (T, D).

        weights: the tensors that `small` names. dtype: the type in which the model calculates, which rounds the factor.
        """
        part = rows if self.factor == 1 else rows * self.rounded_factor(dtype)
        projection = self.projection
        return projection.apply(part, weights) if projection and not projection.after_sum else part

    def after_sum(self, total: np.ndarray, weights: Weights) -> np.ndarray:
        """What enters the first layer, float32 (T, H), from the sums of all vectors, float32 (T, W)."""
        normed = self.norm.apply(total, weights) if self.norm else total
        return self.projection.apply(normed, weights) if self.projection and self.projection.after_sum else normed

    def about(self, name: str = "") -> str:
        """What stands for positions in this model, in whole sentences. name: the model's, or else the family's."""
        values = dict(self.scheme_settings) | {"model": name or self.title, "context_length": self.context_length}
        return paragraph(translated(sentence, **values) for sentence in self.sentences)
