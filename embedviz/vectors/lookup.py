"""What an embedding layer computes: a row of the table for each ID, which equals a one-hot matrix times the table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import N_, _, ngettext
from embedviz.models.families import layout

MAX_IDS = 64
_MAX_DIGITS = 18  # what an int64 holds
FLOAT32_BYTES = 4


@dataclass(frozen=True)
class Lookup:
    """T IDs looked up in a table of V rows and D dimensions, in both ways.

    rows: float32 array of shape (T, D), the table's rows in the order of the IDs.
    one_hot: float32 array of shape (T, V), a single 1 in each row.
    product: one_hot @ table, float32 array of shape (T, D).
    """

    ids: tuple[int, ...]
    table: np.ndarray
    rows: np.ndarray
    one_hot: np.ndarray
    product: np.ndarray

    @property
    def largest_difference(self) -> float:
        """The largest difference between the two ways, over all T x D numbers."""
        return float(np.abs(self.rows - self.product).max(initial=0.0))


@dataclass(frozen=True)
class LookupCost:
    """The cost of one way of looking T IDs up: the multiplications, and the bytes read from the table and the IDs."""

    multiplications: int
    bytes_read: int


@dataclass(frozen=True)
class Sum:
    """Token vectors plus positional vectors: float32 arrays of shape (T, D)."""

    tokens: np.ndarray
    positions: np.ndarray

    @property
    def inputs(self) -> np.ndarray:
        """tokens + positions, float32 of shape (T, D)."""
        return self.tokens + self.positions


@dataclass(frozen=True)
class ModelSize:
    """The token table of a model; `vocab_size` x `output_dim` numbers.

    family: the family of models whose usual numbers these are; "" if they were read elsewhere.
    """

    name: str
    vocab_size: int
    output_dim: int
    family: str = ""

    @property
    def parameters(self) -> int:
        """Numbers in the table."""
        return self.vocab_size * self.output_dim

    def nbytes(self, bytes_each: int) -> int:
        """The memory that the table takes, with 4 bytes for each number (float32) or 2 (float16)."""
        return self.parameters * bytes_each


def _of_family(name: str, family: str) -> ModelSize:
    """The model whose numbers a config.json of its family need not repeat."""
    usual = layout({"model_type": family})
    return ModelSize(name, usual.vocab_size, usual.output_dim, family)


# From the smallest table to the largest. The rows without a family say where they were read.
MODELS = (
    ModelSize(N_("The example in the view Rows"), 6, 3),
    ModelSize("MiniLM (all-MiniLM-L6-v2)", 30_522, 384),  # the config.json of sentence-transformers/all-MiniLM-L6-v2
    ModelSize(N_("This app, unless changed"), 50_257, 256),
    _of_family("T5 small", "t5"),
    _of_family("BERT base", "bert"),
    _of_family("GPT-2", "gpt2"),
    _of_family("RoBERTa base", "roberta"),
    _of_family("ModernBERT base", "modernbert"),
    _of_family("Phi-3 mini", "phi3"),
    _of_family("Llama 2 7B", "llama"),
    _of_family("SmolLM3 3B", "smollm3"),
    _of_family("Falcon 7B", "falcon"),
    _of_family("gpt-oss 20B", "gpt_oss"),
    ModelSize("GPT-3", 50_257, 12_288),  # "Language Models are Few-Shot Learners", table 2.1; the tokenizer is GPT-2's
    _of_family("Qwen3 8B", "qwen3"),
)


def parse_ids(text: str) -> tuple[int, ...]:
    """Read IDs separated by commas or spaces, such as "2, 3, 5, 1".

    Raises EmbedvizError for what is no whole number, and for none or too many.
    """
    words = [word for word in re.split(r"[\s,;]+", text.strip().strip("[]()")) if word]
    strange = [word for word in words if not re.fullmatch(r"[+-]?\d+", word, re.ASCII)]
    if strange:
        raise EmbedvizError(
            "{strange} is not a whole number. Type IDs such as 2, 3, 5, 1, or words alone.", strange=strange[0]
        )
    long = [word for word in words if len(word) > _MAX_DIGITS]
    if long:
        raise EmbedvizError("{long} is too large for an ID.", long=long[0])
    if len(words) > MAX_IDS:
        raise EmbedvizError("{n} IDs are too many; the limit is {limit}.", n=len(words), limit=MAX_IDS)
    if not words:
        raise EmbedvizError("Type at least one ID, such as 2.")
    return tuple(map(int, words))


def check_ids(ids: Sequence[int], vocab_size: int) -> None:
    """Raise EmbedvizError if the table has no row for one of the IDs."""
    for id_ in ids:
        if not 0 <= id_ < vocab_size:
            raise EmbedvizError(
                "There is no row {id}: a table of {rows} has {ids}.",
                id=id_,
                rows=ngettext("{n:,} row", "{n:,} rows", vocab_size),
                ids=ids_of(vocab_size),
            )


def ids_of(vocab_size: int) -> str:
    """The range of a table's IDs in words."""
    return _("the ID 0 alone") if vocab_size == 1 else _("the IDs 0 to {last:,}", last=vocab_size - 1)


def look_up(ids: Sequence[int], table: np.ndarray) -> Lookup:
    """Look T IDs up in a table of shape (V, D), as rows and as a matrix product.

    Raises EmbedvizError for an ID outside the table.
    """
    vocab_size = len(table)
    check_ids(ids, vocab_size)
    one_hot = np.zeros((len(ids), vocab_size), np.float32)  # (T, V)
    one_hot[np.arange(len(ids)), list(ids)] = 1
    rows = table[list(ids)]  # (T, D)
    return Lookup(tuple(ids), table, rows, one_hot, one_hot @ table)


def lookup_cost(n_ids: int, size: ModelSize) -> LookupCost:
    """The cost of copying T rows: nothing is multiplied, and T rows and T int64 IDs are read."""
    return LookupCost(0, n_ids * (size.output_dim * FLOAT32_BYTES + 8))


def one_hot_cost(n_ids: int, size: ModelSize) -> LookupCost:
    """The cost of multiplying (T, V) by (V, D): T x V x D products, and both matrices are read."""
    read = (n_ids * size.vocab_size + size.parameters) * FLOAT32_BYTES
    return LookupCost(n_ids * size.parameters, read)


def sum_of_ones(n_tokens: int = 4, output_dim: int = 3) -> Sum:
    """Tokens that are all ones, and positions whose numbers show their place: row p, dimension d is p.d, from 1."""
    places = np.add.outer(np.arange(1, n_tokens + 1), np.arange(1, output_dim + 1) / 10)  # (T, D)
    return Sum(np.ones((n_tokens, output_dim), np.float32), places.astype(np.float32))


def sum_of_three() -> Sum:
    """One token vector of three numbers and one positional vector."""
    return Sum(np.array([[0.5, -0.2, 0.1]], np.float32), np.array([[0.1, 0.3, -0.1]], np.float32))


def pytorch_error(n_rows: int, output_dim: int, ids: Sequence[int]) -> str | None:
    """PyTorch's error message for these IDs in a table of n_rows rows. None if PyTorch raises no error."""
    try:
        with torch.no_grad():
            torch.nn.functional.embedding(torch.tensor(ids), torch.empty(n_rows, output_dim))
    except (IndexError, RuntimeError) as error:
        return f"{type(error).__name__}: {error}"
    return None
