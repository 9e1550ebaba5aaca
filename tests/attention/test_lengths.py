"""Trained short, used long: what each scheme has at positions and distances it never met."""

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.attention.lengths import MAX_LENGTH, MOST, reaches
from embedviz.positions import SCHEMES
from embedviz.positions.reach import State
from tests import naive

LENGTHS = [(64, 192), (10, 40), (200, 300), (600, 1000), (1, 2), (64, 64), (64, 20), (1, 1)]


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
def test_every_scheme_has_a_state_for_every_place(trained, used):
    places, found = reaches(trained, used)
    assert places.tolist() == list(range(used))
    assert list(found) == list(SCHEMES)
    for states in found.values():
        assert (states.shape, states.dtype) == ((used,), np.uint8)
    assert (found.pop("none") == State.UNTOLD).all()
    for states in found.values():
        assert (states[:trained] == State.SEEN).all()
        assert (states[trained:] != State.SEEN).all()


def rows_of(name: str, distance: int) -> int:
    """The row that a scheme looks up for a distance back, from the papers."""
    if name == "shaw":
        return naive.clip(-distance, 16)
    return naive.t5_bucket(-distance, False) if name == "t5" else naive.delta(distance, 0)


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
@pytest.mark.parametrize("name", ["shaw", "t5", "deberta"])
def test_a_row_is_treated_as_seen_just_if_training_used_it(name, trained, used):
    _places, found = reaches(trained, used)
    known = {rows_of(name, n) for n in range(trained)}
    expected = [State.AGAIN if rows_of(name, n) in known else State.UNTRAINED for n in range(trained, used)]
    assert found[name][trained:].tolist() == expected


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
def test_the_learned_table_ends_where_pytorch_says_so(trained, used):
    _places, found = reaches(trained, used)
    table = torch.nn.Embedding(trained, 4)
    for position in {0, trained - 1, min(trained, used - 1), used - 1} & set(range(used)):
        if found["learned"][position] == State.MISSING:
            with pytest.raises(IndexError):
                table(torch.tensor(position))
        else:
            table(torch.tensor(position))


def test_a_formula_goes_on():
    _places, found = reaches(10, 30)
    for name in ("sinusoidal", "transformer_xl", "rope", "alibi"):
        assert set(found[name][10:].tolist()) == {State.FORMULA}


def test_of_long_texts_some_places_are_looked_at_the_first_and_the_last_among_them():
    places, found = reaches(512, MAX_LENGTH)
    assert (len(places), places[0], places[-1]) == (MOST, 0, MAX_LENGTH - 1)
    assert (np.diff(places) > 0).all()
    assert all(len(states) == MOST for states in found.values())


@pytest.mark.parametrize(("trained", "used"), [(0, 5), (5, 0), (MAX_LENGTH + 1, 5), (5, MAX_LENGTH + 1), (1.0, 5)])
def test_lengths_that_cannot_be_are_refused(trained, used):
    with pytest.raises(ev.EmbedvizError, match="must be a whole number from 1 to 10,000,000"):
        reaches(trained, used)
