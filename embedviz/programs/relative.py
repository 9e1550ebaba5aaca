"""The views of the page "Relative" as PyTorch code that runs as it is."""

import json
from dataclasses import replace

from embedviz.attention.layer import next_seed
from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence
from embedviz.attention.t5_biases import REACH
from embedviz.models import HubModel
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import Sizes
from embedviz.programs.compare import id_lines
from embedviz.programs.tables import biases_of, table_imports, tables_of

_ANGLES = """def angles(numbers):
    return numbers.double()[..., None] * 10000.0 ** (-torch.arange(0, output_dim, 2).double() / output_dim)"""
_MATRIX = """def matrix():
    return torch.randn(output_dim, output_dim) / output_dim**0.5"""


def _scores() -> list[str]:
    """The functions that the schemes need, one with the scores of them all, and their names."""
    functions = [scheme.program.function for scheme in SCHEMES.values() if scheme.program.function]
    functions[2:2] = [_ANGLES]  # any order would do; this one is the oldest
    return [
        *(f"\n{function}" for function in (*functions, _MATRIX)),
        "",
        "mine = slice(head * head_dim, (head + 1) * head_dim)  # this head's columns",
        "",
        "def scores(scheme, first=0):",
        '    """Scores (T, T) of one head, the first token at position `first`."""',
        "    at = torch.arange(first, first + len(ids))",
        "    steps = at[None, :] - at[:, None]  # key - query",
        "    x = token_embeddings",
        *_stage("added"),
        "    torch.manual_seed(layer_seed)",
        "    W_query, W_key, W_value = matrix(), matrix(), matrix()",
        "    q, k = (x @ W_query)[:, mine], (x @ W_key)[:, mine]  # (T, d)",
        *_stage("turned"),
        "    s = q @ k.T",
        *_stage("inside"),
        "    s = s / head_dim**0.5",
        *_stage("after"),
        "    return s",
        "",
        f"schemes = {json.dumps(list(SCHEMES))}",
        "",
    ]


def _stage(stage: str) -> list[str]:
    """The lines of all schemes at one stage of the scores."""
    return [
        line
        for name, scheme in SCHEMES.items()
        if (own := getattr(scheme.program.head, stage))
        for line in (f'    if scheme == "{name}":', *(f"        {each}" for each in own))
    ]


_SCORES = "\n".join(_scores())


def _settings(sentence: Sentence) -> str:
    """Imports, the sentence, the tables."""
    spec, tokens = sentence.spec, sentence.tokens
    imports = "\n".join(
        (
            *([] if spec.vocabulary or "/" in spec.tokenizer else ["import tiktoken"]),
            "import torch",
            *table_imports(spec.origin, spec.tokenizer),
        )
    )
    tables = "\n".join(tables_of(tokens.vocab_size, replace(spec, position="learned")))
    ids = "\n".join(id_lines(spec, ids=tokens))
    return f"""import math

{imports}

torch.set_grad_enabled(False)
{ids}

output_dim, n_heads, head = {spec.output_dim}, {N_HEADS}, {sentence.head}  # heads count from 0
head_dim, layer_seed = output_dim // n_heads, {next_seed(spec.seed)}
{tables}
token_embeddings = token_embedding(torch.tensor(ids))  # (T, D)
"""


def pytorch_scores(sentence: Sentence) -> str:
    """A program that prints the name of each scheme and then its scores, a row a line."""
    usable = _usable(sentence, 0)
    return f"""{_settings(sentence)}{_SCORES}
for scheme in {usable}:
    print(scheme)
    for row in scores(scheme):
        print(*(f"{{score:.4f}}" for score in row))
"""


def pytorch_shift(sentence: Sentence) -> str:
    """A program that prints for each scheme, a line each, the largest change for every shift."""
    last = sentence.spec.context_length - len(sentence.tokens)
    return f"""{_settings(sentence)}{_SCORES}
for scheme in {_usable(sentence, 0)}:
    last = {last} if scheme == "learned" else {max(SHIFTS)}  # the learned table ends
    changes = [(scores(scheme, k) - scores(scheme)).abs().max() for k in {list(SHIFTS)} if k <= last]
    print(scheme, *(f"{{change:.3g}}" for change in changes))
"""


