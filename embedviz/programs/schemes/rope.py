"""The page "RoPE" as PyTorch code that runs as it is."""

from embedviz.attention.rope_reach import HIGH_FREQ_FACTOR, LOW_FREQ_FACTOR, PART
from embedviz.positions import rope_pairs
from embedviz.positions.rope import TURNED

_SCALED = {
    "none": "after = before",
    "linear": "after = before / factor",
    "dynamic": """stretched = factor * max(used, trained) / trained - (factor - 1)
after = 1 / (base * stretched ** (head_dim / (head_dim - 2))) ** exponents""",
    "yarn": """def pair(turns):  # the pair that goes full circle so often in a text of the training
    return head_dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), head_dim - 1)
slowed = ((torch.arange(head_dim // 2) - low) / ((high - low) or 0.001)).clamp(0, 1)
after = before * (1 - slowed) + before / factor * slowed
attention_factor = 0.1 * math.log(factor) + 1""",
    "llama3": f"""low, high = {LOW_FREQ_FACTOR}, {HIGH_FREQ_FACTOR}
wavelengths = 2 * math.pi / before
share = (trained / wavelengths - low) / (high - low)
mixed = (1 - share) * before / factor + share * before
is_long, is_short = wavelengths > trained / low, wavelengths < trained / high
after = torch.where(is_long, before / factor, torch.where(is_short, before, mixed))""",
    "proportional": f"""turned = int({PART} * head_dim // 2)
after = torch.cat([before[:turned] / factor, torch.zeros(head_dim // 2 - turned)])""",
}


def pytorch_longer(name: str, factor: int, *, head_dim: int, base: int, trained: int, used: int) -> str:
    """A program that prints the attention factor, and then a line for each pair.

    These are the radians that it turns at each position before and after the scaling, and the full circles that it
    turns in a text of the training and in the longer one.
    """
    return f"""import math

import torch

head_dim, base, factor, trained, used = {head_dim}, {base}, {factor}, {trained}, {used}
exponents = torch.arange(0, head_dim, 2).float() / head_dim  # 2k / d, (d/2,)
before, attention_factor = 1 / base**exponents, 1.0

{_SCALED[name]}

print(f"{{attention_factor:.4f}}")
for speed, scaled in zip(before.double(), after.double()):
    turns = speed * (trained - 1) / (2 * math.pi), scaled * (used - 1) / (2 * math.pi)
    print(*(f"{{number:.5g}}" for number in (speed, scaled, *turns)))
"""


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
