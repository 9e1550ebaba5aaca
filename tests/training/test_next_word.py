"""What a run says next, against the small GPT by hand, and what a placement does to its words."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward, gpt
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import beginning, follow, pack, unpack
from embedviz.training.train import TrainingSettings, snapshot_steps
from tests.training.by_hand import read

A = "the cat sat on the mat , who sat ?"


def by_hand(run, text, places, order=None):
    ids = [run.vocabulary.index(word) for word in text.split()]
    order = order or range(len(ids))
    listed = [ids[n] for n in order]
    return read(run.weights, listed, np.asarray(places)[list(order)], run.settings.positions)


def chances(logits: np.ndarray) -> np.ndarray:
    each = np.exp(logits - logits.max())
    return each / each.sum()


@pytest.mark.parametrize("name", BUNDLED)
def test_a_text_through_a_bundled_run_is_what_numpy_computes_by_hand(name):
    run = bundled(BUNDLED[name])
    found = forward(run, A)
    n_words, n_layers = 10, run.settings.n_layers
    expected = by_hand(run, A, np.eye(11)[:n_words])
    assert found.hidden_states.shape == (n_layers + 1, n_words, 32)
    assert found.attentions.shape == (n_layers, 4, n_words, n_words)
    assert found.next_word.shape == (len(run.vocabulary),)
    assert found.hidden_states == pytest.approx(expected.states, abs=2e-5)
    assert found.attentions == pytest.approx(expected.weights, abs=2e-5)
    assert found.next_word == pytest.approx(chances(expected.logits[-1]), abs=2e-5)
    assert found.sentence == pytest.approx(expected.states[-1].mean(0), abs=2e-5)
    assert found.tokens.texts == A.split()
    for array in (found.hidden_states, found.attentions, found.next_word, found.sentence):
        assert array.dtype == np.float32
        assert not array.flags.writeable


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize(
    ("placement", "places", "order"),
    [
        (Placement(scale=0.0), np.zeros((10, 11)), None),
        (Placement(exchanged=(1, 5)), np.eye(11)[[0, 5, 2, 3, 4, 1, 6, 7, 8, 9]], None),
        (Placement(positions=(*range(9), 10)), np.eye(11)[[*range(9), 10]], None),
        (Placement(order=(0, 2, 3, 5, 4, 1, 8, 7, 6, 9)), np.eye(11)[:10], (0, 2, 3, 5, 4, 1, 8, 7, 6, 9)),
        (
            Placement(exchanged=(1, 5), share=0.25),
            0.75 * np.eye(11)[:10] + 0.25 * np.eye(11)[[0, 5, 2, 3, 4, 1, 6, 7, 8, 9]],
            None,
        ),
    ],
    ids=["off", "exchanged", "positions", "order", "a quarter of the way"],
)
def test_a_text_that_is_placed_otherwise_is_what_numpy_computes_by_hand(name, placement, places, order):
    run = bundled(BUNDLED[name])
    found, expected = forward(run, A, placement), by_hand(run, A, places, order)
    assert found.hidden_states == pytest.approx(expected.states, abs=2e-5)
    assert found.attentions == pytest.approx(expected.weights, abs=2e-5)
    assert found.next_word == pytest.approx(chances(expected.logits[-1]), abs=2e-5)
    assert found.tokens.texts == [A.split()[n] for n in order or range(10)]
    assert found.tokens.ids == [run.vocabulary.index(word) for word in found.tokens.texts]


def test_the_model_is_the_one_that_was_trained():
    """Its loss is the one that the run has measured, to the last bit."""
    *_, run = follow(TrainingSettings(steps=3, output_dim=8, tied=False, n_layers=2))
    assert set(run.weights) == {name for name, _values in gpt(run).named_parameters()}
    kept = unpack(pack(run))
    assert forward(kept, "the cat sat").next_word.tolist() == forward(run, "the cat sat").next_word.tolist()
    assert np.array_equal(run.weights["token_embedding.weight"], run.tokens[-1])
    assert np.array_equal(run.weights["position_embedding.weight"], run.positions[-1])
    assert not np.array_equal(run.weights["head.weight"], run.tokens[-1])


def test_a_run_that_has_not_begun_guesses():
    found = forward(beginning(BUNDLED["learned"]), A).next_word
    assert found == pytest.approx(np.full(31, 1 / 31), abs=0.02)


def test_a_run_that_goes_on_says_what_it_has_learned_so_far():
    settings = TrainingSettings(steps=40, seed=5)
    said = {int(run.steps[-1]): forward(run, A).next_word.tolist() for run in follow(settings)}
    assert list(said) == snapshot_steps(40)
    assert len(set(map(tuple, said.values()))) == len(said)


@pytest.mark.parametrize(
    ("text", "placement", "message"),
    [
        ("", AS_TRAINED, "Type at least one word"),
        (" \n", AS_TRAINED, "Type at least one word"),
        ("dog bites zebra", AS_TRAINED, "zebra"),
        ("dog " * 12, AS_TRAINED, "12 words and marks, and this model has learned from no more than 11"),
        ("dog bites", Placement(positions=(0,)), "2 words need 2 positions from 0 to 10."),
        ("dog bites", Placement(positions=(0, 11)), "2 words need 2 positions from 0 to 10."),
        ("dog bites", Placement(positions=(-1, 0)), "2 words need 2 positions from 0 to 10."),
    ],
)
def test_what_the_model_cannot_read_is_refused(text, placement, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        forward(bundled(BUNDLED["learned"]), text, placement)


def test_as_many_words_as_the_model_has_positions_fit():
    assert forward(bundled(BUNDLED["learned"]), "dog " * 11).attentions.shape == (1, 4, 11, 11)


def test_a_text_is_cut_into_words_wherever_its_spaces_are():
    run = bundled(BUNDLED["learned"])
    assert forward(run, "the cat  sat on the mat,who  sat?").next_word.tolist() == forward(run, A).next_word.tolist()


@given(st.permutations(range(7)), st.integers(0, 6), st.integers(0, 6), st.floats(0, 1, width=32))
def test_places_are_shares_that_add_up_to_one(positions, one, other, share):
    moved = Placement(positions=tuple(positions), exchanged=(one, other), share=share).places(7, 9)
    assert moved.sum(axis=1) == pytest.approx(np.ones(7), abs=1e-6)
    assert (moved >= 0).all()
    assert not moved.flags.writeable
    whole = Placement(positions=tuple(positions), exchanged=(one, other)).places(7, 9)
    swapped = list(positions)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    assert np.array_equal(whole, np.eye(9)[swapped])
    back = Placement(positions=tuple(positions), exchanged=(one, other), share=0.0).places(7, 9)
    assert np.array_equal(back, np.eye(9)[list(positions)])


def test_nothing_that_reads_the_model_changes_it():
    run = bundled(BUNDLED["learned"])
    before = {name: values.clone() for name, values in gpt(run).named_parameters()}
    forward(run, A, Placement(exchanged=(1, 5), order=(2, 1, 0, *range(3, 10))))
    assert all(torch.equal(values, before[name]) for name, values in gpt(run).named_parameters())
