"""The small GPT by hand: one sentence in float64, with plain loops."""

import cmath
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Read:
    """Hidden states (n_layers + 1, T, D), attention weights (n_layers, H, T, T), and logits (T, V)."""

    states: np.ndarray
    weights: np.ndarray
    logits: np.ndarray


def read(weights: Mapping[str, np.ndarray], row: Sequence[int], places: np.ndarray, positions: str = "learned") -> Read:
    """Token IDs, each with its share of every position, (T, L), through a model of 4 heads."""
    w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
    n_layers = len({name.split(".")[1] for name in w if name.startswith("blocks.")})
    x = np.stack([w["token_embedding.weight"][id_] for id_ in row])
    if positions == "learned":
        for t, shares in enumerate(places):
            for position, share in enumerate(shares):
                x[t] += share * w["position_embedding.weight"][position]
    at = [sum(position * share for position, share in enumerate(shares)) for shares in places]

    def norm(x, name):
        centred = x - x.mean(1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
        return scaled * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def turned(vector, position):
        if positions != "rope":
            return vector
        half = len(vector) // 2
        pairs = [
            complex(vector[k], vector[k + half]) * cmath.exp(1j * position * 10000 ** (-k / half)) for k in range(half)
        ]
        return np.array([pair.real for pair in pairs] + [pair.imag for pair in pairs])

    gelu = np.vectorize(lambda v: v * 0.5 * (1 + math.erf(v / math.sqrt(2))))
    states, looks = [x], []
    for n in range(n_layers):
        q, k, v = np.split(linear(norm(x, f"blocks.{n}.norm_1"), f"blocks.{n}.queries_keys_values"), 3, axis=1)
        size = q.shape[1] // 4
        look, heads = np.zeros((4, len(row), len(row))), np.zeros_like(q)
        for h in range(4):
            part = slice(size * h, size * (h + 1))
            for t in range(len(row)):
                query = turned(q[t, part], at[t])
                scores = [query @ turned(k[s, part], at[s]) / math.sqrt(size) for s in range(t + 1)]
                shares = np.exp(np.array(scores) - max(scores))
                look[h, t, : t + 1] = shares / shares.sum()
                heads[t, part] = look[h, t, : t + 1] @ v[: t + 1, part]
        x = x + linear(heads, f"blocks.{n}.attended")
        x = x + linear(gelu(linear(norm(x, f"blocks.{n}.norm_2"), f"blocks.{n}.widen")), f"blocks.{n}.narrow")
        states.append(x)
        looks.append(look)
    states[-1] = norm(x, "norm")
    head = w.get("head.weight", w["token_embedding.weight"])
    return Read(np.stack(states), np.stack(looks), states[-1] @ head.T)
