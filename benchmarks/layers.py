"""Two sentences through MiniLM: `ev.forward` beside the bare model in torch, in one process. It prints both as JSON.

Every round has sentences that are new, so that no kept result is counted. `make minilm` brings the model.
"""

import json
import random
import time
from statistics import median

import torch
from transformers import AutoModel

import embedviz as ev
from embedviz.base.settings import read
from embedviz.models.minilm import MINILM

ROUNDS = 60
FIRST = 10  # rounds that are not counted
WORDS = ["the", "cat", "sat", "on", "a", "mat", "while", "ten", "small", "dogs", "slept", "under", "an", "old", "chair"]


def main() -> None:
    model = AutoModel.from_pretrained(read().models / MINILM.repository).eval()
    spec, chance = ev.Spec(source=MINILM.repository), random.Random(1)  # noqa: S311 words in another order
    ours, bare = [], []
    for _ in range(ROUNDS):
        texts = [" ".join(chance.sample(WORDS, 6)) for _ in range(2)]
        start = time.perf_counter()
        found = [ev.forward(text, spec) for text in texts]
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        with torch.inference_mode():
            for each in found:
                model(torch.tensor([each.tokens.ids]))
        bare.append(time.perf_counter() - start)
    print(json.dumps({"ours": median(ours[FIRST:]), "floor": median(bare[FIRST:])}))


if __name__ == "__main__":
    main()
