"""The views of the page "Relative" as PyTorch code that runs as it is."""

from dataclasses import replace

from embedviz.export_tables import table_imports, tables_of
from embedviz.layer import next_seed
from embedviz.relative import N_HEADS, SHIFTS, Sentence
from embedviz.tokens import prefixed

_SCHEMES = '''
def bucket(steps):  # T5, both ways, 32 buckets, 128 at most; step = key - query
    distance, exact = steps.abs(), 8
    share = torch.log(distance.clamp(min=1).float() / exact) / math.log(128 / exact)
    far = (exact + (share * 8).long()).clamp(max=15)
    return 16 * (steps > 0) + torch.where(distance < exact, distance, far)

def turned(x, at):  # RoPE, dimension k paired with k + d/2
    angles = torch.outer(at.double(), 10000.0 ** (-torch.arange(0, head_dim, 2).double() / head_dim))
    cos, sin = angles.cos().float(), angles.sin().float()
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)

def angles(numbers):
    return numbers.double()[..., None] * 10000.0 ** (-torch.arange(0, output_dim, 2).double() / output_dim)

def slopes():  # ALiBi
    return 2.0 ** (-8 * torch.arange(1, n_heads + 1) / n_heads)

def matrix():
    return torch.randn(output_dim, output_dim) / output_dim**0.5

mine = slice(head * head_dim, (head + 1) * head_dim)  # this head's columns

def scores(scheme, first=0):
    """Scores (T, T) of one head, the first token at position `first`."""
    at = torch.arange(first, first + len(ids))
    steps = at[None, :] - at[:, None]  # key - query
    x = token_embeddings
    if scheme == "learned":
        x = x + position_embedding(at)
    if scheme == "sinusoidal":
        x = x + torch.stack([angles(at).sin(), angles(at).cos()], dim=-1).flatten(1).float()
    torch.manual_seed(layer_seed)
    W_query, W_key, W_value = matrix(), matrix(), matrix()
    q, k = (x @ W_query)[:, mine], (x @ W_key)[:, mine]  # (T, d)
    if scheme == "rope":
        q, k = turned(q, at), turned(k, at)
    s = q @ k.T
    if scheme == "shaw":
        s = s + (q[:, None] * torch.randn(33, head_dim)[steps.clamp(-16, 16) + 16]).sum(-1)
    if scheme == "transformer_xl":
        W, u, v = matrix(), torch.randn(n_heads, head_dim)[head], torch.randn(n_heads, head_dim)[head]
        r = torch.cat([angles(-steps).sin(), angles(-steps).cos()], dim=-1).float() @ W[:, mine]  # (T, T, d)
        s = s + ((q + v)[:, None] * r).sum(-1) + k @ u
    if scheme == "deberta":
        P, W_k, W_q = torch.randn(1024, output_dim), matrix(), matrix()
        delta = (-steps + 512).clamp(0, 1023)
        K, Q = P @ W_k[:, mine], P @ W_q[:, mine]  # (1024, d)
        s = (s + (q[:, None] * K[delta]).sum(-1) + (k[None, :] * Q[delta.T]).sum(-1)) / 3**0.5
    s = s / head_dim**0.5
    if scheme == "t5":
        s = s + torch.randn(32, n_heads)[bucket(steps), head]
    if scheme == "alibi":
        s = s - slopes()[head] * steps.abs()
    return s

schemes = ["none", "learned", "sinusoidal", "shaw", "transformer_xl", "t5", "deberta", "rope", "alibi"]
'''


def _settings(sentence: Sentence) -> str:
    """Imports, the sentence, the tables."""
    spec, tokens = sentence.spec, sentence.tokens
    imports = "\n".join(
        (*([] if spec.vocabulary else ["import tiktoken"]), "import torch", *table_imports(spec.source))
    )
    tables = "\n".join(tables_of(tokens.vocab_size, replace(spec, position="learned")))
    return f"""import math

{imports}

torch.set_grad_enabled(False)
{_ids(sentence)}

output_dim, n_heads, head = {spec.output_dim}, {N_HEADS}, {sentence.head}  # heads count from 0
head_dim, layer_seed = output_dim // n_heads, {next_seed(spec.seed)}
{tables}
token_embeddings = token_embedding(torch.tensor(ids))  # (T, D)
"""


