"""A model's own query and key that RoPE turns, as PyTorch code that runs as it is and prints the page's numbers."""

from dataclasses import dataclass

import numpy as np

from embedviz.layers.positions import TurnedHeads
from embedviz.positions.rope_pairs import MAX_SHIFT, QueryAndKey
from embedviz.programs.next_word import reading
from embedviz.training.train import TrainingSettings


@dataclass(frozen=True)
class OwnHead:
    """A head of a model as it reads a text, and two tokens: the query of one, and the key of the other. All from 0.

    run: the settings of the small GPT, if it is one.
    """

    run: TrainingSettings | None
    model: str
    text: str
    heads: TurnedHeads
    layer: int
    head: int
    query_at: int
    key_at: int

    @property
    def pair(self) -> QueryAndKey:
        """The query and the key before they are turned."""
        return self.heads.pair(self.layer, self.head, self.query_at, self.key_at)

    @property
    def query_text(self) -> str:
        """The token whose query it is."""
        return self.heads.texts[self.query_at]

    @property
    def key_text(self) -> str:
        """The token whose key it is."""
        return self.heads.texts[self.key_at]

    @property
    def weight(self) -> float:
        """The weight that the first gives to the second where they stand."""
        return float(self.heads.weights[self.layer][self.head, self.query_at, self.key_at])


def pytorch_own_clocks(query_at: int, key_at: int, both_at: int, own: OwnHead) -> str:
    """A program that prints the same of a model's query and key as `pytorch_clocks` of random ones."""
    lines = _of_run(own, own.run) if own.run else _of_numbers(own)
    return "\n".join([*lines, _CLOCKS.format(n=MAX_SHIFT + 1, query_at=query_at, key_at=key_at, both_at=both_at)])


def _of_run(own: OwnHead, run: TrainingSettings) -> list[str]:
    """The lines that read the small GPT, and the words, whose query and key they take."""
    return [
        *reading(run),
        f"words = {list(own.heads.texts)}",
        "ids = torch.tensor([[vocabulary.index(word) for word in words]])",
        "states, *_others = run_model(gpt, ids, torch.eye(CONTEXT_LENGTH)[: len(words)])",
        f"queries, keys, _values = gpt.blocks[{own.layer}].heads(states[{own.layer}], None)  # before they are turned",
        f"query, key = queries[0, {own.head}, {own.query_at}], keys[0, {own.head}, {own.key_at}]",
        "n_dims = len(query)",
        "speeds, scaling = 10000.0 ** (-torch.arange(0, n_dims, 2).double() / n_dims), n_dims**-0.5",
    ]


def _of_numbers(own: OwnHead) -> list[str]:
    """The lines that say the numbers of a model of this machine."""
    pair = own.pair
    return [
        "import torch",
        "",
        f"# Layer {own.layer + 1}, head {own.head + 1} of {own.heads.model}, before anything is turned:",
        f"# the query of {own.query_text!r} and the key of {own.key_text!r}, each with pair k at k and k + P",
        f"query = torch.tensor({_numbers(pair.query)})",
        f"key = torch.tensor({_numbers(pair.key)})",
        f"speeds = torch.tensor({_numbers(pair.speeds.astype(np.float32))}).double()",
        f"scaling = {pair.scaling!r}",
    ]


def _numbers(values: np.ndarray) -> str:
    """Float32 as short as they can be written without a change."""
    return f"[{', '.join(map(str, values))}]"


_CLOCKS = """

def turned(x, at):  # pair k is made of k and k + P; what is left is never turned
    angles, n = torch.outer(at.double(), speeds), len(speeds)
    cos, sin = angles.cos().float(), angles.sin().float()
    a, b, rest = x[:, :n], x[:, n : 2 * n], x[:, 2 * n :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos, rest], dim=-1)


moved = torch.arange({n})  # both tokens stand so many positions later
q = turned(query.expand({n}, -1), {query_at} + moved)
k = turned(key.expand({n}, -1), {key_at} + moved)
scores = (q * k).sum(-1) * scaling

q_hands, k_hands = (each[{both_at}, : 2 * len(speeds)].view(2, -1).T for each in (q, k))  # (pairs, 2)
between = torch.atan2(k_hands[:, 1], k_hands[:, 0]) - torch.atan2(q_hands[:, 1], q_hands[:, 0])
between = (between.rad2deg() + 180) % 360 - 180
shares = (q_hands * k_hands).sum(-1) * scaling
for pair, (angle, share) in enumerate(zip(between.tolist(), shares.tolist())):
    print(pair, f"{{angle:.1f}}", f"{{share:.4f}}")
print("score", f"{{scores[{both_at}].item():.4f}}")
print("change", f"{{(scores - scores[{both_at}]).abs().max().item():.3g}}")
"""
