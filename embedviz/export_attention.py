"""The page "Attention" as a PyTorch program that runs as it is."""

from embedviz.embedding import Embedded
from embedviz.export import vectors_of
from embedviz.layer import next_seed

# The scheme's own tables, drawn after the three matrices; what goes into the scores before they are
# divided, what is added after, and what goes into the outputs.
_TABLES = {
    "t5": ["bias = torch.randn(32, n_heads)"],
    "shaw": ["keys, values = torch.randn(33, head_dim), torch.randn(33, head_dim)  # 16 steps either way, and 0"],
    "transformer_xl": [
        "W_position = torch.randn(D, D) / D**0.5",
        "u, v_bias = torch.randn(n_heads, head_dim), torch.randn(n_heads, head_dim)",
    ],
    "deberta": [
        "relative = torch.randn(1024, D)",
        "W_position_key, W_position_query = (torch.randn(D, D) / D**0.5 for _ in range(2))",
    ],
}
_TURN = [
    "    turn = torch.outer(at.double(), 10000.0 ** (-torch.arange(0, head_dim, 2).double() / head_dim))",
    "    cos, sin = turn.cos().float(), turn.sin().float()",
    "    q, k = (torch.cat([a * cos - b * sin, a * sin + b * cos], -1) for a, b in (q.chunk(2, -1), k.chunk(2, -1)))",
]
_INSIDE = {
    "shaw": ["    s = s + torch.einsum('hid,ijd->hij', q, keys[steps.clamp(-16, 16) + 16])"],
    "transformer_xl": [
        "    angles = -steps.double()[..., None] * 10000.0 ** (-torch.arange(0, D, 2).double() / D)",
        "    r = torch.cat([angles.sin(), angles.cos()], -1).float() @ W_position  # (T, T, D)",
        "    r = r.unflatten(-1, (n_heads, head_dim))",
        "    s = s + torch.einsum('hid,ijhd->hij', q + v_bias[:, None], r) + (u[:, None] @ k.mT)",
    ],
    "deberta": [
        "    delta = (-steps + 512).clamp(0, 1023)",
        "    K, Q = (heads(relative @ W)[:, delta] for W in (W_position_key, W_position_query))  # (H, T, T, d)",
        "    s = s + torch.einsum('hid,hijd->hij', q, K) + torch.einsum('hjd,hjid->hij', k, Q)",
        "    s = s / 3**0.5",
    ],
}
_AFTER = {
    "alibi": ["    s = s - slopes[:, None, None] * steps.abs()"],
    "t5": ["    s = s + bias[bucket(steps)].permute(2, 0, 1)"],
}
_VALUES = {"shaw": ["    o = o + torch.einsum('hij,ijd->hid', weights, values[steps.clamp(-16, 16) + 16])"]}
_SLOPES = [
    "def geometric(n):  # n a power of two",
    "    return [2 ** (-8 * h / n) for h in range(1, n + 1)]",
    "",
    "power = 2 ** (n_heads.bit_length() - 1)  # the largest that is not above",
    "slopes = torch.tensor(geometric(power) + geometric(2 * power)[::2][: n_heads - power])",
]


def pytorch_attention(a: Embedded, b: Embedded, n_heads: int, head: int, causal: bool) -> str:
    """A program that prints the weights of head number `head`, from 0, over A, then over B, a row a line, and
    then for each pair of tokens that share an ID: i, j, the ID and the distance of the outputs.
    """
    spec = a.spec
    position = spec.position
    return "\n".join(
        [
            *vectors_of(a, b),
            "",
            f"D, n_heads = {spec.output_dim}, {n_heads}",
            "head_dim = D // n_heads",
            f"torch.manual_seed({next_seed(spec.seed)})",
            "W_query, W_key, W_value = (torch.randn(D, D) / D**0.5 for _ in range(3))",
            *_TABLES.get(position, []),
            *(_SLOPES if position == "alibi" else []),
            *(_bucket(causal) if position == "t5" else []),
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
            *(_TURN if position == "rope" else []),
            "    s = q @ k.mT  # (H, T, T)",
            *_INSIDE.get(position, []),
            "    s = s / head_dim**0.5",
            *_AFTER.get(position, []),
            *(["    s = s.masked_fill(steps > 0, -torch.inf)"] if causal else []),
            "    weights = s.softmax(-1)",
            "    o = weights @ v",
            *_VALUES.get(position, []),
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


def _bucket(causal: bool) -> list[str]:
    n, offset, distance = (32, "0", "(-steps).clamp(min=0)") if causal else (16, "16 * (steps > 0)", "steps.abs()")
    exact = n // 2
    return [
        "",
        "def bucket(steps):",
        f"    distance = {distance}",
        f"    share = torch.log(distance.clamp(min=1).float() / {exact}) / torch.log(torch.tensor(128 / {exact}))",
        f"    far = ({exact} + (share * {n - exact}).long()).clamp(max={n - 1})",
        f"    return {offset} + torch.where(distance < {exact}, distance, far)",
    ]