def _ids(sentence: Sentence) -> str:
    spec, tokens = sentence.spec, sentence.tokens
    if spec.vocabulary:
        return f"vocabulary = {list(spec.vocabulary)!r}\nids = [vocabulary.index(word) for word in {tokens.texts!r}]"
    head = f"[:{len(tokens)}]" if tokens.is_cut else ""
    text = repr(prefixed(tokens.text, spec.prefix_space))
    return f"""tokenizer = tiktoken.get_encoding("{spec.tokenizer}")
ids = tokenizer.encode({text}, disallowed_special=()){head}
# tiktoken fetches its tables once; without internet put in
# ids = {tokens.ids}"""


def pytorch_scores(sentence: Sentence) -> str:
    """A program that prints the name of each scheme and then its scores, a row a line."""
    usable = _usable(sentence, 0)
    return f"""{_settings(sentence)}{_SCHEMES}
for scheme in {usable}:
    print(scheme)
    for row in scores(scheme):
        print(*(f"{{score:.4f}}" for score in row))
"""


def pytorch_shift(sentence: Sentence) -> str:
    """A program that prints for each scheme, a line each, the largest change for every shift."""
    last = sentence.spec.context_length - len(sentence.tokens)
    return f"""{_settings(sentence)}{_SCHEMES}
for scheme in {_usable(sentence, 0)}:
    last = {last} if scheme == "learned" else {max(SHIFTS)}  # the learned table ends
    changes = [(scores(scheme, k) - scores(scheme)).abs().max() for k in {list(SHIFTS)} if k <= last]
    print(scheme, *(f"{{change:.3g}}" for change in changes))
"""


def pytorch_distance(sentence: Sentence, reach: int) -> str:
    """A program that prints, a line for every step: step, RoPE's share, ALiBi's, T5's bucket and bias, Shaw's."""
    return f"""{_settings(sentence)}{_SCHEMES}
steps = torch.arange(-{reach}, {reach} + 1)
rope = turned(torch.ones(len(steps), head_dim), steps).mean(dim=1)
alibi = -slopes()[head] * steps.abs()
torch.manual_seed(layer_seed)
W_query, W_key, W_value = matrix(), matrix(), matrix()
state = torch.get_rng_state()  # every scheme draws its own tables after the three matrices
t5 = torch.randn(32, n_heads)[bucket(steps), head]
torch.set_rng_state(state)
q = (token_embeddings[0] @ W_query)[mine]
shaw = (torch.randn(33, head_dim) @ q)[steps.clamp(-16, 16) + 16] / head_dim**0.5
for line in zip(steps.tolist(), rope, alibi, bucket(steps).tolist(), t5, shaw):
    print(*(f"{{number:.4f}}" if isinstance(number, torch.Tensor) else number for number in line))
"""


def pytorch_lengths(trained: int, used: int, output_dim: int) -> str:
    """A program that prints, a line a scheme, what `Reach.number` is, in its order."""
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

print("learned", max(used - trained, 0))  # positions without a row: nn.Embedding raises IndexError
print("sinusoidal", f"{{apart.min() if used > trained else 0:.4f}}")
print("shaw", max(used - trained, 0) - len(new(shaw)))
print("transformer_xl", f"{{apart.min() if used > trained else 0:.4f}}")
print("t5", len(new(t5).unique()))
print("deberta", len(new(deberta).unique()))
print("rope", int((frequencies(output_dim // n_heads) * (trained - 1) < 2 * math.pi).sum()))
print("alibi", f"{{-2.0 ** (-8 / n_heads) * (used - 1):.4f}}")
"""


def pytorch_costs(n_tokens: int, output_dim: int, n_heads: int, context_length: int) -> str:
    """A program that prints the parameters of every scheme in one layer."""
    return f"""import torch

output_dim, n_heads, context_length = {output_dim}, {n_heads}, {context_length}
head_dim = output_dim // n_heads
tables = {{
    "learned": [torch.nn.Embedding(context_length, output_dim).weight],
    "sinusoidal": [],
    "shaw": [torch.empty(33, head_dim), torch.empty(33, head_dim)],
    "transformer_xl": [torch.empty(output_dim, output_dim), *torch.empty(2, n_heads, head_dim)],
    "t5": [torch.empty(32, n_heads)],
    "deberta": [torch.empty(1024, output_dim), *torch.empty(2, output_dim, output_dim)],
    "rope": [],
    "alibi": [],
}}
for scheme, own in tables.items():
    print(scheme, sum(table.numel() for table in own))
"""


def _usable(sentence: Sentence, first: int) -> str:
    """The schemes that have a position for every token."""
    ends = first + len(sentence.tokens) > sentence.spec.context_length
    return '[scheme for scheme in schemes if scheme != "learned"]' if ends else "schemes"
