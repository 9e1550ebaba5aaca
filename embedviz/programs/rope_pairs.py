"""The numbers of the page "RoPE", pair by pair, as PyTorch programs."""

from embedviz.positions import rope_pairs
from embedviz.positions.rope import TURNED, Layout


def pytorch_clocks(query_at: int, key_at: int, both_at: int) -> str:
    """A program that prints each pair's angle and share, the score, and its largest change if both are moved."""
    n_places = rope_pairs.MAX_SHIFT + 1
    return f"""import torch

head_dim = {rope_pairs.CLOCK_DIMS}

{TURNED}

torch.manual_seed({rope_pairs.CLOCK_SEED})
query, key = torch.randn(2, head_dim)
moved = torch.arange({n_places})  # both tokens stand so many positions later
q = turned(query.expand({n_places}, -1), {query_at} + moved)
k = turned(key.expand({n_places}, -1), {key_at} + moved)
scores = (q * k).sum(-1) / head_dim**0.5

q_hands, k_hands = q[{both_at}].view(2, -1).T, k[{both_at}].view(2, -1).T  # (pairs, 2)
between = torch.atan2(k_hands[:, 1], k_hands[:, 0]) - torch.atan2(q_hands[:, 1], q_hands[:, 0])
between = (between.rad2deg() + 180) % 360 - 180
shares = (q_hands * k_hands).sum(-1) / head_dim**0.5
for pair, (angle, share) in enumerate(zip(between.tolist(), shares.tolist())):
    print(pair, f"{{angle:.1f}}", f"{{share:.4f}}")
print("score", f"{{scores[{both_at}].item():.4f}}")
print("change", f"{{(scores - scores[{both_at}]).abs().max().item():.3g}}")
"""


def pytorch_layouts(layout: Layout) -> str:
    """A program that prints the right scores, then those of the other rotation, with the permutation and without."""
    n_tokens = rope_pairs.LAYOUT_TOKENS
    return f"""import torch

head_dim = {rope_pairs.LAYOUT_DIMS}
speeds = 10000.0 ** (-torch.arange(0, head_dim, 2).double() / head_dim)  # how far a pair turns, in radians

def turned(x, at, layout):
    half = layout == "half"
    angles = torch.outer(at.double(), speeds)
    cos, sin = angles.cos().float(), angles.sin().float()
    a, b = x.chunk(2, dim=-1) if half else (x[:, 0::2], x[:, 1::2])
    parts = [a * cos - b * sin, a * sin + b * cos]
    return torch.cat(parts, dim=-1) if half else torch.stack(parts, dim=-1).flatten(1)

def scores(q, k, layout, first=0):
    at = first + torch.arange(len(q))
    return turned(q, at, layout) @ turned(k, at, layout).T / head_dim**0.5

own, other = "{layout}", "{rope_pairs.other(layout)}"
n_pairs = head_dim // 2
shape = (2, n_pairs) if own == "half" else (n_pairs, 2)
permutation = torch.arange(head_dim).view(shape).T.flatten()
torch.manual_seed({rope_pairs.LAYOUT_SEED})
q, k = torch.randn({2 * n_tokens}, head_dim).chunk(2)

right = scores(q, k, own)
renamed = scores(q[:, permutation], k[:, permutation], other)
mixed = scores(q, k, other)
for matrix in (right, renamed, mixed):
    for row in matrix:
        print(*(f"{{score:.4f}}" for score in row))
print("renamed", f"{{(renamed - right).abs().max().item():.3g}}")
print("mixed", f"{{(mixed - right).abs().max().item():.3g}}")
print("others_first", (mixed.argmax(1) != right.argmax(1)).sum().item())
print("mixed_shift", f"{{(scores(q, k, other, {rope_pairs.LAYOUT_SHIFT}) - mixed).abs().max().item():.3g}}")
"""
