"""RoPE pair by pair against the paper's formula in plain loops, and against the code of transformers."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.models.deepseek_v3.modeling_deepseek_v3 import apply_rotary_pos_emb_interleave
from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as rotate_as_gptj
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as rotate_as_llama

import embedviz as ev
from embedviz.positions import rope_pairs


def drawn(seed: int, *shape: int) -> torch.Tensor:
    torch.manual_seed(seed)
    return torch.randn(*shape)


def angles(n_tokens: int, n_dims: int) -> torch.Tensor:
    return torch.outer(torch.arange(n_tokens).double(), 10000.0 ** -(torch.arange(0, n_dims, 2).double() / n_dims))


def as_llama(q: torch.Tensor, k: torch.Tensor) -> np.ndarray:
    turns = torch.cat([angles(*q.shape)] * 2, dim=-1)[None]
    q, k = rotate_as_llama(q[None, None].double(), k[None, None].double(), turns.cos(), turns.sin())
    return (q @ k.mT)[0, 0].numpy()


def as_gptj(q: torch.Tensor, k: torch.Tensor) -> np.ndarray:
    turns = angles(*q.shape)[None]
    q, k = (rotate_as_gptj(each[None, :, None].double(), turns.sin(), turns.cos())[0, :, 0] for each in (q, k))
    return (q @ k.T).numpy()


def as_deepseek(q: torch.Tensor, k: torch.Tensor) -> np.ndarray:
    turns = torch.cat([angles(*q.shape)] * 2, dim=-1)[None]
    q, k = apply_rotary_pos_emb_interleave(q[None, None].double(), k[None, None].double(), turns.cos(), turns.sin())
    return (q @ k.mT)[0, 0].numpy()


@pytest.mark.parametrize("places", [(12, 8, 0), (0, 0, 0), (3, 60, 512), (64, 64, 1), (64, 0, 7)])
def test_clocks_are_the_papers_formula_pair_by_pair(places):
    found = rope_pairs.clocks(*places)
    query, key = drawn(rope_pairs.CLOCK_SEED, 2, 16).double().tolist()
    m, n = places[0] + places[2], places[1] + places[2]
    assert (found.query_at, found.key_at) == (m, n)
    shares = []
    for pair in range(8):
        speed = 10000.0 ** (-2 * pair / 16)
        q = complex(query[pair], query[pair + 8]) * complex(math.cos(m * speed), math.sin(m * speed))
        k = complex(key[pair], key[pair + 8]) * complex(math.cos(n * speed), math.sin(n * speed))
        assert found.queries[-1, pair] == pytest.approx([q.real, q.imag], abs=1e-6)
        assert found.keys[-1, pair] == pytest.approx([k.real, k.imag], abs=1e-6)
        between = k / q
        assert found.angles[pair] == pytest.approx(math.degrees(math.atan2(between.imag, between.real)), abs=1e-3)
        assert found.speeds[pair] == pytest.approx(math.degrees(speed), rel=1e-6)
        shares.append((q * k.conjugate()).real / 4)
    np.testing.assert_allclose(found.shares, shares, rtol=0, atol=1e-6)
    assert found.score == pytest.approx(sum(shares), abs=1e-6)


@given(st.integers(0, 64), st.integers(0, 64), st.integers(0, 512))
def test_clocks_keep_their_angles_and_the_score_when_both_move(query_at, key_at, both_at):
    here, there = rope_pairs.clocks(query_at, key_at, 0), rope_pairs.clocks(query_at, key_at, both_at)
    turned = (there.angles - here.angles + 180) % 360 - 180
    assert np.abs(turned).max() < 1e-4
    assert abs(there.score - here.score) <= min(here.change, there.change) < 2e-6
    if key_at < 64:
        assert here.beside == rope_pairs.clocks(query_at, key_at + 1, 0).score


def test_no_hand_is_too_short_to_be_seen():
    found = rope_pairs.clocks(0, 0, 0)
    lengths = np.linalg.norm(np.stack([found.queries, found.keys]), axis=-1)
    assert lengths.min() > 0.4 * lengths.max()


@pytest.mark.parametrize("places", [(-1, 0, 0), (0, 65, 0), (0, 0, 513), (1.5, 0, 0)])
def test_clocks_say_what_they_need(places):
    with pytest.raises(ev.EmbedvizError, match="must be a whole number from 0 to"):
        rope_pairs.clocks(*places)


def scores(q: torch.Tensor, k: torch.Tensor, layout: str) -> np.ndarray:
    q, k = (ev.positions.rope.rotate(each, range(len(each)), layout=layout) for each in (q, k))
    return (q @ k.T).numpy()


def test_scores_of_both_layouts_are_those_of_transformers():
    q, k = drawn(0, 12, 8).chunk(2)
    np.testing.assert_allclose(scores(q, k, "half"), as_llama(q, k), rtol=0, atol=3e-6)
    np.testing.assert_allclose(scores(q, k, "interleaved"), as_gptj(q, k), rtol=0, atol=3e-6)
    np.testing.assert_allclose(scores(q, k, "interleaved"), as_deepseek(q, k), rtol=0, atol=3e-6)


@pytest.mark.parametrize(("own", "other"), [("half", "interleaved"), ("interleaved", "half")])
def test_the_other_layout_gives_other_scores_unless_the_dimensions_are_renamed(own, other):
    """Renamed as by `permute` in transformers' conversion of LLaMA: (pairs, 2) to (2, pairs), or the way back."""
    q, k = drawn(0, 12, 8).chunk(2)
    taken = [2 * pair + member for member in range(2) for pair in range(4)]
    taken = taken if own == "interleaved" else np.argsort(taken).tolist()
    np.testing.assert_allclose(scores(q[:, taken], k[:, taken], other), scores(q, k, own), rtol=0, atol=3e-6)
    apart = np.abs(scores(q, k, other) - scores(q, k, own))
    assert apart[~np.eye(6, dtype=bool)].min() > 1e-3  # only at distance 0 they stay
    assert apart.max() > 3
    assert np.diag(apart).max() < 3e-6


