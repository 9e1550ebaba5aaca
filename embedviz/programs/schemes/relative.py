"""The views of the page "Relative" as PyTorch code that runs as it is."""

import json
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from operator import attrgetter

from embedviz.attention.layer import next_seed
from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence
from embedviz.attention.t5_biases import LearnedBiases
from embedviz.positions import SCHEMES
from embedviz.positions.rope import TURNED
from embedviz.positions.rope_pairs import FAR_DIMS, FAR_SEED, N_RANDOM
from embedviz.positions.scheme import Lines, Program
from embedviz.positions.t5 import bucket_lines
from embedviz.programs.attention import HEADS, MATRICES, indented, score_lines
from embedviz.programs.compare import ids_and_tables, imports_of
from embedviz.programs.tables import biases_of, table_imports


def _of_all_schemes(part: Callable[[Program], Sequence[str]]) -> tuple[str, ...]:
    """This part of all schemes' programs, the lines of each in its case."""
    return tuple(
        line
        for name, scheme in SCHEMES.items()
        if (own := part(scheme.program))
        for line in (f'if scheme == "{name}":', *indented(own))
    )


_LINES = Lines(*(_of_all_schemes(attrgetter(f"layer.{stage.name}")) for stage in fields(Lines)))
_LAYER = "\n".join(
    [
        "",
        *HEADS,
        "",
        "def placed(scheme, x, at):",
        *indented(_LINES.added),
        "    return x  # (T, D)",
        "",
        "def layer(scheme, x, at, seed):",
        '    """Scores before any mask, weights (H, T, T) and outputs (T, D) of tokens at the positions `at`."""',
        "    torch.manual_seed(seed)",
        f"    {MATRICES}",
        *indented(_of_all_schemes(lambda program: program.tables(False))),
        *score_lines(_LINES),
        "    weights = s.softmax(-1)",
        "    o = weights @ v",
        *indented(_LINES.outputs),
        "    return s, weights, o.transpose(0, 1).flatten(1)",
        "",
        "def scores(scheme, first=0):",
        '    """Scores (T, T) of one head, the first token at position `first`."""',
        "    at = torch.arange(first, first + len(ids))",
        "    return layer(scheme, placed(scheme, token_embeddings, at), at, layer_seed)[0][head]",
        "",
        f"schemes = {json.dumps(list(SCHEMES))}",
        "",
    ]
)


def _settings(sentence: Sentence) -> str:
    """Imports, the sentence, the tables."""
    spec, tokens = sentence.spec, sentence.tokens
    imports = "\n".join(imports_of(replace(spec, scale_embeddings=False)))
    made = "\n".join(ids_and_tables(tokens.vocab_size, replace(spec, position="learned"), {"ids": tokens}))
    return f"""{imports}

torch.set_grad_enabled(False)
{made}

D, n_heads, head = {spec.output_dim}, {N_HEADS}, {sentence.head}  # heads count from 0
head_dim, layer_seed = D // n_heads, {next_seed(spec.seed)}
token_embeddings = token_embedding(torch.tensor(ids))  # (T, D)
"""


def pytorch_shift(
    sentence: Sentence, shifts: Sequence[int] = SHIFTS, drawn: Sequence[str] = (), part: str = "scores"
) -> str:
    """A program that prints for each scheme, a line each, the largest change for every shift.

    drawn: schemes whose scores it prints after that, a row a line: those at the start, and those after the last shift;
    and then what `phrase_lines` says of them. part: see there.
    """
    last = sentence.spec.context_length - len(sentence.tokens)
    matrices = f"""for scheme in {list(drawn)}:
    for first in [k for k in (0, {shifts[-1]}) if k <= last_of(scheme)]:
        print(scheme, first)
        for row in scores(scheme, first):
            print(*(f"{{score:.4f}}" for score in row))
"""
    return f"""{_settings(sentence)}{_LAYER}
def last_of(scheme):  # the learned table ends
    return {last} if scheme == "learned" else {max(SHIFTS)}

for scheme in {_usable(sentence)}:
    changes = [(scores(scheme, k) - scores(scheme)).abs().max() for k in {list(shifts)} if k <= last_of(scheme)]
    print(scheme, *(f"{{change:.3g}}" for change in changes))
{matrices + phrase_lines(sentence, list(dict.fromkeys(drawn)), part, shifts[-1]) if drawn else ""}"""


