"""Trained short, used long: what each scheme has at positions and distances it never met."""

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.attention.lengths import MAX_LENGTH, reaches
from embedviz.positions import SCHEMES, sinusoidal
from embedviz.positions.reach import State
from tests import naive

LENGTHS = [(64, 192), (10, 40), (200, 300), (600, 2048), (1, 2), (64, 64), (64, 20), (1, 1)]


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
def test_every_scheme_has_a_state_for_every_place(trained, used):
    found = reaches(trained, used, 256)
    assert list(found) == list(SCHEMES)
    for reach in found.values():
        assert (reach.states.shape, reach.states.dtype) == ((used,), np.uint8)
    left_out = found.pop("none")
    assert (left_out.states == State.UNTOLD).all()
    for reach in found.values():
        assert (reach.states[:trained] == State.SEEN).all()
        assert (reach.states[trained:] != State.SEEN).all()


def rows_of(name: str, distance: int) -> int:
    """The row that a scheme looks up for a distance back, from the papers."""
    if name == "shaw":
        return naive.clip(-distance, 16)
    return naive.t5_bucket(-distance, False) if name == "t5" else naive.delta(distance, 0)


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
@pytest.mark.parametrize("name", ["shaw", "t5", "deberta"])
def test_a_row_is_treated_as_seen_just_if_training_used_it(name, trained, used):
    reach = reaches(trained, used, 256)[name]
    known = {rows_of(name, n) for n in range(trained)}
    expected = [State.AGAIN if rows_of(name, n) in known else State.UNTRAINED for n in range(trained, used)]
    assert reach.states[trained:].tolist() == expected
    never = {rows_of(name, n) for n in range(trained, used)} - known
    assert reach.number == (expected.count(State.AGAIN) if name == "shaw" else len(never))


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
def test_the_learned_table_ends_where_pytorch_says_so(trained, used):
    reach = reaches(trained, used, 256)["learned"]
    table = torch.nn.Embedding(trained, 4)
    for position in {0, trained - 1, min(trained, used - 1), used - 1} & set(range(used)):
        if reach.states[position] == State.MISSING:
            with pytest.raises(IndexError):
                table(torch.tensor(position))
        else:
            table(torch.tensor(position))
    assert reach.number == max(used - trained, 0)


@pytest.mark.parametrize(("trained", "used"), [(64, 192), (3, 9), (64, 20)])
def test_unseen_sinusoids_are_that_far_from_the_seen(trained, used):
    table = sinusoidal.table(used, 32, dtype=np.float64)
    apart = [np.linalg.norm(table[p] - table[q]) for p in range(trained, used) for q in range(trained)]
    found = reaches(trained, used, 32)
    assert found["sinusoidal"].number == pytest.approx(min(apart, default=0.0), rel=1e-12)
    assert found["transformer_xl"].number == found["sinusoidal"].number


def test_rope_counts_the_pairs_that_never_went_full_circle():
    wavelengths = [2 * np.pi * 10000 ** (2 * k / 32) for k in range(16)]
    for trained in (1, 8, 64, 2000):
        assert reaches(trained, 5, 256)["rope"].number == sum(wave > trained - 1 for wave in wavelengths)


def test_alibi_goes_on_in_a_straight_line():
    assert reaches(64, 192, 256)["alibi"].number == -0.5 * 191


@pytest.mark.parametrize(("trained", "used"), [(0, 5), (5, 0), (MAX_LENGTH + 1, 5), (5, MAX_LENGTH + 1), (1.0, 5)])
def test_lengths_that_cannot_be_are_refused(trained, used):
    with pytest.raises(ev.EmbedvizError, match="must be a whole number from 1 to 2,048"):
        reaches(trained, used, 256)


@pytest.mark.parametrize(("trained", "used"), LENGTHS)
def test_without_positions_only_the_number_of_tokens_in_sight_grows(trained, used):
    reach = reaches(trained, used, 256)["none"]
    assert reach.number == torch.ones(used, used).tril()[-1].sum()
    assert reach.seen == torch.ones(used, used).tril()[:trained].sum(1).max()