def test_the_way_of_the_hands_leads_to_where_they_stand():
    found = rope_pairs.clocks(5, 2, 30)
    assert found.queries.shape == found.keys.shape == (rope_pairs.MAX_WAY + 1, 8, 2)
    for n in (0, 10, rope_pairs.MAX_WAY):
        there = rope_pairs.clocks(5, 2, 30 - rope_pairs.MAX_WAY + n)
        np.testing.assert_array_equal(found.queries[n], there.queries[-1])
        np.testing.assert_array_equal(found.keys[n], there.keys[-1])
    back = rope_pairs.clocks(5, 2, 0)
    assert back.queries.shape == (17, 8, 2)
    for n in (0, 10, 15):
        np.testing.assert_array_equal(back.keys[n], rope_pairs.clocks(5, 2, 16 - n).keys[-1])
    np.testing.assert_array_equal(back.queries[-1], rope_pairs.clocks(5, 2, 1).queries[0])


def test_near_and_far_are_sums_of_cosines():
    found = rope_pairs.near_and_far(100)
    speeds = [10000.0 ** (-2 * k / 64) for k in range(32)]
    for d in (0, 1, 3, 17, 40, 100):
        assert found.ones[d] == pytest.approx(sum(2 * math.cos(d * s) for s in speeds) / 8, abs=1e-5)
    assert found.distances.tolist() == list(range(101))


def test_random_pairs_are_those_of_transformers_rotation():
    found = rope_pairs.near_and_far(60)
    q, k = (each.double() for each in drawn(0, 2000, 64).chunk(2))
    turns = torch.cat([angles(61, 64)] * 2, dim=-1)
    for d in (0, 5, 60):
        cos, sin = turns[d].cos()[None, None], turns[d].sin()[None, None]
        turned, _ = rotate_as_llama(q[None, None], q[None, None], cos, sin)  # the query stands d after the key
        scores = (turned[0, 0] * k).sum(-1) / 8
        assert found.mean[d] == pytest.approx(scores.mean().item(), abs=1e-6)
        assert found.spread[d] == pytest.approx(scores.std(correction=0).item(), abs=1e-6)


def test_random_pairs_neither_fade_nor_grow():
    """Each mean is within what chance allows for 1000 pairs, and each spread is about 1, near and far alike."""
    found = rope_pairs.near_and_far(rope_pairs.MAX_REACH)
    assert np.abs(found.mean).max() < 4 / 1000**0.5
    assert 0.9 < found.spread.min() < found.spread.max() < 1.1
    for array in (found.ones, found.mean):
        assert array.dtype == np.float32
        assert not array.flags.writeable


@pytest.mark.parametrize("reach", [0, 257, True])
def test_a_reach_out_of_range_is_an_error(reach):
    with pytest.raises(ev.EmbedvizError, match="reach must be a whole number from 1 to 256"):
        rope_pairs.near_and_far(reach)
