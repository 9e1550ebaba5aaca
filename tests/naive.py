"""Sinusoids, and attention of every scheme, from the papers' formulas, one number at a time, float64: an oracle."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from embedviz.positions import SCHEMES


def attention(x, layer, places, causal=False):
    """Scores (H, T, T) and outputs (T, D) of vectors x (T, D) at these places; a list of lists in slow motion."""
    x = np.asarray(x, np.float64)
    n_tokens, n_dims = x.shape
    d = n_dims // layer.n_heads
    scores = np.zeros((layer.n_heads, n_tokens, n_tokens))
    outputs = np.zeros((n_tokens, n_dims))
    for h in range(layer.n_heads):
        mine = slice(h * d, (h + 1) * d)
        q, k, v = (x @ m.astype(np.float64)[:, mine] for m in (layer.query, layer.key, layer.value))
        for i in range(n_tokens):
            for j in range(n_tokens):
                scores[h, i, j] = score(layer, h, (q[i], k[j]), (int(places[i]), int(places[j])), causal)
            seen = range(i + 1) if causal else range(n_tokens)
            top = max(scores[h, i, j] for j in seen)
            grown = {j: math.exp(scores[h, i, j] - top) for j in seen}
            for j in seen:
                value = v[j]
                if layer.position == "shaw":
                    value = value + layer.own["values"].astype(np.float64)[clip(places[j] - places[i], 16) + 16]
                outputs[i, mine] += grown[j] / sum(grown.values()) * value
    return scores, outputs


def score(layer, h, vectors, places, causal):
    own = {name: table.astype(np.float64) for name, table in layer.own.items()}
    q, k, d = *vectors, len(vectors[0])
    of = {"own": own, "h": h, "mine": slice(h * d, (h + 1) * d), "n_heads": layer.n_heads, "causal": causal}
    return FORMULAS[layer.position](SimpleNamespace(product=q @ k, root=math.sqrt(d), **of), q, k, *places)


def _alibi(of, q, k, i, j):
    assert math.log2(of.n_heads).is_integer()
    return of.product / of.root - 2 ** (-8 / of.n_heads * (of.h + 1)) * abs(i - j)


def _transformer_xl(of, q, k, i, j):
    r = sinusoids(i - j, len(of.own["position_key"])) @ of.own["position_key"][:, of.mine]
    return (of.product + q @ r + of.own["u"][of.h] @ k + of.own["v"][of.h] @ r) / of.root


def _deberta(of, q, k, i, j):
    key, query = (of.own["relative"] @ of.own[f"position_{name}"][:, of.mine] for name in ("key", "query"))
    return (of.product + q @ key[delta(i, j)] + k @ query[delta(j, i)]) / math.sqrt(3) / of.root


# The score of a query q at i and a key k at j. root: that of the head's dimensions.
FORMULAS = {
    **{name: lambda of, *_: of.product / of.root for name in SCHEMES if SCHEMES[name].kind in ("none", "add")},
    "rope": lambda of, q, k, i, j: turn(q, i) @ turn(k, j) / of.root,
    "alibi": _alibi,
    "t5": lambda of, q, k, i, j: of.product / of.root + of.own["bias"][t5_bucket(j - i, not of.causal), of.h],
    "shaw": lambda of, q, k, i, j: q @ (k + of.own["keys"][clip(j - i, 16) + 16]) / of.root,
    "transformer_xl": _transformer_xl,
    "deberta": _deberta,
}


def asked(known=FORMULAS):
    """All schemes, to go through. Of one that is not known here, the report says that it was left out."""
    left_out = pytest.mark.skip("Write down here what its paper says.")
    return [name if name in known else pytest.param(name, marks=left_out) for name in SCHEMES]


def clip(n, most):
    return max(-most, min(most, n))


def delta(i, j, k=512):
    return 0 if i - j <= -k else 2 * k - 1 if i - j >= k else i - j + k


def turn(x, m):
    half = len(x) // 2
    out = np.empty_like(x)
    for k in range(half):
        c, s = math.cos(m * 10000 ** (-k / half)), math.sin(m * 10000 ** (-k / half))
        out[k], out[k + half] = x[k] * c - x[k + half] * s, x[k] * s + x[k + half] * c
    return out


def sinusoids(distance, n_dims):
    angles = [distance / 10000 ** (2 * k / n_dims) for k in range(n_dims // 2)]
    return np.array([*map(math.sin, angles), *map(math.cos, angles)])


def sine_table(n_positions, n_dims, base=10000.0, layout="interleaved"):
    """Section 3.5 of the paper, (L, D)."""
    rows, half = np.empty((n_positions, n_dims)), n_dims // 2
    for position in range(n_positions):
        for k in range(half):
            angle = position / base ** (2 * k / n_dims)
            columns = (2 * k, 2 * k + 1) if layout == "interleaved" else (k, half + k)
            rows[position, columns] = math.sin(angle), math.cos(angle)
    return rows


def t5_bucket(step, bidirectional):
    one_way = 16 if bidirectional else 32
    start = 16 if bidirectional and step > 0 else 0
    n = abs(step) if bidirectional else max(-step, 0)
    exact = one_way // 2
    if n < exact:
        return start + n
    return start + min(one_way - 1, exact + int(math.log(n / exact) / math.log(128 / exact) * exact + 1e-9))
