"""The relative schemes' own functions, against the papers' formulas one number at a time and the reference library."""

import math
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.bloom.modeling_bloom import build_alibi_tensor
from transformers.models.deberta.modeling_deberta import build_relative_position
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb as rotate_halves
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as rotate_neighbours
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
from transformers.models.t5.modeling_t5 import T5Attention

import embedviz as ev
from embedviz.positions import alibi, deberta, rope, shaw, sinusoidal, t5, transformer_xl

ACROSS = np.arange(-400, 401)


def vectors(n_tokens: int, n_dims: int, dtype: type = np.float64, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n_tokens, n_dims)).astype(dtype)


# RoPE ----------------------------------------------------------------------------------------------


def rotated(x: np.ndarray, places: list[float], base: float, layout: str) -> np.ndarray:
    """Section 3.2, as complex numbers: pair k at position m times e^(i m theta_k)."""
    n_dims = x.shape[1]
    out = np.empty_like(x)
    for row, m in enumerate(places):
        for k in range(n_dims // 2):
            a, b = (2 * k, 2 * k + 1) if layout == "interleaved" else (k, k + n_dims // 2)
            turned = complex(x[row, a], x[row, b]) * complex(math.cos(m * base ** (-2 * k / n_dims)), 0)
            turned += complex(x[row, a], x[row, b]) * complex(0, math.sin(m * base ** (-2 * k / n_dims)))
            out[row, a], out[row, b] = turned.real, turned.imag
    return out


@pytest.mark.parametrize("layout", rope.LAYOUTS)
@pytest.mark.parametrize(("n_dims", "base"), [(2, 10000.0), (6, 10000.0), (64, 500.0), (128, 500000)])
@pytest.mark.parametrize("places", [[0, 1, 2, 3, 4], [7, 3, 3, 8191, 0], [-2, 0.5, 1, 2, 3]])
def test_rope_turns_each_pair(layout, n_dims, base, places):
    x = vectors(5, n_dims)
    np.testing.assert_allclose(
        rope.rotate(x, places, base, layout), rotated(x, places, base, layout), rtol=0, atol=1e-12
    )
    single = rope.rotate(x.astype(np.float32), places, base, layout)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, rotated(x, places, base, layout), rtol=0, atol=2e-6)


def test_rope_in_halves_is_gpt_neoxs_and_llamas():
    x = torch.from_numpy(vectors(300, 32))
    angles = torch.outer(torch.arange(300).double(), 10000.0 ** -(torch.arange(0, 32, 2).double() / 32))
    angles = torch.cat([angles, angles], dim=-1)[None]
    expected, _ = rotate_halves(x[None, None], x[None, None], angles.cos(), angles.sin())
    assert rope.LAYOUTS[0] == "half"
    np.testing.assert_allclose(rope.rotate(x, torch.arange(300)), expected[0, 0], rtol=0, atol=1e-12)


def test_rope_interleaved_is_gpt_js():
    x = torch.from_numpy(vectors(300, 32, np.float32))
    sin, cos = create_sinusoidal_positions(300, 32).chunk(2, dim=-1)
    expected = rotate_neighbours(x[None, :, None], sin[None], cos[None])[0, :, 0]
    np.testing.assert_allclose(rope.rotate(x, range(300), layout="interleaved"), expected, rtol=0, atol=1e-4)


def test_the_two_layouts_are_one_with_dimensions_renamed():
    x, order = vectors(9, 8), [0, 2, 4, 6, 1, 3, 5, 7]
    interleaved = rope.rotate(x, range(9), layout="interleaved")
    assert np.array_equal(rope.rotate(x[:, order], range(9)), interleaved[:, order])


@given(
    n_dims=st.integers(1, 40).map(lambda n: 2 * n),
    m=st.integers(0, 4000),
    n=st.integers(0, 4000),
    k=st.integers(0, 4000),
    seed=st.integers(0, 99),
    layout=st.sampled_from(rope.LAYOUTS),
)
def test_rope_keeps_lengths_and_its_products_know_the_distance_alone(*, n_dims, m, n, k, seed, layout):
    q, key = vectors(1, n_dims, seed=seed), vectors(1, n_dims, seed=seed + 100)
    here, later = (
        rope.rotate(q, [m + by], layout=layout) @ rope.rotate(key, [n + by], layout=layout).T for by in (0, k)
    )
    scale = np.linalg.norm(q) * np.linalg.norm(key)
    assert abs(here - later) <= 1e-11 * scale
    assert np.linalg.norm(rope.rotate(q, [m], layout=layout)) == pytest.approx(np.linalg.norm(q), rel=1e-12)


def test_rope_gives_back_what_it_was_given():
    x = vectors(3, 4, np.float32)
    assert isinstance(rope.rotate(torch.from_numpy(x), [0, 1, 2]), torch.Tensor)
    heads = rope.rotate(np.stack([x, 2 * x]), [0, 1, 2])
    assert np.array_equal(heads[0], rope.rotate(x, [0, 1, 2]))
    assert rope.rotate(x[:0], []).shape == (0, 4)
    with pytest.raises(ValueError, match="read-only"):
        heads[0] = 0


@pytest.mark.parametrize(
    ("x", "places", "more", "message"),
    [
        (vectors(2, 5), [0, 1], {}, "RoPE turns dimensions in pairs; 5 is not even. Try 6."),
        (vectors(2, 0), [0, 1], {}, "RoPE turns dimensions in pairs; 0 is not even. Try 2."),
        (vectors(2, 4), [0, 1, 2], {}, "2 rows need 2 positions; there are 3."),
        (
            vectors(2, 4).astype(int),
            [0, 1],
            {},
            "x must be floating-point numbers of shape (T, D), not int64 of (2, 4).",
        ),
        (vectors(2, 4)[0], [0, 1], {}, "x must be floating-point numbers of shape (T, D), not float64 of (4,)."),
        (vectors(2, 4), [0, 1], {"layout": "thirds"}, "layout must be one of half, interleaved, not 'thirds'."),
        (vectors(2, 4), [0, 1], {"base": 0.0}, "base must be a positive number such as 10000, not 0.0."),
        (vectors(2, 4), [0, 1], {"base": math.nan}, "base must be a positive number such as 10000, not nan."),
    ],
)
def test_rope_says_what_it_needs(x, places, more, message):
    with pytest.raises(ev.EmbedvizError) as error:
        rope.rotate(x, places, **more)
    assert str(error.value) == message


# ALiBi ---------------------------------------------------------------------------------------------


def authors_slopes(n: int) -> list[float]:
    """The recipe of the paper's code, as recursion."""
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    lower = 2 ** math.floor(math.log2(n))
    return authors_slopes(lower) + authors_slopes(2 * lower)[0::2][: n - lower]


@pytest.mark.parametrize("n_heads", range(1, 130))
def test_alibi_slopes(n_heads):
    np.testing.assert_allclose(alibi.slopes(n_heads, np.float64), authors_slopes(n_heads), rtol=1e-12, atol=0)
    alone = build_alibi_tensor(torch.ones(1, 2, dtype=torch.long), n_heads, torch.float32)[:, 0, 1]  # slope x 1
    found = alibi.slopes(n_heads)
    assert (found.shape, found.dtype, found.flags.writeable) == ((n_heads,), np.float32, False)
    np.testing.assert_allclose(found, alone, rtol=2e-6, atol=0)


def test_the_papers_example_of_eight_heads():
    assert alibi.slopes(8).tolist() == [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]


@pytest.mark.parametrize("n_heads", [1, 3, 8])
def test_alibi_bias(n_heads):
    found = alibi.bias(7, n_heads)
    assert (found.shape, found.dtype) == ((n_heads, 7, 7), np.float32)
    for h, i, j in np.ndindex(found.shape):
        assert found[h, i, j] == -alibi.slopes(n_heads)[h] * abs(i - j)


def test_alibi_is_blooms_up_to_what_the_softmax_forgets():
    """BLOOM adds slope x key; in a row of the softmax that differs by a constant from -slope x (query - key)."""
    theirs = build_alibi_tensor(torch.ones(1, 9, dtype=torch.long), 6, torch.float64).numpy()  # (H, 1, T)
    difference = alibi.bias(9, 6, np.float64) - theirs
    for i in range(9):
        seen = difference[:, i, : i + 1]
        np.testing.assert_allclose(seen, seen[:, :1].repeat(i + 1, axis=1), rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alibi.slopes(0), "n_heads must be a whole number from 1 to 1,024, not 0."),
        (lambda: alibi.slopes(2.0), "n_heads must be a whole number from 1 to 1,024, not 2.0."),
        (lambda: alibi.bias(0, 2), "n_tokens must be a whole number from 1 to 8,192, not 0."),
        (lambda: alibi.bias(9000, 2), "n_tokens must be a whole number from 1 to 8,192, not 9000."),
        (lambda: shaw.index([1], -1), "max_distance must be a whole number from 0"),
        (lambda: deberta.delta([1], 0), "max_distance must be a whole number from 1"),
        (lambda: transformer_xl.vectors([1], 3), "even output_dim, a sine and a cosine each; 3 is odd. Try 4."),
        (lambda: t5.bucket([0.5]), "relative_position must be whole numbers, key - query, not float64."),
        (lambda: t5.bucket([1], True, 3), "num_buckets must be a whole number from 4"),
        (lambda: t5.bucket([1], False, 1), "num_buckets must be a whole number from 2"),
        (lambda: t5.bucket([1], True, 32, 8), "max_distance must be a whole number from 9"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ev.EmbedvizError, match=re.escape(message)):
        call()


# T5 ------------------------------------------------------------------------------------------------


def bucket_by_hand(step: int, bidirectional: bool, num_buckets: int, max_distance: int) -> int:
    """The formula in whole numbers: log(n / e) / log(max / e) * m >= k just if n^m e^k >= max^k e^m."""
    one_way = num_buckets // 2 if bidirectional else num_buckets
    start = one_way if bidirectional and step > 0 else 0
    n = abs(step) if bidirectional else max(-step, 0)
    exact = one_way // 2
    if n < exact:
        return start + n
    m = one_way - exact
    reached = [k for k in range(m) if n**m * exact**k >= max_distance**k * exact**m]
    return start + exact + reached[-1]


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize("max_distance", [17, 20, 64, 100, 128, 256, 1000])
@pytest.mark.parametrize("num_buckets", [4, 6, 7, 10, 16, 32, 33])
def test_t5_buckets_have_the_formulas_edges(bidirectional, num_buckets, max_distance):
    found = t5.bucket(ACROSS, bidirectional, num_buckets, max_distance)
    assert found.tolist() == [bucket_by_hand(int(n), bidirectional, num_buckets, max_distance) for n in ACROSS]


@given(
    steps=st.lists(st.integers(-100_000, 100_000), max_size=50),
    bidirectional=st.booleans(),
    num_buckets=st.integers(4, 80),
    beyond=st.integers(1, 2000),
)
def test_t5_buckets_are_the_reference_librarys(steps, bidirectional, num_buckets, beyond):
    max_distance = num_buckets // (4 if bidirectional else 2) + beyond
    given = torch.tensor(steps, dtype=torch.long)
    expected = T5Attention._relative_position_bucket(given, bidirectional, num_buckets, max_distance)
    assert torch.equal(t5.bucket(given, bidirectional, num_buckets, max_distance), expected)


def test_t5_buckets_are_like_what_was_given():
    table = t5.bucket(np.array([[0, -1], [1, 200]], np.int32))
    assert (table.tolist(), table.dtype) == ([[0, 1], [17, 31]], np.int32)
    assert t5.bucket(5) == 21
    assert t5.bucket(5, bidirectional=False) == 0
    assert t5.bucket(np.empty(0, int)).shape == (0,)


# Shaw, DeBERTa, Transformer-XL ---------------------------------------------------------------------------


def test_shaw_clips():
    assert shaw.index(ACROSS).tolist() == [max(-16, min(16, n)) + 16 for n in ACROSS]
    assert shaw.index([-3, -2, 0, 2, 3], 2).tolist() == [0, 0, 2, 4, 4]
    assert shaw.index([-3, 0, 3], 0).tolist() == [0, 0, 0]


def delta_by_hand(i: int, j: int, k: int) -> int:
    """Equation 3 of the paper."""
    if i - j <= -k:
        return 0
    if i - j >= k:
        return 2 * k - 1
    return i - j + k


@pytest.mark.parametrize("k", [1, 2, 7, 512])
def test_deberta_clips(k):
    distances = np.subtract.outer(range(30), range(30)).T  # key - query, with a row for each query
    found = deberta.delta(distances, k)
    assert all(found[i, j] == delta_by_hand(i, j, k) for i, j in np.ndindex(30, 30))


def test_deberta_is_the_reference_librarys():
    rows = torch.empty(1, 1, 40, 8)
    theirs = build_relative_position(rows, rows)[0]  # query - key
    assert torch.equal(deberta.delta(-theirs, 512), torch.clamp(theirs + 512, 0, 1023))


def test_transformer_xl_takes_the_sinusoids_of_the_distance():
    table = sinusoidal.table(50, 12, dtype=np.float64)
    found = transformer_xl.vectors(-np.arange(50), 12, np.float64)
    np.testing.assert_allclose(found[:, :6], table[:, 0::2], rtol=0, atol=1e-12)
    np.testing.assert_allclose(found[:, 6:], table[:, 1::2], rtol=0, atol=1e-12)
    ahead = transformer_xl.vectors(np.arange(50), 12, np.float64)
    np.testing.assert_array_equal(ahead, found * np.repeat([-1, 1], 6))
