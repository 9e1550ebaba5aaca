"""A phrase with the text before it in sight: its scores stay under relative schemes, and nothing else does."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.attention.attention import attend
from embedviz.attention.layer import make_layer
from embedviz.attention.one_head import N_HEADS, Sentence, scores
from embedviz.attention.phrase import PARTS, changes, phrase
from embedviz.positions import SCHEMES
from embedviz.vectors.embedding import tokenize_for
from tests import naive

CAT = "the cat sat on the mat"
WORDS = ("cat", "mat", "on", "sat", "the")


def sentence(text: str = CAT, head: int = 0, **settings: object) -> Sentence:
    spec = ev.Spec(**({"output_dim": 32, "context_length": 600} | settings))
    return Sentence(tokenize_for(text, spec), spec, head)


@pytest.mark.parametrize("position", SCHEMES)
def test_scores_do_not_need_the_text_before_the_phrase(position):
    s = sentence(head=3)
    for later in (0, 9):
        np.testing.assert_allclose(phrase(s, position, later).scores, scores(s, position, later), atol=1e-5)


@pytest.mark.parametrize("position", naive.FORMULAS)
def test_weights_and_outputs_are_those_of_the_papers_over_the_whole_text(position):
    s = sentence("dog bites man", seed=4)
    text = "man dog bites man"  # one more before it, which is the phrase's last
    embedded = ev.embed(text, ev.Spec(position=position, output_dim=32, context_length=600, seed=4))
    weights, outputs = naive.attention(embedded.input_embeddings, make_layer(position, 32, N_HEADS, 5), range(4))
    weights = np.exp(weights[0] - weights[0].max(axis=-1, keepdims=True))
    found = phrase(s, position, 1)
    np.testing.assert_allclose(found.weights, (weights / weights.sum(-1, keepdims=True))[1:, 1:], atol=1e-4)
    np.testing.assert_allclose(found.outputs, np.asarray(outputs).reshape(4, -1)[1:], atol=1e-4)


@pytest.mark.parametrize("position", SCHEMES)
def test_the_second_layer_reads_what_went_in_and_what_came_out(position):
    s = sentence(head=2, seed=8)
    text = f"{CAT} {CAT}"
    spec = ev.Spec(position=position, output_dim=32, context_length=600, seed=8)
    embedded = ev.embed(text, spec)
    first = ev.self_attention(embedded, N_HEADS)
    sums = embedded.input_embeddings + first.outputs
    second = attend(sums, make_layer(position, 32, N_HEADS, 10)).scores[2, 6:, 6:]
    np.testing.assert_allclose(phrase(s, position, 6).second, second, atol=1e-4)


@given(
    words=st.lists(st.sampled_from(WORDS), min_size=2, max_size=8),
    head=st.integers(0, N_HEADS - 1),
    seed=st.integers(0, 2**32 - 1),
    later=st.integers(1, 60),
)
def test_weights_outputs_and_a_second_layer_change_under_every_scheme(words, head, seed, later):
    s = sentence(" ".join(words), head, seed=seed, tokenizer="words", vocabulary=WORDS)
    for name, scheme in SCHEMES.items():
        found = changes(s, name, later)
        assert (found["scores"] < 2e-5) == (scheme.kind != "add")
        assert found["weights"] > 1e-4
        if len(set(words)) > 1 and name != "none":  # the mean of a text that repeats itself may stay without positions
            assert found["outputs"] > 1e-5
            assert found["second"] > 1e-5


@pytest.mark.parametrize("position", SCHEMES)
def test_without_a_token_before_it_nothing_changes(position):
    assert changes(sentence(), position, 0) == dict.fromkeys(PARTS, 0)


def test_a_table_that_ends_gives_nothing():
    s = sentence(context_length=8)
    assert phrase(s, "learned", 2)
    assert phrase(s, "learned", 3) is None
    assert np.isnan([*changes(s, "learned", 3).values()]).all()
