"""The views of the page "RoPE" that show frequencies, as PyTorch code that runs as it is."""

from embedviz.attention.longrope_factors import LONG, SHORT, resampled
from embedviz.attention.rope_parts import PARTS, REACH, SEED
from embedviz.attention.rope_reach import BASES, HIGH_FREQ_FACTOR, LOW_FREQ_FACTOR, PART


def pytorch_base(base: int, head_dim: int, trained: int) -> str:
    """A program that prints a line for each base.

    In it: the base, how many pairs go full circle, how often the slowest one does, and every wavelength.
    """
    return f"""import torch

head_dim, trained = {head_dim}, {trained}
exponents = torch.arange(0, head_dim, 2).float() / head_dim  # 2k / d, (d/2,)

for base in {sorted({*BASES, base})}:
    inv_freq = 1 / base**exponents  # radians a position, (d/2,)
    wavelengths = 2 * torch.pi / inv_freq  # positions until a pair has gone full circle
    turns = inv_freq.double() * (trained - 1) / (2 * torch.pi)  # full circles within a text of the training
    print(base, int((turns >= 1).sum()), f"{{turns[-1]:.4g}}", *(f"{{wave:.4g}}" for wave in wavelengths))
"""


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
_LONGROPE = """long = {long}
short = {short}
after = before / torch.tensor(long if used > trained else short)
if factor > 1:
    attention_factor = math.sqrt(1 + math.log(factor) / math.log(trained))"""


def pytorch_longer(name: str, factor: int, *, head_dim: int, base: int, trained: int, used: int) -> str:
    """A program that prints the attention factor, and then a line for each pair.

    In it: the radians that it turns at each position before and after the scaling, and the full circles that it turns
    in a text of the training and in the longer one.
    """
    return f"""import math

import torch

head_dim, base, factor, trained, used = {head_dim}, {base}, {factor}, {trained}, {used}
exponents = torch.arange(0, head_dim, 2).float() / head_dim  # 2k / d, (d/2,)
before, attention_factor = 1 / base**exponents, 1.0

{_scaled(name, factor, head_dim // 2)}

print(f"{{attention_factor:.4f}}")
for speed, scaled in zip(before.double(), after.double()):
    turns = speed * (trained - 1) / (2 * math.pi), scaled * (used - 1) / (2 * math.pi)
    print(*(f"{{number:.5g}}" for number in (speed, scaled, *turns)))
"""


def _scaled(name: str, factor: int, n_pairs: int) -> str:
    if name != "longrope":
        return _SCALED[name]
    return _LONGROPE.format(long=resampled(LONG, factor, n_pairs), short=resampled(SHORT, factor, n_pairs))


def pytorch_part(name: str) -> str:
    """A program that prints the score of the dimensions that are not turned, and then a line for each distance.

    In it: how many tokens earlier the key stands, the score of the turned dimensions, and the whole score.
    """
    part = PARTS[name]
    n_pairs = part.turned // 2
    first, second = (0, part.head_dim // 2) if part.whole else (part.first, part.first + n_pairs)
    return f"""import torch

generator = torch.Generator().manual_seed({SEED})
query, key = torch.randn(2, {part.head_dim}, generator=generator).double()

first, second = torch.arange({n_pairs}) + {first}, torch.arange({n_pairs}) + {second}  # the dimensions of each pair
inv_freq = 1 / {part.base} ** (torch.arange(0, {part.turned}, 2).float() / {part.exponent_dim})

def turned(x, position):
    angles = position * inv_freq.double()
    found = x.clone()
    found[first] = x[first] * angles.cos() - x[second] * angles.sin()
    found[second] = x[first] * angles.sin() + x[second] * angles.cos()
    return found

moves = torch.zeros({part.head_dim}, dtype=torch.bool)
moves[first], moves[second] = True, True
root = {part.head_dim} ** 0.5
print(f"{{query[~moves] @ key[~moves] / root:.4f}}")
for distance in range({REACH} + 1):
    products = turned(query, {REACH}) * turned(key, {REACH} - distance)
    print(distance, f"{{products[moves].sum() / root:.4f}} {{products.sum() / root:.4f}}")
"""
