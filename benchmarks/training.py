"""Training: seconds of `embedviz.training.train` against a plain PyTorch loop over the same model.

Runs in a process of its own; prints two medians, in seconds, as JSON. As many steps of as many tokens each.
"""

import json
import statistics
import time

import torch

from embedviz.training.corpus import corpus
from embedviz.training.model import GPT
from embedviz.training.train import BATCH_SIZE, LEARNING_RATE, TrainingSettings, shape, train

ROUNDS = 5


def plain(settings: TrainingSettings) -> None:
    found = corpus(settings.text, settings.context_length, settings.seed, settings.shuffled)
    model = GPT(shape(settings, len(found.vocabulary)), torch.Generator().manual_seed(settings.seed))
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    window = torch.arange(settings.context_length + 1)
    asks = found.vocabulary.index("?")
    for _ in range(settings.steps):
        windows = found.training[found.starts[torch.randint(len(found.starts), (BATCH_SIZE, 1))] + window]
        losses = model.losses(windows)
        optimizer.zero_grad()
        (losses.mean() + losses[windows[:, :-1] == asks].mean()).backward()
        optimizer.step()


def ours(settings: TrainingSettings) -> None:
    for _ in train(settings):
        pass


def main() -> None:
    torch.set_num_threads(1)
    seconds: dict[str, list[float]] = {"floor": [], "ours": []}
    for _ in range(1 + ROUNDS):
        for name, run in (("floor", plain), ("ours", ours)):
            start = time.perf_counter()
            run(TrainingSettings())
            seconds[name].append(time.perf_counter() - start)
    print(json.dumps({name: statistics.median(each[1:]) for name, each in seconds.items()}))  # [0] warms up


if __name__ == "__main__":
    main()