def pytorch_distance(reach: int, learned: LearnedBiases | None) -> str:
    """A program that prints for each distance RoPE's scores of ones and of random pairs, ALiBi's biases, and a T5's."""
    program = f"""import torch

head_dim, n_heads = {FAR_DIMS}, {N_HEADS}

{TURNED}

def score(q, k, distance):  # the key stands so many positions before the query
    return (q * turned(k, torch.full([len(k)], -distance))).sum(-1) / head_dim**0.5

torch.manual_seed({FAR_SEED})
Q, K = torch.randn({2 * N_RANDOM}, head_dim).double().chunk(2)
ones = torch.ones(1, head_dim).double()
slopes = 2.0 ** (-8 / n_heads * torch.arange(1, n_heads + 1))  # ALiBi's, for 8 heads
for distance in range({reach} + 1):
    random = score(Q, K, distance)
    numbers = [score(ones, ones, distance), random.mean(), random.std(correction=0), *(-slopes * distance)]
    print(distance, *(f"{{number.item():.4f}}" for number in numbers))
"""
    return f"{program}\n{_t5_biases(learned)}" if learned else program


def _t5_biases(learned: LearnedBiases) -> str:
    """The part that prints for each head of a T5 what it adds at these distances."""
    reach = int(learned.distances[-1])
    imports, tables = ("\n".join(lines) for lines in (table_imports(learned.model), biases_of(learned.model)))
    bucket = "\n".join(bucket_lines(False, len(learned.table), learned.max_distance))
    return f"""{imports}

{tables}

{bucket}

steps = torch.arange(-{reach}, {reach} + 1)
for head, added in enumerate(biases[bucket(steps)].T, 1):
    print(head, *(f"{{number:.4f}}" for number in added))
"""


def _usable(sentence: Sentence) -> str:
    """The schemes that have a position for every token."""
    ends = len(sentence.tokens) > sentence.spec.context_length or not sentence.spec.origin.has_positions
    return '[scheme for scheme in schemes if scheme != "learned"]' if ends else "schemes"


def phrase_lines(sentence: Sentence, names: Sequence[str], part: str, later: int) -> str:
    """Lines for a program that knows `token_embeddings`, `position_embedding`, `placed` and `layer`.

    They print for each scheme the largest change of scores, weights, outputs and scores in the second layer, and then,
    of weights or scores in the second layer, the rows of the phrase at the start and later.
    """
    shown = f"""    for first, each in zip((0, {later}), (here, there)):
        print(scheme, first)
        for row in each["{part}"]:
            print(*(f"{{number:.4f}}" for number in row))
"""
    return f"""
def phrase(scheme, later):  # with so many tokens before it, which are its own again and again
    at = torch.arange(later + len(ids))
    x = placed(scheme, token_embeddings[(at - later) % len(ids)], at)
    s, weights, o = layer(scheme, x, at, layer_seed)
    second, _weights, _o = layer(scheme, (x + o)[later:], at[later:], {next_seed(next_seed(sentence.spec.seed))})
    return {{"scores": s[head, later:, later:], "weights": weights[head, later:, later:], "outputs": o[later:],
            "second": second[head]}}

for scheme in {list(names)}:
    if scheme == "learned" and {later} + len(ids) > {sentence.spec.context_length}:
        continue
    here, there = phrase(scheme, 0), phrase(scheme, {later})
    print(scheme, *(f"{{(there[part] - here[part]).abs().max():.3g}}" for part in here))
{shown if part != "scores" else ""}"""
