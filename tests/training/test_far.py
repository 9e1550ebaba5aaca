"""How far small models read: what is bundled of the measurement."""

from itertools import pairwise

import numpy as np

from embedviz.positions import SCHEMES
from embedviz.text import grammar
from embedviz.training.far import LENGTHS, LINES, SEEDS, TRAINED, Far, measured

N = len(grammar.HELD_OUT)


def test_a_table_ends_and_nothing_is_measured_past_it():
    found = measured()
    for line in LINES:
        for of in (found[line].right, found[line].loss):
            assert of.shape == (len(SEEDS), len(LENGTHS))
            past = np.array(LENGTHS) > TRAINED
            assert (np.isnan(of) == (past & (line == "learned"))).all()


def test_a_stretch_begins_past_the_trained_length():
    found = measured()
    for line in ("rope_linear", "rope_ntk"):
        upto = LENGTHS.index(TRAINED) + 1
        assert np.array_equal(found[line].right[:, :upto], found["rope"].right[:, :upto])
        assert not np.array_equal(found[line].loss[:, upto:], found["rope"].loss[:, upto:])


def test_shares_are_of_the_questions_and_lengths_grow():
    for each in measured().values():
        shares = each.right[~np.isnan(each.right)]
        assert np.allclose(shares * N, np.rint(shares * N), atol=0.03)  # four digits are kept
        assert (each.loss[~np.isnan(each.loss)] > 0).all()
    assert all(a < b for a, b in pairwise(LENGTHS))


def test_a_model_has_learned_the_task_from_95_of_100_answers_at_the_trained_length_on():
    shares = np.ones((3, len(LENGTHS)), np.float32)
    shares[:, 2] = 0.96, 0.95, 0.94  # in texts of 32 tokens
    assert Far(shares, shares).learned.tolist() == [True, True, False]


def test_every_scheme_is_one_of_the_projects():
    assert {line.split("_")[0] for line in LINES} < set(SCHEMES)
