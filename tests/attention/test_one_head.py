"""One head under every scheme: its scores, the shift test, and what distance does."""

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.attention.layer import layer_for
from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence, scores, shift_test
from embedviz.positions import SCHEMES, rope
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


@pytest.mark.parametrize("position", naive.asked())
def test_scores_are_the_papers(position):
    s = sentence("dog bites man")
    embedded = ev.embed("dog bites man", ev.Spec(position=position, **SMALL))
    expected, _ = naive.attention(embedded.input_embeddings, layer_for(embedded.spec, N_HEADS), range(3))
    np.testing.assert_allclose(scores(s, position), expected[0], rtol=0, atol=2e-5)


def test_a_table_that_ends_gives_no_scores():
    s = sentence(context_length=8)
    assert not np.isnan(scores(s, "learned", 2)).any()
    assert np.isnan(scores(s, "learned", 3)).all()
    assert np.isnan(shift_test(s)["learned"]).tolist() == [k > 2 for k in SHIFTS]
    assert np.isnan(scores(sentence(context_length=5), "learned")).all()


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


@pytest.mark.parametrize(("output_dim", "message"), [(20, "do not go into 8 heads"), (24, "8 heads are 3 each")])
def test_heads_that_do_not_fit_are_refused(output_dim, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        scores(sentence(output_dim=output_dim), "rope")
