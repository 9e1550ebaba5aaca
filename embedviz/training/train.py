"""Train a small GPT step by step, with the same numbers for the same settings."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from embedviz.base.checks import MAX_SEED, check_whole, short
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.training.corpus import Corpus, corpus
from embedviz.training.model import GPT, Shape

BATCH_SIZE = 32
LEARNING_RATE = 3e-3  # for AdamW, the same at every step
OUTPUT_DIMS = (8, 16, 32, 64)
MAX_STEPS = configured().training_steps
MAX_LAYERS, MAX_CONTEXT_LENGTH = 4, 32
N_SNAPSHOTS = 25
N_HELD_OUT = 128  # windows on which the loss is measured at each snapshot


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that decides the numbers of a run: frozen, hashable, validated.

    Raises EmbedvizError for a value out of range.
    """

    text: str = ""  # empty: the sentences of the grammar
    positions: bool = True  # with or without positional embeddings
    shuffled: bool = False  # True: the words of each sentence are in another order
    tied: bool = True  # True: the output layer is the token table
    output_dim: int = 32
    n_layers: int = 1  # with more layers, a causal mask lets a model tell order even without positions
    context_length: int = 16
    steps: int = 300
    seed: int = 123
    rhymes: bool = False  # True: the grammar's rhymes, in which order decides, instead of its sentences

    def __post_init__(self) -> None:
        if self.output_dim not in OUTPUT_DIMS:
            choices = ", ".join(map(str, OUTPUT_DIMS))
            raise EmbedvizError(
                "output_dim must be one of {choices}, not {output_dim}.",
                choices=choices,
                output_dim=short(self.output_dim),
            )
        check_whole("n_layers", self.n_layers, 1, MAX_LAYERS)
        check_whole("context_length", self.context_length, 4, MAX_CONTEXT_LENGTH)
        check_whole("steps", self.steps, 1, MAX_STEPS)
        check_whole("seed", self.seed, 0, MAX_SEED)


@dataclass(frozen=True)
class Snapshot:
    """The two tables after some steps, and how well the model predicts windows that it never learned from.

    tokens: float32 array of shape (V, D). positions: (L, D). held_out: the mean loss in nats for each token.
    """

    tokens: np.ndarray
    positions: np.ndarray
    held_out: float


@dataclass(frozen=True)
class TrainingStep:
    """The state after `number` steps. loss: that of the last batch that was learned from; None before the first."""

    number: int
    loss: float | None
    snapshot: Snapshot | None


def train(settings: TrainingSettings) -> Iterator[TrainingStep]:
    """Yield step 0, before anything is learned, then one TrainingStep for each batch.

    The same settings give the same numbers on the same processor and number of threads, whatever other
    threads do: all random numbers come from generators of this run, and there is no dropout.

    Raises EmbedvizError for a text that is too short or too long.
    """
    found = corpus(settings.text, settings.context_length, settings.seed, settings.shuffled, settings.rhymes)
    generator = torch.Generator().manual_seed(settings.seed)
    model = GPT(shape(settings, len(found.vocabulary)), generator)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    window = torch.arange(settings.context_length + 1)
    held_out = found.held_out[_spread(found)[:, None] + window]  # (at most N_HELD_OUT, L + 1)
    kept = snapshot_steps(settings.steps)
    yield TrainingStep(0, None, _snapshot(model, held_out))
    for number in range(1, settings.steps + 1):
        chosen = torch.randint(len(found.starts), (BATCH_SIZE,), generator=generator)
        loss = model.loss(found.training[found.starts[chosen, None] + window])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield TrainingStep(number, loss.item(), _snapshot(model, held_out) if number in kept else None)


def shape(settings: TrainingSettings, vocab_size: int) -> Shape:
    """The sizes of the model."""
    return Shape(
        vocab_size,
        settings.context_length,
        settings.output_dim,
        n_layers=settings.n_layers,
        positions=settings.positions,
        tied=settings.tied,
    )


def snapshot_steps(steps: int) -> list[int]:
    """The steps after which the tables are kept: closer together at the beginning, where most happens."""
    shares = np.linspace(0, 1, N_SNAPSHOTS) ** 1.5
    return sorted(set(np.rint(shares * steps).astype(int).tolist()))


def _spread(corpus: Corpus) -> torch.Tensor:
    """At most N_HELD_OUT starts of windows, spread over the held-out part."""
    every = -(-len(corpus.held_out_starts) // N_HELD_OUT)
    return corpus.held_out_starts[::every]


@torch.no_grad()
def _snapshot(model: GPT, held_out: torch.Tensor) -> Snapshot:
    tables = (table.weight.numpy(force=True).copy() for table in (model.token_embedding, model.position_embedding))
    return Snapshot(*tables, model.loss(held_out).item())
