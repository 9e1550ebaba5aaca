"""Sinusoids, and attention of every scheme, from the papers' formulas, one number at a time, float64: an oracle."""

import math

import numpy as np

from embedviz.positions import SCHEMES

# Those whose formula stands below, and those that leave the scores alone.
KNOWN = ["rope", "alibi", "t5", "shaw", "transformer_xl", "deberta"]
KNOWN += [name for name, scheme in SCHEMES.items() if scheme.kind in ("none", "add")]


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
    (q, k), (i, j) = vectors, places
    d = len(q)
    own = {name: table.astype(np.float64) for name, table in layer.own.items()}
    mine = slice(h * d, (h + 1) * d)
    product, more, terms = q @ k, 0.0, 1
    if layer.position == "rope":
        product = turn(q, i) @ turn(k, j)
    elif layer.position == "alibi":
        assert math.log2(layer.n_heads).is_integer()
        more = -(2 ** (-8 / layer.n_heads * (h + 1))) * abs(i - j)
    elif layer.position == "t5":
        more = own["bias"][t5_bucket(j - i, not causal), h]
    elif layer.position == "shaw":
        product = q @ (k + own["keys"][clip(j - i, 16) + 16])
    elif layer.position == "transformer_xl":
        r = sinusoids(i - j, len(layer.query)) @ own["position_key"][:, mine]
        product = q @ k + q @ r + own["u"][h] @ k + own["v"][h] @ r
    elif layer.position == "deberta":
        key = (own["relative"] @ own["position_key"][:, mine])[delta(i, j)]
        query = (own["relative"] @ own["position_query"][:, mine])[delta(j, i)]
        product, terms = q @ k + q @ key + k @ query, 3
    return product / math.sqrt(terms * d) + more


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
