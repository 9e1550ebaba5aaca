"""The page "Attention" as a PyTorch program that runs as it is."""

from collections.abc import Sequence

from embedviz.attention.layer import next_seed
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import Lines
from embedviz.programs.compare import vectors_of
from embedviz.vectors.embedding import Embedded
from embedviz.vectors.spec import Spec

MATRICES = "W_query, W_key, W_value = (torch.randn(D, D) / D**0.5 for _ in range(3))"
HEADS = ("def heads(x):", "    return x.view(len(x), n_heads, head_dim).transpose(0, 1)  # (H, T, d)")


def pytorch_attention(a: Embedded, b: Embedded, n_heads: int, causal: bool) -> str:
    """A program that prints for each pair of tokens that share an ID: the case, i, j, the ID and the distance of the
    outputs, without positions and mask, as chosen, and without positions behind a causal mask.
    """
    return f"""{_lines(*vectors_of(a, b), *_weights(a.spec, n_heads, causal))}

@torch.no_grad()
def bare(ids, causal):
    x = embed(ids)[0]
{_function(Lines())}
@torch.no_grad()
def chosen(ids, causal):
    x = embed(ids)[1]
{_function(SCHEMES[a.spec.position].program.layer)}
for case, attention, causal in [("plain", bare, False), ("chosen", chosen, {causal}), ("masked", bare, True)]:
    outputs_a, outputs_b = attention(ids_a, causal), attention(ids_b, causal)
    for i, id_a in enumerate(ids_a):
        for j, id_b in enumerate(ids_b):
            if id_a == id_b:
                print(case, i, j, id_a, f"{{torch.dist(outputs_a[i], outputs_b[j]):.3f}}")
"""


def _function(layer: Lines) -> str:
    """The lines from the vectors `x` to the outputs."""
    return _lines(
        "    at = torch.arange(len(ids))",
        *score_lines(layer),
        "    if causal:",
        "        s = s.masked_fill(steps > 0, -torch.inf)",
        "    weights = s.softmax(-1)",
        "    o = weights @ v",
        *indented(layer.outputs),
        "    return o.transpose(0, 1).flatten(1)",
        "",
    )


def _lines(*lines: str) -> str:
    return "\n".join(lines)


def _weights(spec: Spec, n_heads: int, causal: bool) -> list[str]:
    """The lines that draw the matrices, and `heads`."""
    return [
        "",
        f"D, n_heads = {spec.output_dim}, {n_heads}",
        "head_dim = D // n_heads",
        f"torch.manual_seed({next_seed(spec.seed)})",
        MATRICES,
        *SCHEMES[spec.position].program.tables(causal),
        "",
        *HEADS,
    ]


def score_lines(layer: Lines) -> list[str]:
    """The lines from the vectors `x` at positions `at` to their scores `s`, before any mask."""
    return [
        "    steps = at[None, :] - at[:, None]  # key - query",
        "    q, k, v = heads(x @ W_query), heads(x @ W_key), heads(x @ W_value)",
        *indented(layer.turned),
        "    s = q @ k.mT  # (H, T, T)",
        *indented(layer.inside),
        "    s = s / head_dim**0.5",
        *indented(layer.after),
    ]


def indented(lines: Sequence[str]) -> list[str]:
    """The lines of a function's body."""
    return [f"    {line}" for line in lines]
