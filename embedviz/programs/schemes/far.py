"""The view "How far" of the page "Relative" as a program that trains one of its models again and prints its answers.

`python -m embedviz.programs.schemes.far` runs the program for each model, which takes about 25 minutes, and writes
`data/far.json`. With the name of a scheme, and with a seed, it runs these alone and only prints what they answer.
"""

import json
import subprocess
import sys

from embedviz.base import data_files
from embedviz.programs.training import grammar_source, model_source
from embedviz.text import grammar
from embedviz.training import far
from embedviz.training.far import SINUSOIDAL_SIZE, T5_BUCKETS, T5_MAX_DISTANCE

_EXACT = T5_BUCKETS // 2
_WHOLE = max(item.index("?") for item in grammar.LEARNED)  # no item has its "?" later than at this place


def pytorch_far(scheme: str = "rope", seed: int = far.SEEDS[0], steps: int | None = None) -> str:
    """A program that prints for each length the share of right answers and the loss of the answers. It needs torch.

    scheme: one of far.SCHEMES. Of RoPE it prints as well what becomes of both when it is stretched. steps: those of
    far.STEPS if not given.
    """
    lines = [line for line in far.LINES if line.partition("_")[0] == scheme]
    sizes = f"{far.SHAPE.vocab_size}, {far.TRAINED}, {far.SHAPE.output_dim}, n_layers={far.SHAPE.n_layers}"
    return f"""import math
import random
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

torch.set_num_threads(1)  # with more the last digits differ
SEED, STEPS, TRAINED, LENGTHS = {seed}, {steps or far.STEPS[scheme]}, {far.TRAINED}, {list(far.LENGTHS)}


{grammar_source()}


{model_source()}


{_SCHEMES}


SHAPE = Shape({sizes}, positions="{scheme}")
number_of = {{word: id_ for id_, word in enumerate(VOCABULARY)}}
generator = random.Random(SEED)
ids = torch.tensor([number_of[word] for _ in range({far.N_ITEMS}) for word in generator.choice(LEARNED)])
generator = torch.Generator().manual_seed(SEED)
gpt = FarGPT(SHAPE, generator)
optimizer = torch.optim.AdamW(gpt.parameters(), lr={far.LEARNING_RATE}, fused=True)
for step in range(STEPS):
    rate = min((step + 1) / {far.WARM_UP}, 1 - 0.9 * step / STEPS)
    optimizer.param_groups[0]["lr"] = {far.LEARNING_RATE} * rate
    starts = torch.randint(len(ids) - TRAINED, ({far.BATCH_SIZE}, 1), generator=generator)
    windows = ids[starts + torch.arange(TRAINED + 1)]
    asked = windows[:, :-1] == number_of["?"]
    asked[:, :{_WHOLE}] = False  # these may lack their beginning, and so their answer
    logits = gpt(windows[:, :-1])
    loss = functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())
    loss = loss + functional.cross_entropy(logits[asked], windows[:, 1:][asked])  # answers count once more
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

generator = random.Random(0)
texts = []  # a question that nobody has learned from, at the end of others
for item in HELD_OUT:
    before = [word for _ in range(LENGTHS[-1] // 10) for word in generator.choice(LEARNED)]
    texts.append([number_of[word] for word in (*before, *item[:-1])][-LENGTHS[-1] - 1:])
texts = torch.tensor(texts)
for line in {lines}:
    gpt.stretch = line.partition("_")[2]
    for n in LENGTHS:
        if line == "learned" and n > TRAINED:
            break  # the table has no more rows
        rows = texts[:, -n - 1:]
        with torch.no_grad():
            logits = torch.cat([gpt(part[:, :-1])[:, -1] for part in rows.split(32)])
        right = (logits.argmax(-1) == rows[:, -1]).float().mean()
        print(line, n, f"{{right:.4f}} {{functional.cross_entropy(logits, rows[:, -1]):.4f}}")
"""


_SCHEMES = f'''class FarGPT(GPT):
    """The GPT under six schemes, on texts of any length."""

    stretch = ""  # of RoPE, for texts longer than trained: "linear", "ntk" or nothing

    def __init__(self, shape, generator):
        super().__init__(shape, generator)
        if shape.positions == "t5":
            biases = torch.empty({T5_BUCKETS}, shape.n_heads).normal_(generator=generator)
            self.biases = nn.Parameter(biases / shape.output_dim**0.5)

    def forward(self, ids):
        n, dim, n_heads, name = ids.shape[1], self.shape.output_dim, self.shape.n_heads, self.shape.positions
        at, x, angles, bias = torch.arange(n), self.token_embedding(ids), None, None
        if name == "learned":
            x = x + self.position_embedding.weight[:n]
        if name == "sinusoidal":
            turns = torch.outer(at.double(), 10000.0 ** (-torch.arange(0, dim, 2).double() / dim))
            x = x + torch.stack([turns.sin(), turns.cos()], -1).flatten(1).float() * {SINUSOIDAL_SIZE!r}
        if name == "rope":
            longer, d = max(n / TRAINED, 1), dim // n_heads
            base = 10000.0 * longer ** (d / (d - 2)) if self.stretch == "ntk" else 10000.0
            speeds = 1 / base ** (torch.arange(0, d, 2).float() / d)
            angles = torch.outer(at.double(), (speeds / longer if self.stretch == "linear" else speeds).double())
        apart = (at[:, None] - at).clamp(min=0)  # query - key
        if name == "alibi":
            bias = -(2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads))[:, None, None] * apart
        if name == "t5":
            share = torch.log(apart.clamp(min=1).float() / {_EXACT}) / math.log({T5_MAX_DISTANCE} / {_EXACT})
            far = ({_EXACT} + (share * {_EXACT}).long()).clamp(max={T5_BUCKETS - 1})
            bias = self.biases.T[:, torch.where(apart < {_EXACT}, apart, far)]
        if bias is not None:  # no token sees those after it
            bias = bias + torch.full((n, n), -math.inf).triu(1)
        for block in self.blocks:
            x = block(x, angles, bias)
        return self.head(self.norm(x))'''


def main(scheme: str = "", *seeds: str) -> None:
    """Run the program for each scheme and seed, and print what it prints. Write it if these are all."""
    found = {line: {"right": [], "loss": []} for line in far.LINES}
    for each in [scheme] if scheme else far.SCHEMES:
        for seed in map(int, seeds or far.SEEDS):
            command = [sys.executable, "-c", pytorch_far(each, seed)]
            printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout  # noqa: S603
            print(f"seed {seed}", printed, sep="\n", flush=True)
            rows = [row.split() for row in printed.splitlines()]
            for line in dict.fromkeys(row[0] for row in rows):
                measured = [row for row in rows if row[0] == line]
                ended = [None] * (len(far.LENGTHS) - len(measured))  # past the end of a table
                for name, column in (("right", 2), ("loss", 3)):
                    found[line][name].append([*(float(row[column]) for row in measured), *ended])
    if not scheme:
        (data_files.DATA / far.FILE).write_text(json.dumps(found) + "\n")
        data_files.seal()


if __name__ == "__main__":
    main(*sys.argv[1:])
