"""The view "Pairs turn" of the page "RoPE", as PyTorch code that runs as it is."""

from embedviz.positions import rope_pairs
from embedviz.positions.rope import TURNED


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
