"""The proof: what two sentences have in common before and after positions are added."""

import math
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.positions import ADDING
from embedviz.vectors.embedding import embed_tokens

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
ANY_TEXT = st.text(st.characters(), max_size=60)
POSITIONS = st.sampled_from(["none", *ADDING])
SETTINGS = st.fixed_dictionaries(
    {
        "tokenizer": st.sampled_from(["words", "gpt2", "cl100k_base"]),
        "position": POSITIONS,
        "position_scale": st.sampled_from([0.0, 1e-9, 0.05, 1.0, 4.0, 100.0]),
        "scale_embeddings": st.booleans(),
        "output_dim": st.sampled_from([2, 4]),
    }
)


def shuffled(embedded: ev.Embedded, random) -> ev.Embedded:
    """The same tokens in another order."""
    tokens = embedded.tokens
    order = random.sample(range(len(tokens)), len(tokens))
    lists = {name: [getattr(tokens, name)[n] for n in order] for name in ("ids", "texts", "spans", "partial")}
    return embed_tokens(replace(tokens, **lists), embedded.spec)


def with_rows(embedded: ev.Embedded, rows: list[list[float]]) -> ev.Embedded:
    return replace(embedded, token_embeddings=np.array(rows, np.float32))


def test_the_default_pair():
    c = ev.compare(ev.embed(CAT, ev.Spec()), ev.embed(MAT, ev.Spec()))
    assert [(pair.i, pair.j, pair.id) for pair in c.pairs] == [
        (0, 1, 262),
        (0, 3, 262),
        (1, 4, 3797),
        (2, 5, 3332),
        (3, 0, 319),
        (4, 1, 262),
        (4, 3, 262),
        (5, 2, 2603),
    ]
    assert all(pair.same_before and pair.distance_before == 0 for pair in c.pairs)
    assert not any(pair.same_after or pair.distance_after == 0 for pair in c.pairs)
    assert (c.n_shared, c.n_same_before, c.n_same_after) == (8, 8, 0)
    assert c.is_permutation


def test_without_the_prefix_space_the_pair_is_no_permutation(compared):
    c = compared(CAT, MAT, prefix_space=False)
    assert (c.n_shared, c.n_same_before, c.n_same_after) == (5, 5, 0)
    assert not c.is_permutation
    assert c.only_in_a == {("the", 1169): 1, (" on", 319): 1}
    assert c.only_in_b == {("on", 261): 1, (" the", 262): 1}


def test_the_same_token_at_the_same_position_stays_identical(compared):
    c = compared("dog bites man", "man bites dog")
    assert [(pair.i, pair.j, pair.same_after) for pair in c.pairs] == [(0, 2, False), (1, 1, True), (2, 0, False)]
    assert (c.n_same_before, c.n_same_after) == (3, 1)
    assert c.pairs[1].distance_after == 0


def test_a_pair_is_identical_elsewhere_if_what_is_added_is_too_small(compared):
    c = compared("a b", "b a", output_dim=4, position_scale=1e-12)
    assert [(pair.i, pair.j) for pair in c.pairs if pair.same_after] == [(0, 1), (1, 0)]


def test_distances_are_taken_over_all_dimensions(compared):
    c = compared(CAT, MAT, output_dim=5)
    for i in range(6):
        for j in range(6):
            before = math.dist(c.a.token_embeddings[i].tolist(), c.b.token_embeddings[j].tolist())
            after = math.dist(c.a.input_embeddings[i].tolist(), c.b.input_embeddings[j].tolist())
            assert c.before.distances[i, j] == pytest.approx(before, rel=1e-12)
            assert c.after.distances[i, j] == pytest.approx(after, rel=1e-12)


def test_summaries_follow_from_the_pairs(compared):
    c = compared("the more the cat sat the more", "the cat sat the more the mat", output_dim=6)
    assert c.n_shared == len(c.pairs)
    assert c.n_same_after == sum(pair.same_after for pair in c.pairs)
    assert c.closest_after == min(pair.distance_after for pair in c.pairs if not pair.same_after)
    a, b = c.a.input_embeddings.astype(float), c.b.input_embeddings.astype(float)
    difference = np.abs(a.mean(axis=0) - b.mean(axis=0)).max()
    assert c.after.mean_difference == pytest.approx(difference, rel=1e-9)


def test_tokens_that_the_other_sentence_lacks_are_counted(compared):
    c = compared("the the the cat", "the dog", tokenizer="words", output_dim=2)
    assert c.only_in_a == Counter({("the", 2): 2, ("cat", 0): 1})
    assert c.only_in_b == Counter({("dog", 1): 1})


@given(settings=SETTINGS, text=ANY_TEXT, random=st.randoms(use_true_random=False))
@example(settings={"output_dim": 4}, text=CAT, random=Random(1))  # noqa: S311
def test_one_id_has_identical_vectors_before_positions(settings, text, random):
    a = ev.embed(text, ev.Spec(**settings))
    c = ev.compare(a, shuffled(a, random))
    assert all(pair.same_before and pair.distance_before == 0 for pair in c.pairs)
    assert c.n_shared == sum(n * n for n in Counter(a.tokens.ids).values())


