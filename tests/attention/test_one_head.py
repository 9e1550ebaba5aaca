"""One head under every scheme: its scores, the shift test, and what distance does."""

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.attention.attention import attend
from embedviz.attention.layer import layer_for
from embedviz.attention.one_head import (
    MAX_REACH,
    N_HEADS,
    SHIFTS,
    Sentence,
    all_scores,
    by_distance,
    scores,
    shift_test,
)
from embedviz.positions import SCHEMES, alibi, rope, t5
from embedviz.vectors.embedding import tokenize_for
from tests import naive

CAT = "the cat sat on the mat"
SMALL = {"output_dim": 32, "context_length": 600}


def sentence(text: str = CAT, head: int = 0, **settings: object) -> Sentence:
    spec = ev.Spec(**(SMALL | settings))
    return Sentence(tokenize_for(text, spec), spec, head)


@pytest.mark.parametrize("head", [0, 3, 7])
@pytest.mark.parametrize("position", SCHEMES)
def test_scores_are_those_of_the_whole_layer(position, head):
    spec = ev.Spec(position=position, **SMALL)
    whole = ev.self_attention(ev.embed(CAT, spec), N_HEADS)
    np.testing.assert_allclose(scores(sentence(head=head), position), whole.scores[head], rtol=0, atol=5e-6)


@pytest.mark.parametrize("position", SCHEMES)
def test_a_phrase_that_stands_later_scores_as_with_words_in_front(position):
    """The shift test moves positions alone; here the words in front are really there."""
    later = f"on {CAT}"  # one token more in front
    spec = ev.Spec(position=position, **SMALL)
    whole = ev.self_attention(ev.embed(later, spec), N_HEADS)
    np.testing.assert_allclose(scores(sentence(), position, 1), whole.scores[0, 1:, 1:], rtol=0, atol=5e-6)


@pytest.mark.parametrize("position", naive.KNOWN)
def test_scores_are_the_papers(position):
    s = sentence("dog bites man")
    embedded = ev.embed("dog bites man", ev.Spec(position=position, **SMALL))
    expected, _ = naive.attention(embedded.input_embeddings, layer_for(embedded.spec, N_HEADS), range(3))
    np.testing.assert_allclose(scores(s, position), expected[0], rtol=0, atol=2e-5)


def test_all_schemes_have_their_scores():
    found = all_scores(sentence())
    assert list(found) == list(SCHEMES)
    assert all((matrix.shape, matrix.dtype) == ((6, 6), np.float32) for matrix in found.values())


def test_a_table_that_ends_gives_no_scores():
    s = sentence(context_length=8)
    assert not np.isnan(scores(s, "learned", 2)).any()
    assert np.isnan(scores(s, "learned", 3)).all()
    assert np.isnan(shift_test(s)["learned"]).tolist() == [k > 2 for k in SHIFTS]
    assert np.isnan(all_scores(sentence(context_length=5))["learned"]).all()


@given(
    words=st.lists(st.sampled_from(["the", "cat", "sat", "on", "mat"]), min_size=2, max_size=12),
    head=st.integers(0, N_HEADS - 1),
    seed=st.integers(0, 2**32 - 1),
)
def test_absolute_schemes_move_and_relative_ones_stay(words, head, seed):
    s = sentence(" ".join(words), head, seed=seed, tokenizer="words", vocabulary=("cat", "mat", "on", "sat", "the"))
    for name, changes in shift_test(s).items():
        if SCHEMES[name].kind == "add":
            assert (changes > 1e-3).all()
        else:
            assert (changes < 2e-5).all()


def test_the_shift_test_compares_with_position_zero():
    s = sentence()
    changes = shift_test(s, (3, 5))["sinusoidal"]
    by_hand = [np.abs(scores(s, "sinusoidal", k) - scores(s, "sinusoidal")).max() for k in (3, 5)]
    assert changes.tolist() == by_hand


def test_by_distance():
    s = sentence(head=2)
    found = by_distance(s, 200)
    assert found.distances.tolist() == list(range(-200, 201))
    for h in range(N_HEADS):
        np.testing.assert_array_equal(found.alibi[h], -alibi.slopes(8)[h] * abs(found.distances))
    assert found.buckets.tolist() == [naive.t5_bucket(int(n), True) for n in found.distances]
    assert found.t5.tolist() == s.layer("t5").own["bias"][found.buckets, 0].tolist()


def test_what_is_added_is_what_the_scores_get():
    """T5's and Shaw's lines, found again in a row of the score matrix of a long sentence."""
    s = sentence("the cat sat on the mat and the dog sat on the log by the old tree near a hill in the sun", head=1)
    found, n = by_distance(s, 20), len(s.tokens)
    first = attend(s.token_embeddings, s.layer("shaw")).positional[0, 0]
    np.testing.assert_allclose(first[:21], found.shaw[20 : 20 + n][:21], rtol=0, atol=1e-5)
    first = attend(s.token_embeddings, s.layer("t5")).positional[0, 0]
    np.testing.assert_allclose(first[:21], found.t5[20 : 20 + n][:21], rtol=0, atol=1e-5)