def pytorch_distance(sentence: Sentence, reach: int) -> str:
    """A program that prints a line for every step.

    In it: the step; the score of the sentence's first query and last key under RoPE, and without positions; what
    ALiBi adds; T5's bucket and its bias; what Shaw's scheme adds.
    """
    return f"""{_settings(sentence)}{_SCORES}
steps = torch.arange(-{reach}, {reach} + 1)
alibi = -slopes()[head] * steps.abs()
torch.manual_seed(layer_seed)
W_query, W_key, W_value = matrix(), matrix(), matrix()
state = torch.get_rng_state()  # every scheme draws its own tables after the three matrices
t5 = torch.randn(32, n_heads)[bucket(steps), head] / output_dim**0.5
torch.set_rng_state(state)
q, k = (token_embeddings[0] @ W_query)[mine], (token_embeddings[-1] @ W_key)[mine]
shaw = (torch.randn(33, head_dim) @ q)[steps.clamp(-16, 16) + 16] / head_dim**0.5
rope = turned(k.expand(len(steps), -1), steps) @ q / head_dim**0.5
none = (k.expand(len(steps), -1) @ q) / head_dim**0.5  # the same at every distance
for line in zip(steps.tolist(), rope, none, alibi, bucket(steps).tolist(), t5, shaw):
    print(*(f"{{number:.4f}}" if isinstance(number, torch.Tensor) else number for number in line))
"""


def pytorch_t5_biases(model: HubModel, n_buckets: int, max_distance: int) -> str:
    """A program that prints for each head of a T5 model what it adds at the distances from -128 to 128."""
    one_way = n_buckets // 2
    imports, tables = ("\n".join(lines) for lines in (table_imports(model), biases_of(model)))
    return f"""import math

import torch
{imports}

{tables}

def bucket(steps):  # both ways, {n_buckets} buckets; step = key - query
    distance, exact = steps.abs(), {one_way // 2}
    share = torch.log(distance.clamp(min=1).float() / exact) / math.log({max_distance} / exact)
    far = (exact + (share * {one_way - one_way // 2}).long()).clamp(max={one_way - 1})
    return {one_way} * (steps > 0) + torch.where(distance < exact, distance, far)

steps = torch.arange(-{REACH}, {REACH} + 1)
for head, added in enumerate(biases[bucket(steps)].T, 1):
    print(head, *(f"{{number:.4f}}" for number in added))
"""


def pytorch_lengths(trained: int, used: int, output_dim: int) -> str:
    """A program that prints, a line a scheme, what `Reach.number` is, in its order."""
    past = "\n".join(scheme.program.past for scheme in SCHEMES.values())
    return f"""import math

import torch

trained, used, output_dim, n_heads = {trained}, {used}, {output_dim}, {N_HEADS}
back = torch.arange(used)  # positions, or distances back

def frequencies(dims):
    return 10000.0 ** (-torch.arange(0, dims, 2).double() / dims)

def bucket(distance):  # T5, one way: 32 buckets, 128 at most
    share = torch.log(distance.clamp(min=1).float() / 16) / math.log(128 / 16)
    return torch.where(distance < 16, distance, (16 + (share * 16).long()).clamp(max=31))

new = lambda rows: rows[trained:][~torch.isin(rows[trained:], rows[:trained])]
shaw, t5, deberta = back.clamp(max=16), bucket(back), (back + 512).clamp(max=1023)
angles = torch.outer(back.double(), frequencies(output_dim))
sinusoids = torch.cat([angles.sin(), angles.cos()], dim=1)
apart = torch.cdist(sinusoids[trained:], sinusoids[:trained], compute_mode="donot_use_mm_for_euclid_dist")

{past}
"""


def pytorch_costs(model: Sizes) -> str:
    """A program that prints what every scheme has to learn in a whole model."""
    tables = "\n".join(
        f'    "{name}": ({scheme.program.shared}, {scheme.program.parameters}),' for name, scheme in SCHEMES.items()
    )
    return f"""import torch

n_layers, output_dim, n_heads = {model.n_layers}, {model.output_dim}, {model.n_heads}
context_length = {model.context_length}
head_dim = output_dim // n_heads
tables = {{  # those that all layers share, and those of each layer
{tables}
}}

def numbers(tables):
    return sum(table.numel() for table in tables)

for scheme, (shared, own) in tables.items():
    print(scheme, numbers(shared) + n_layers * numbers(own))
"""


def _usable(sentence: Sentence, first: int) -> str:
    """The schemes that have a position for every token."""
    ends = first + len(sentence.tokens) > sentence.spec.context_length or not sentence.spec.origin.has_positions
    return '[scheme for scheme in schemes if scheme != "learned"]' if ends else "schemes"
