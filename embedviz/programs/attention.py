"""The page "Attention" as a PyTorch program that runs as it is."""

from collections.abc import Sequence

from embedviz.attention.layer import next_seed
from embedviz.positions import SCHEMES
from embedviz.programs.compare import vectors_of
from embedviz.vectors.embedding import Embedded


def pytorch_attention(a: Embedded, b: Embedded, n_heads: int, head: int, causal: bool) -> str:
    """A program that prints the weights of head number `head`, from 0, over A, then over B, a row a line, and
    then for each pair of tokens that share an ID: i, j, the ID and the distance of the outputs.
    """
    spec = a.spec
    program = SCHEMES[spec.position].program
    layer = program.layer
    return "\n".join(
        [
            *vectors_of(a, b),
            "",
            f"D, n_heads = {spec.output_dim}, {n_heads}",
            "head_dim = D // n_heads",
            f"torch.manual_seed({next_seed(spec.seed)})",
            "W_query, W_key, W_value = (torch.randn(D, D) / D**0.5 for _ in range(3))",
            *program.tables(causal),
            "",
            "def heads(x):",
            "    return x.view(len(x), n_heads, head_dim).transpose(0, 1)  # (H, T, d)",
            "",
            "@torch.no_grad()",
            "def attention(ids):",
            "    x = embed(ids)[1]",
            "    at = torch.arange(len(ids))",
            "    steps = at[None, :] - at[:, None]  # key - query",
            "    q, k, v = heads(x @ W_query), heads(x @ W_key), heads(x @ W_value)",
            *_indented(layer.turned),
            "    s = q @ k.mT  # (H, T, T)",
            *_indented(layer.inside),
            "    s = s / head_dim**0.5",
            *_indented(layer.after),
            *(["    s = s.masked_fill(steps > 0, -torch.inf)"] if causal else []),
            "    weights = s.softmax(-1)",
            "    o = weights @ v",
            *_indented(layer.outputs),
            "    return weights, o.transpose(0, 1).flatten(1)",
            "",
            "(weights_a, outputs_a), (weights_b, outputs_b) = attention(ids_a), attention(ids_b)",
            f"for row in [*weights_a[{head}], *weights_b[{head}]]:",
            '    print(*(f"{weight:.4f}" for weight in row))',
            "for i, id_a in enumerate(ids_a):",
            "    for j, id_b in enumerate(ids_b):",
            "        if id_a == id_b:",
            '            print(i, j, id_a, f"{torch.dist(outputs_a[i], outputs_b[j]):.3f}")',
            "",
        ]
    )


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]