def test_shaw_is_flat_from_16_on_and_nowhere_before():
    found = by_distance(sentence(), 60)
    right, left = found.shaw[60:], found.shaw[60::-1]
    for line in (right, left):
        assert np.ptp(line[16:]) == 0
        assert (np.diff(line[:17]) != 0).all()


def test_distances_of_one_bucket_have_one_bias():
    found = by_distance(sentence(), MAX_REACH)
    for bucket in set(found.buckets.tolist()):
        assert np.ptp(found.t5[found.buckets == bucket]) == 0
    assert len(set(found.t5.tolist())) == t5.NUM_BUCKETS - 1  # 16, distance 0 of keys that come later, stays empty


@pytest.mark.parametrize("seed", [1, 2])
def test_rope_is_no_law_of_decay_for_random_queries_and_keys(seed):
    """By PyTorch and rotations of their own: mean 0 and one spread at every distance, and as often up as down."""
    generator = torch.Generator().manual_seed(seed)
    q, k = torch.randn(2, 4000, 32, generator=generator)
    scores = {}
    for distance in (0, 1, 16, 100, 160, 500):
        angles = distance * 10000.0 ** (-torch.arange(0, 32, 2).double() / 32)
        rotated = torch.view_as_complex(torch.stack(k.double().chunk(2, -1), -1)) * torch.exp(1j * angles)
        products = torch.view_as_complex(torch.stack(q.double().chunk(2, -1), -1)).conj() * rotated
        scores[distance] = products.sum(-1).real / 32**0.5
        assert scores[distance].mean().item() == pytest.approx(0, abs=0.06)
        assert scores[distance].std().item() == pytest.approx(1, abs=0.05)
    assert (scores[160] > scores[0]).double().mean().item() == pytest.approx(0.5, abs=0.03)
    ours = rope.turned_apart(q.numpy(), k.numpy(), np.array([0, 160])) / 32**0.5
    assert np.allclose(ours, torch.stack([scores[0], scores[160]], dim=1), atol=1e-5)


def test_the_score_of_two_of_the_sentences_tokens_is_the_one_of_the_matrix():
    s = sentence(head=3)
    found, n = by_distance(s, 8), len(s.tokens)
    assert found.rope[8 + n - 1] == pytest.approx(scores(s, "rope")[0, -1], abs=1e-5)
    assert found.none == pytest.approx(scores(s, "none")[0, -1], abs=1e-5)
    assert found.none.shape == found.rope.shape


@pytest.mark.parametrize("seed", range(3))
def test_ropes_score_of_the_sentences_own_tokens_goes_up_and_down(seed):
    rope = by_distance(sentence(output_dim=256, seed=seed), 160).rope
    rises = (np.diff(rope) > 0).sum()
    assert 50 < rises < 270
    assert np.ptp(rope) > 0.1


def test_random_t5_biases_are_as_small_as_t5s_own():
    """They begin at d_model^-1/2, not at 1: larger ones would seem to say something about the scheme."""
    own = np.concatenate([sentence(seed=seed, output_dim=256).layer("t5").own["bias"][:, 0] for seed in range(40)])
    torch.manual_seed(0)
    model = transformers.T5EncoderModel(
        transformers.T5Config(vocab_size=8, d_model=256, d_kv=8, d_ff=8, num_layers=1, num_heads=64)
    )
    theirs = model.encoder.block[0].layer[0].SelfAttention.relative_attention_bias.weight
    assert own.std() == pytest.approx(256**-0.5, rel=0.1)
    assert own.std() == pytest.approx(theirs.std().item(), rel=0.1)


def test_t5s_own_queries_begin_as_small_as_if_their_scores_were_divided():
    """T5 divides nothing by √d, but its initial query weights are that much smaller than the keys'."""
    torch.manual_seed(0)
    model = transformers.T5EncoderModel(
        transformers.T5Config(vocab_size=8, d_model=256, d_kv=16, d_ff=8, num_layers=1, num_heads=16)
    )
    theirs = model.encoder.block[0].layer[0].SelfAttention
    assert theirs.k.weight.std().item() == pytest.approx(256**-0.5, rel=0.02)
    assert theirs.k.weight.std().item() / theirs.q.weight.std().item() == pytest.approx(16**0.5, rel=0.02)
    assert sentence(output_dim=256).layer("t5").query.std() == pytest.approx(256**-0.5, rel=0.05)


@pytest.mark.parametrize("reach", [0, -1, MAX_REACH + 1, 2.0])
def test_a_reach_that_cannot_be_is_refused(reach):
    with pytest.raises(ev.EmbedvizError, match="reach must be a whole number from 1 to 512"):
        by_distance(sentence(), reach)


@pytest.mark.parametrize(("output_dim", "message"), [(20, "do not go into 8 heads"), (24, "8 heads are 3 each")])
def test_heads_that_do_not_fit_are_refused(output_dim, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        scores(sentence(output_dim=output_dim), "rope")
