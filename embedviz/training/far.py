"""How far beyond the texts of its training a small GPT still answers, under each position scheme: measured.

`python -m embedviz.training.far` trains them all in some minutes, and writes `data/far.json`. With the name of
a scheme, and with a seed, it trains these alone and only prints what they answer.
"""

import json
import random
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache

import numpy as np
import torch
from torch.nn import functional

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.text import grammar
from embedviz.training.model import Shape
from embedviz.training.schemes import NAMES, SchemeGPT

TRAINED = 32  # tokens of every text that is learned from
LENGTHS = (16, 24, 32, 48, 64, 96, 128, 192, 256)
SEEDS = (1, 2, 3)
STEPS, BATCH_SIZE, LEARNING_RATE = 1200, 32, 3e-3
SHAPE = Shape(len(grammar.WHO_VOCABULARY), TRAINED, 64, n_layers=2)
LINES = (*NAMES, "rope_linear", "rope_ntk")  # what is measured; the last two stretch the RoPE that "rope" has trained
N_ITEMS = 3000  # questions of the text that is learned from, one after the other
_ID = {word: id_ for id_, word in enumerate(grammar.WHO_VOCABULARY)}
FILE = "far.json"


@dataclass(frozen=True)
class Far:
    """What was measured of a line: read-only float32 arrays (len(SEEDS), len(LENGTHS)), NaN past a table's end.

    right: the share of questions that are answered right. loss: that of the answer, in nats.
    """

    right: np.ndarray
    loss: np.ndarray


def train(positions: str, seed: int, steps: int) -> SchemeGPT:
    """Train one model. Texts of TRAINED tokens begin anywhere, and the loss is that of their answers alone."""
    generator = random.Random(seed)  # noqa: S311 - sentences, not secrets
    ids = _ids(word for _ in range(N_ITEMS) for word in grammar.who(generator))
    drawn = torch.Generator().manual_seed(seed)
    model = SchemeGPT(Shape(**asdict(SHAPE) | {"positions": positions}), drawn)
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, fused=True)
    for _ in range(steps):
        starts = torch.randint(len(ids) - TRAINED, (BATCH_SIZE, 1), generator=drawn)
        rows = ids[starts + torch.arange(TRAINED + 1)]  # (B, T + 1)
        asked = rows[:, :-1] == _ID["?"]
        loss = functional.cross_entropy(model(rows[:, :-1])[asked], rows[:, 1:][asked])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.requires_grad_(False)


@cache
def texts() -> torch.Tensor:
    """The N questions that nobody has learned from, each at the end of a long text of learned ones, then its answer.

    int64 (N, max(LENGTHS) + 1). A shorter text is the end of a longer one.
    """
    generator = random.Random(0)  # noqa: S311
    rows = []
    for item in grammar.WHO_HELD_OUT:
        before = [word for _ in range(max(LENGTHS) // 9 + 1) for word in grammar.who(generator)]
        rows.append(_ids([*before, *item[:-1]])[-max(LENGTHS) - 1 :])
    return torch.stack(rows)


def _ids(words: object) -> torch.Tensor:
    return torch.tensor([_ID[word] for word in words])


def scaling(line: str, n_tokens: int) -> Mapping[str, object] | None:
    """How a line stretches RoPE for a text of so many tokens, as `frequencies` takes it."""
    if n_tokens <= TRAINED:
        return None
    return {
        "rope_linear": {"rope_type": "linear", "factor": n_tokens / TRAINED},
        "rope_ntk": {"rope_type": "dynamic", "factor": 1.0, "max_position_embeddings": TRAINED},
    }.get(line)


def measure(model: SchemeGPT, line: str, n_tokens: int) -> tuple[float, float]:
    """The share of right answers and the mean loss of the answer, after texts of so many tokens; NaN past the end."""
    if line == "learned" and n_tokens > TRAINED:
        return np.nan, np.nan
    rows = texts()[:, -n_tokens - 1 :]
    logits = torch.cat([model(part[:, :-1], scaling(line, n_tokens))[:, -1] for part in rows.split(32)])  # (N, V)
    right = (logits.argmax(dim=-1) == rows[:, -1]).float().mean()
    return right.item(), functional.cross_entropy(logits, rows[:, -1]).item()


@cache
def measured() -> dict[str, Far]:
    """What `python -m embedviz.training.far` has measured, by the names of LINES."""
    kept = json.loads(data_files.read(FILE))
    return {line: Far(*(read_only(np.array(kept[line][of], np.float32)) for of in ("right", "loss"))) for line in LINES}


def main(scheme: str = "", *seeds: str) -> None:
    """Train a model for each scheme and seed, on one thread, and print what they answer. Write it if it is all."""
    torch.set_num_threads(1)
    found = {line: {"right": [], "loss": []} for line in LINES}
    for positions in [scheme] if scheme else NAMES:
        for seed in map(int, seeds or SEEDS):
            model = train(positions, seed, STEPS)
            for line in (each for each in LINES if each.split("_")[0] == positions):
                each = [measure(model, line, n_tokens) for n_tokens in LENGTHS]
                for name, values in zip(("right", "loss"), zip(*each, strict=True), strict=True):
                    found[line][name].append([None if np.isnan(value) else round(value, 4) for value in values])
                shares = (f"{n}: {right:.2f}" for n, (right, _loss) in zip(LENGTHS, each, strict=True))
                print(line, seed, *shares, flush=True)
    if not scheme:
        (data_files.DATA / FILE).write_text(json.dumps(found) + "\n")
        data_files.seal()


if __name__ == "__main__":
    main(*sys.argv[1:])