@given(settings=SETTINGS, text=ANY_TEXT, random=st.randoms(use_true_random=False))
def test_another_order_has_the_same_mean_before_and_up_to_rounding_after(settings, text, random):
    a = ev.embed(text, ev.Spec(**settings))
    c = ev.compare(a, shuffled(a, random))
    assert c.is_permutation
    assert c.before.mean_difference == 0
    assert c.before.means_agree
    assert c.after.means_agree


@given(settings=SETTINGS, text=ANY_TEXT, random=st.randoms(use_true_random=False))
def test_without_positions_nothing_changes(settings, text, random):
    a = ev.embed(text, ev.Spec(**settings | {"position": "none"}))
    c = ev.compare(a, shuffled(a, random))
    assert all(pair.same_after == pair.same_before for pair in c.pairs)
    assert [pair.distance_after for pair in c.pairs] == [pair.distance_before for pair in c.pairs]
    assert c.after.mean_difference == 0


@given(a=ANY_TEXT, b=ANY_TEXT, position=POSITIONS)
def test_swapping_the_sentences_transposes_everything(a, b, position):
    spec = ev.Spec(position=position, output_dim=4)
    there = ev.compare(ev.embed(a, spec), ev.embed(b, spec))
    back = ev.compare(there.b, there.a)
    assert np.array_equal(back.shared, there.shared.T)
    for stage in ("before", "after"):
        one, other = getattr(there, stage), getattr(back, stage)
        assert np.array_equal(other.same, one.same.T)
        assert np.array_equal(other.distances, one.distances.T)
        assert (other.mean_difference, other.means_agree) == (one.mean_difference, one.means_agree)
    assert (back.only_in_a, back.only_in_b) == (there.only_in_b, there.only_in_a)


@given(a=ANY_TEXT, b=ANY_TEXT)
def test_a_distance_is_zero_just_if_the_vectors_are_identical(a, b):
    spec = ev.Spec(output_dim=8)
    c = ev.compare(ev.embed(a, spec), ev.embed(b, spec))
    for stage in (c.before, c.after):
        assert np.array_equal(stage.distances == 0, stage.same)


@pytest.mark.parametrize(("a", "b"), [("", ""), ("", "the cat"), ("the cat", "")])
def test_empty_sentences(a, b, compared):
    c = compared(a, b, output_dim=4)
    assert (c.pairs, c.n_shared, c.n_same_after, c.closest_after) == ([], 0, 0, None)
    assert c.before.distances.shape == c.after.same.shape == c.shared.shape == (len(c.a.tokens), len(c.b.tokens))
    assert c.before.means_agree == c.is_permutation == (a == b)


def test_minus_zero_is_not_the_same_bits_as_zero():
    the = ev.embed("the", ev.Spec(output_dim=2))
    c = ev.compare(with_rows(the, [[0.0, 1.0]]), with_rows(the, [[-0.0, 1.0]]))
    assert c.pairs[0].distance_before == 0
    assert not c.pairs[0].same_before


def test_the_order_of_summation_cannot_show_in_the_mean():
    """Even float64 loses the 1 if it is added to 1e30 before that is taken away again."""
    three = ev.embed("a b c", ev.Spec(output_dim=1))
    c = ev.compare(with_rows(three, [[1e30], [1], [-1e30]]), with_rows(three, [[1e30], [-1e30], [1]]))
    assert c.before.mean_difference == 0


def test_means_that_differ_by_more_than_rounding_do_not_agree():
    the = ev.embed("the", ev.Spec(output_dim=2))
    one = np.nextafter(np.float32(1), np.float32(2))
    assert not ev.compare(with_rows(the, [[1, 1]]), with_rows(the, [[1, one + 1e-6]])).before.means_agree


@pytest.mark.parametrize("other", [{"seed": 1}, {"position": "none"}, {"output_dim": 5}, {"tokenizer": "cl100k_base"}])
def test_sentences_of_two_backends_are_refused(other):
    with pytest.raises(ev.EmbedvizError, match="one Spec"):
        ev.compare(ev.embed("the", ev.Spec(output_dim=4)), ev.embed("the", ev.Spec(**{"output_dim": 4} | other)))


@pytest.mark.parametrize(("a", "b"), [("dog", "cat"), ("a b c", "x y z"), ("a b", "a b c")])
def test_sentences_of_two_vocabularies_are_refused(a, b):
    """Each sentence has its own words here, so that one ID means two words."""
    spec = ev.Spec(tokenizer="words", output_dim=4)
    with pytest.raises(ev.EmbedvizError, match="vocabulary"):
        ev.compare(ev.embed(a, spec), ev.embed(b, spec))


def test_sentences_of_the_same_words_need_no_common_vocabulary():
    spec = ev.Spec(tokenizer="words", output_dim=4)
    assert ev.compare(ev.embed(CAT, spec), ev.embed(MAT, spec)).n_same_before == 8
