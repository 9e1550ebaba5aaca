"""The whole way of two sentences: against the small GPT put together by hand, and by what must hold for all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.layers import trace
from embedviz.training.bundled import BUNDLED, bundled
from tests.layers.test_small import assert_same, by_hand

ASK = " , who sat ?"
A, B = "the cat sat on the mat" + ASK, "the mat sat on the cat" + ASK
SMALL = ev.Spec(source="trained")
SHARES = [0, 0.5, 1.0]


@pytest.mark.parametrize("name", ["learned", "rope", "none", "none_2_layers"])
@pytest.mark.parametrize("share", SHARES)
def test_a_small_gpt_is_the_one_put_together_by_hand_with_any_share_of_its_positions(name, share):
    run = bundled(BUNDLED[name])
    found = ev.trace(A, B, run, share)
    for forward, text, rows in zip((found.a, found.b), (A, B), found.rows, strict=True):
        assert_same(forward, by_hand(run, text, list(range(10)), share))
        assert forward.hidden_states[0].tobytes() == (rows.token_embeddings + rows.positional_embeddings).tobytes()
        table = share * run.weights["position_embedding.weight"][:10] if name == "learned" else np.zeros((10, 32))
        np.testing.assert_array_equal(rows.positional_embeddings, table.astype(np.float32))
    assert [each.tobytes() for each in found.answers] == [each.next_word.tobytes() for each in (found.a, found.b)]


@pytest.mark.parametrize("share", SHARES)
def test_copies_are_measured_by_tokens_that_are_none(share):
    found = ev.trace(A, B, SMALL, share)
    words = [text.split() for text in (A, B)]
    assert [(words[0][i], i) for i, _j in found.pairs] == [(words[1][j], i) for i, j in found.pairs]
    for layer in range(2):
        in_a, in_b = (each.hidden_states[layer].astype(float) for each in (found.a, found.b))
        unlike = [
            ((x - y) ** 2).sum() for x, p in zip(in_a, words[0], strict=True)
            for y, q in zip(in_b, words[1], strict=True) if p != q
        ]  # fmt: skip
        copies = [np.sqrt(((in_a[i] - in_b[j]) ** 2).sum() / np.mean(unlike)) for i, j in found.pairs]
        np.testing.assert_allclose(found.copies_apart[:, layer], copies, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "share", "place", "is_one"),
    [
        ("learned", 1.0, "positions", False),
        ("learned", 0, "mask", True),
        ("rope", 1.0, "attention", False),
        ("rope", 0, "mask", True),
        ("none", 1.0, "mask", True),
        ("none_2_layers", 1.0, "mask", False),
    ],
)
def test_each_kind_of_model_lets_order_in_at_a_place_of_its_own(name, share, place, is_one):
    found = ev.trace(A, B, bundled(BUNDLED[name]), share)
    assert found.order_enters == place
    assert found.is_one_answer is is_one
    moved = [n for n, (i, j) in enumerate(found.pairs) if i != j]
    assert moved == [1, 5]
    assert np.flatnonzero(found.copies_differ[:, 0]).tolist() == (moved if place == "positions" else [])


KNOWN = ["the", "cat", "sat", "on", "mat", "dog", "man", "bites", ",", "who"]
WORDS = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=9)
SEVEN = ["only", "I", "love", "you", ",", "my", "friend"]


@given(WORDS, st.randoms(use_true_random=False), st.sampled_from(["learned", "rope", "none"]))
def test_without_positions_one_layer_has_one_answer_for_the_same_words_before_the_last(words, random, name):
    shuffled = random.sample(words, len(words))
    found = ev.trace(" ".join([*words, "?"]), " ".join([*shuffled, "?"]), bundled(BUNDLED[name]), 0)
    assert found.is_one_answer
    assert found.order_enters in ("mask", None)
    assert not found.copies_differ[-1].any()  # “?” itself


@given(WORDS, st.sampled_from(SHARES))
def test_a_sentence_and_itself_never_part(words, share):
    found = ev.trace(" ".join(words), " ".join(words), SMALL, share)
    assert found.order_enters is None
    assert found.is_one_answer
    assert not found.copies_apart.any()
    assert found.alike == pytest.approx(1)


@given(st.permutations(SEVEN), st.sampled_from(["learned", "rope", "alibi", "none"]))
def test_in_tables_alone_order_enters_where_the_scheme_puts_it(words, scheme):
    text = " ".join(SEVEN)
    found, off = (ev.trace(text, " ".join(words), ev.Spec(position=scheme), share) for share in (1.0, 0))
    place = {"learned": "positions", "none": None}.get(scheme, "attention")
    assert found.order_enters == (None if " ".join(words) == text else place)
    assert off.order_enters is None
    assert off.is_one_answer
    assert found.a.hidden_states.shape == (2, 7, 256)
    assert (found.answers, found.unrelated, found.unrelated_text) == (None, None, "")


def test_words_without_copies_part_nowhere():
    found = ev.trace("cat", "dog", SMALL)
    assert (found.pairs, found.copies_apart.shape, found.order_enters) == ([], (0, 2), None)
    assert not found.is_one_answer


def test_if_nobody_chooses_the_small_gpt_reads_what_it_knows_and_tables_stand_for_the_rest():
    too_long = " ".join(["the cat"] * 6)  # 12 words, and the small GPT has 11 positions
    assert ev.trace(A, B).a.hidden_states.shape == (2, 10, 32)
    assert ev.trace(A, "the zebra sat").a.hidden_states.shape == (2, 10, 256)  # tests see no models of this machine
    assert ev.trace(A, too_long).b.hidden_states.shape == (2, 12, 256)


def test_the_unrelated_sentence_shares_no_word():
    found = ev.trace(A, B, SMALL)
    assert not set(found.unrelated_text.split()) & set((A + " " + B).split())
    assert all(each < found.alike for each in found.unrelated)


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "1", None, True])
def test_another_share_is_refused(share):
    with pytest.raises(ev.EmbedvizError, match=r"positions must be a number from 0 to 1, not "):
        ev.trace(A, B, SMALL, share)


@pytest.mark.parametrize("texts", [("", B), (A, ""), (" ", " ")])
def test_an_empty_sentence_is_refused(texts):
    with pytest.raises(ev.EmbedvizError):
        ev.trace(*texts, SMALL)


@pytest.mark.parametrize("texts", [("", B), (A, ""), ("", "")])
def test_tables_refuse_it_too(texts):
    with pytest.raises(ev.EmbedvizError):
        ev.trace(*texts, ev.Spec())


def test_the_smallest_share_of_the_positions_is_seen_at_the_input():
    found = ev.trace(A, B, SMALL, 1e-5)
    assert found.order_enters == "positions"
    assert np.flatnonzero(found.copies_differ[:, 0]).tolist() == [1, 5]


@pytest.mark.parametrize("scheme", ["learned", "rope", "alibi"])
def test_a_position_scale_of_0_is_a_share_of_0(scheme):
    texts = "only I love you", "I love only you"
    scaled = ev.trace(*texts, ev.Spec(position=scheme, position_scale=0.0))
    off = ev.trace(*texts, ev.Spec(position=scheme), 0)
    assert scaled.order_enters is off.order_enters is None
    assert scaled.a.hidden_states.tobytes() == off.a.hidden_states.tobytes()


def test_gpt_2_reads_what_the_small_gpt_does_not_know_if_it_is_the_best_model_here(monkeypatch):
    monkeypatch.setattr(trace, "runnable", lambda: {"gpt2": "causal"})
    assert trace.default_spec("only I love you", "I love only you") == ev.Spec(source="gpt2")
    assert trace.default_spec(A, B) == SMALL
