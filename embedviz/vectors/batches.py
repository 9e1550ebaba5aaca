"""Cut a text into batches: sliding windows of inputs and of targets one token later, by PyTorch's own samplers."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler

from embedviz.base.arrays import read_only
from embedviz.base.checks import check_whole
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import ngettext
from embedviz.text.notebook_repr import NotebookRepr
from embedviz.text.token_ids import TokenIds, encode

MAX_BATCH_SIZE, MAX_WINDOW, MAX_STRIDE = 1024, 8192, 1_000_000


@dataclass(frozen=True, repr=False)
class Batch(NotebookRepr):
    """B windows of L tokens, read-only int64: inputs and targets, one token later, (B, L); window numbers, (B,)."""

    inputs: np.ndarray
    targets: np.ndarray
    windows: np.ndarray

    def _about(self) -> dict[str, object]:
        return {"inputs": self.inputs, "targets": self.targets, "windows": ", ".join(map(str, self.windows.tolist()))}


@dataclass(frozen=True)
class Loader:
    """The sliding-window loader of a text. Window n begins at token n * stride; its last target is in the text."""

    tokens: TokenIds
    batch_size: int = 8
    max_length: int = 4
    stride: int = 4
    shuffle: bool = False
    seed: int = 123
    drop_last: bool = True

    def __post_init__(self) -> None:
        check_whole("batch_size", self.batch_size, 1, MAX_BATCH_SIZE)
        check_whole("max_length", self.max_length, 1, MAX_WINDOW)
        check_whole("stride", self.stride, 1, MAX_STRIDE)
        if len(self.tokens) <= self.max_length:
            raise EmbedvizError(
                "The text has {tokens}; one window of max_length {most:,} and its last target need "
                "{needed:,}. Take a longer text or a smaller max_length.",
                tokens=ngettext("{n:,} token", "{n:,} tokens", len(self.tokens)),
                most=self.max_length,
                needed=self.max_length + 1,
            )

    @property
    def n_windows(self) -> int:
        """How many windows fit into the text."""
        return len(range(0, len(self.tokens) - self.max_length, self.stride))

    @property
    def n_batches(self) -> int:
        """How many batches the windows make."""
        whole, rest = divmod(self.n_windows, self.batch_size)
        return whole + (rest > 0 and not self.drop_last)

    @property
    def n_skipped(self) -> int:
        """How many tokens between two windows are in no window's inputs: the part of stride beyond max_length."""
        return max(self.stride - self.max_length, 0) * (self.n_windows - 1)

    def __iter__(self) -> Iterator[Batch]:
        windows = self._windows()
        return (_batch(windows, chosen) for chosen in self._chosen())

    def batch(self, n: int) -> Batch:
        """Batch number n of the iteration; those before it are not cut. Raises EmbedvizError if there is none."""
        if not 0 <= n < self.n_batches:
            raise self._no_batch(n)
        return _batch(self._windows(), next(islice(self._chosen(), n, None)))

    def _no_batch(self, n: int) -> EmbedvizError:
        if self.n_batches:
            return EmbedvizError(
                "There is no batch {n:,}: they are numbered 0 to {last:,}.", n=n, last=self.n_batches - 1
            )
        return EmbedvizError(
            "{n_windows:,} of the {batch_size:,} windows that one batch needs. Turn drop_last off, lower "
            "batch_size, or take a longer text.",
            n_windows=self.n_windows,
            batch_size=self.batch_size,
        )

    def _windows(self) -> torch.Tensor:
        """The windows, each with the target of its last token, (N, L + 1), as views of the text."""
        return torch.tensor(self.tokens.ids).unfold(0, self.max_length + 1, self.stride)

    def _chosen(self) -> Iterator[list[int]]:
        """The numbers of the windows of each batch."""
        numbers = range(self.n_windows)
        sampler = _shuffled(numbers, self.seed) if self.shuffle else SequentialSampler(numbers)
        return iter(BatchSampler(sampler, self.batch_size, self.drop_last))


def batches(  # noqa: PLR0917  the order that the field's books use
    text: str,
    tokenizer: str = "gpt2",
    batch_size: int = 8,
    max_length: int = 4,
    stride: int = 4,
    shuffle: bool = False,
    seed: int = 123,
    drop_last: bool = True,
) -> Iterator[Batch]:
    """Cut `text` into windows and give them out in batches.

    With shuffle the order is the one that PyTorch gives after `torch.manual_seed(seed)`. Windows are cut
    when they are asked for, so memory grows with the text alone.

    Raises EmbedvizError for settings out of range and for a text shorter than one window and its target.
    """
    return iter(Loader(encode(text, tokenizer), batch_size, max_length, stride, shuffle, seed, drop_last))


def positions_from_edge(mask: np.ndarray) -> np.ndarray:
    """Positions counted from the left edge, whatever stands there; mask and result have shape (B, L)."""
    return np.broadcast_to(np.arange(mask.shape[1]), mask.shape)


def positions_from_mask(mask: np.ndarray) -> np.ndarray:
    """Positions counted from the first real token, and 0 for pads, as GPT-2's `prepare_inputs_for_generation` does."""
    return np.where(mask == 1, np.cumsum(mask, axis=1) - 1, 0)


def _shuffled(numbers: range, seed: int) -> RandomSampler:
    """The order of `torch.manual_seed(seed)` and `DataLoader(shuffle=True)`, without touching the global generator.

    The loader draws twice from that generator: first for its workers, then a number that seeds the order.
    """
    generator = torch.Generator().manual_seed(seed)
    draws = [torch.empty((), dtype=torch.int64).random_(generator=generator).item() for _ in range(2)]
    return RandomSampler(numbers, generator=torch.Generator().manual_seed(int(draws[1])))


def _batch(windows: torch.Tensor, chosen: list[int]) -> Batch:
    parts = (windows[chosen, :-1], windows[chosen, 1:], chosen)
    return Batch(*(read_only(np.asarray(part)) for part in parts))
