"""Train a small GPT step by step, with the same numbers for the same settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from embedviz.base.checks import MAX_SEED, check_choice, check_whole, short
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import configured
from embedviz.training.corpus import corpus
from embedviz.training.model import GPT, Shape

BATCH_SIZE = 32
LEARNING_RATE = 3e-3  # for AdamW, the same at every step
OUTPUT_DIMS = (8, 16, 32, 64)
POSITIONS = ("learned", "rope", "none")
MAX_STEPS = configured().training_steps  # of a run that a visitor asks for
LONGEST = 1000  # steps of a run that was recorded somewhere else
MAX_LAYERS, MAX_CONTEXT_LENGTH = 4, 32
N_SNAPSHOTS = 25
N_HELD_OUT = 128  # windows on which the loss is measured at each snapshot


@dataclass(frozen=True)
class TrainingSettings:
    """Everything that decides the numbers of a run: frozen, hashable, validated.

    Raises EmbedvizError for a value out of range.
    """

    text: str = ""  # empty: the items of the site's own language
    positions: str = "learned"  # one of POSITIONS: positional embeddings are added, or queries and keys turned, or none
    shuffled: bool = False  # True: the words of each sentence are in another order
    tied: bool = True  # True: the output layer is the token table
    output_dim: int = 32
    n_layers: int = 1  # with more layers, a causal mask lets a model tell order even without positions
    context_length: int = 11  # as long as an item, so that no window holds two questions
    steps: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.output_dim not in OUTPUT_DIMS:
            choices = ", ".join(map(str, OUTPUT_DIMS))
            raise EmbedvizError(
                "output_dim must be one of {choices}, not {output_dim}.",
                choices=choices,
                output_dim=short(self.output_dim),
            )
        check_choice("positions", self.positions, POSITIONS)
        check_whole("n_layers", self.n_layers, 1, MAX_LAYERS)
        check_whole("context_length", self.context_length, 4, MAX_CONTEXT_LENGTH)
        check_whole("steps", self.steps, 1, LONGEST)
        check_whole("seed", self.seed, 0, MAX_SEED)


class TrainingStep(NamedTuple):
    """The state after `number` steps.

    loss: that of the last batch that was learned from; None before the first.
    weights: at a snapshot every parameter by its name in PyTorch, float32; a tied head is the token table and has no
        name of its own. held_out: at a snapshot the mean loss of windows that are not learned from, in nats a token.
    """

    number: int
    loss: float | None
    weights: Mapping[str, np.ndarray] | None = None
    held_out: float | None = None


def train(settings: TrainingSettings) -> Iterator[TrainingStep]:
    """Yield step 0, before anything is learned, then one TrainingStep for each batch.

    The same settings give the same numbers on the same processor and number of threads, whatever other
    threads do: all random numbers come from generators of this run, and there is no dropout. In the site's own language
    the answers count twice, as one word of eleven would else weigh little.

    Raises EmbedvizError for a text that is too short or too long.
    """
    found = corpus(settings.text, settings.context_length, settings.seed, settings.shuffled)
    generator = torch.Generator().manual_seed(settings.seed)
    model = GPT(shape(settings, len(found.vocabulary)), generator)
    window = torch.arange(settings.context_length + 1)
    spread = found.held_out_starts[:: -(-len(found.held_out_starts) // N_HELD_OUT)]  # over all of the held-out part
    held_out = found.held_out[spread[:, None] + window]  # (at most N_HELD_OUT, L + 1)
    asks = found.vocabulary.index("?") if not settings.text else None
    kept = snapshot_steps(settings.steps)
    yield TrainingStep(0, None, *_snapshot(model, held_out))
    # An optimizer loads torch's compiler, which takes 70 MiB and a second: whoever only looks at step 0 does without.
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    for number in range(1, settings.steps + 1):
        chosen = torch.randint(len(found.starts), (BATCH_SIZE,), generator=generator)
        windows = found.training[found.starts[chosen, None] + window]  # (B, L + 1)
        losses = model.losses(windows)
        loss = losses.mean()
        optimizer.zero_grad()
        (loss if settings.text else loss + losses[windows[:, :-1] == asks].mean()).backward()
        optimizer.step()
        weights, held_out_loss = _snapshot(model, held_out) if number in kept else (None, None)
        yield TrainingStep(number, loss.item(), weights, held_out_loss)


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


@torch.no_grad()
def _snapshot(model: GPT, held_out: torch.Tensor) -> tuple[Mapping[str, np.ndarray], float]:
    weights = {name: values.numpy(force=True).copy() for name, values in model.named_parameters()}
    return weights, model.losses(held_out).mean().item()
