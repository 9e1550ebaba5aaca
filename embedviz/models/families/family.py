"""What the models of one family have in common, and how one model's config.json fills it in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import sqrt
from types import MappingProxyType
from typing import cast

from embedviz.models.families import schemes
from embedviz.models.families.config import Config, positive
from embedviz.models.families.layout import Layout, Norm, Projection

MAX_ROWS = 2**27  # of a table: the longest context_length so far is ten million
MAX_EPSILON = 1.0
TIED = "tie_word_embeddings"


@dataclass(frozen=True)
class Family:
    """A family of models: which tensors it has, and which keys of config.json say how large they are.

    title: as its makers write it. width: the key of hidden_size.
    length: the key of the number of positions; "" if there is none. defaults: those of the configuration class.
    other_names: the names that files may use instead of a key. part: the key under which a model of texts and
    pictures keeps the config of its text part, which is of the family `part_type`.
    rows_before: the rows of the positional table before the first position that `length` does not count.
    prefixes: what files put before the names of tensors, from where a model with a head holds its core.
    aliases: the other names, in full, that a file may give the token table, such as that of the head, which many models
    tie to it. tied: whether they do where config.json is silent; None if they always do.
    padded: True if the row of the first position is one after that of <pad>, and `length` counts all rows.
    norm: what stands before ".weight" and ".bias". epsilon: its key, or the number itself.
    norm_bias: the key of whether the norm has a bias; "" if it always has. scaled: True if token vectors are
    multiplied by √H. bias: the table of biases by buckets of distances, as many as the scheme says, and by heads,
    whose number is under the key num_heads. table_width: the key of D where it may differ from H; the projection is
    there if it does. kind: "causal" if a token sees only those before it, "encoder" if it sees all, "encoder-decoder".
    """

    title: str
    token: str
    scheme: schemes.FindScheme
    defaults: Mapping[str, object]
    width: str = "hidden_size"
    length: str = "max_position_embeddings"
    position: str | None = None
    rows_before: int = 0
    padded: bool = False
    segment: str | None = None
    norm: str = ""
    epsilon: str | float = ""
    norm_bias: str = ""
    scaled: bool = False
    table_width: str = ""
    projection: Projection | None = None
    bias: str | None = None
    other_names: Mapping[str, str] = field(default_factory=dict)
    prefixes: tuple[str, ...] = ("", "model.")
    aliases: tuple[str, ...] = ("lm_head.weight", "model.lm_head.weight")
    tied: bool | None = True
    kind: str = "causal"
    part: str = ""
    part_type: str = ""


def read(family: Family, values: Mapping[str, object]) -> Layout:
    """The layout of one model of the family. Raises EmbedvizError for a value of config.json that cannot be."""
    config = Config(values, {TIED: family.tied, **family.defaults}, family.other_names)
    hidden_size = config.whole(family.width, 1, schemes.MAX_DIMS)
    output_dim = _table_width(family, config, hidden_size)
    vocab_size = config.whole("vocab_size", 1, MAX_ROWS)
    padding = config.whole("pad_token_id", 0, vocab_size - 1) if family.padded else None
    offset = family.rows_before if padding is None else padding + 1
    found = family.scheme(config)
    return Layout(
        prefixes=family.prefixes,
        aliases=family.aliases,
        tied=family.tied is None or config.flag(TIED),
        vocab_size=vocab_size,
        output_dim=output_dim,
        hidden_size=hidden_size,
        token=family.token,
        position=family.position,
        offset=offset,
        context_length=_context_length(family, config, offset),
        factor=sqrt(hidden_size) if family.scaled else 1.0,
        segment=family.segment,
        segments=config.whole("type_vocab_size", 1, MAX_ROWS) if family.segment else 0,
        norm=_norm(family, config),
        projection=None if output_dim == hidden_size else family.projection,
        bias=family.bias,
        buckets=cast("int", found.settings["buckets"]) if family.bias else 0,
        heads=config.whole("num_heads", 1, schemes.MAX_DIMS) if family.bias else 0,
        kind=family.kind,
        scheme=found.name,
        scheme_settings=MappingProxyType(dict(found.settings)),
        title=family.title,
        sentences=found.sentences,
    )


def _table_width(family: Family, config: Config, hidden_size: int) -> int:
    if not family.table_width or config.value(family.table_width) is None:
        return hidden_size
    return config.whole(family.table_width, 1, schemes.MAX_DIMS)


def _context_length(family: Family, config: Config, offset: int) -> int | None:
    if not family.length or (config.value(family.length) is None and not family.position):
        return None
    rows = config.whole(family.length, offset + 1 if family.padded else 1, MAX_ROWS)
    return rows - offset if family.padded else rows


def _norm(family: Family, config: Config) -> Norm | None:
    if not family.norm:
        return None
    key = family.epsilon
    epsilon = positive(key, config.value(key), MAX_EPSILON) if isinstance(key, str) else key
    has_bias = not family.norm_bias or config.flag(family.norm_bias)
    return Norm(f"{family.norm}.weight", f"{family.norm}.bias" if has_bias else None, epsilon)
