"""Position schemes: the formula, written out again, and what the registry says of each."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.positions import SCHEMES, none, sinusoidal

SIX = "the cat sat on the mat"


def by_hand(context_length: int, output_dim: int, base: float = 10000.0) -> list[list[float]]:
    """Section 3.5 of the paper, one number at a time."""
    rows = []
    for position in range(context_length):
        row = []
        for i in range(output_dim):
            angle = position / base ** ((i - i % 2) / output_dim)
            row.append(math.cos(angle) if i % 2 else math.sin(angle))
        rows.append(row)
    return rows


@pytest.mark.parametrize(("context_length", "output_dim"), [(1, 2), (5, 4), (50, 6), (300, 64), (7, 1600)])
def test_sinusoidal_is_the_papers_formula(context_length, output_dim):
    table = sinusoidal.table(context_length, output_dim, dtype=np.float64)
    np.testing.assert_allclose(table, by_hand(context_length, output_dim), rtol=0, atol=1e-12)


def test_sinusoidal_takes_another_base():
    table = sinusoidal.table(20, 8, base=100.0, dtype=np.float64)
    np.testing.assert_allclose(table, by_hand(20, 8, base=100.0), rtol=0, atol=1e-12)


def test_sinusoidal_is_rounded_once():
    rounded = sinusoidal.table(200, 32)
    assert rounded.dtype == np.float32
    assert np.array_equal(rounded, sinusoidal.table(200, 32, dtype=np.float64).astype(np.float32))


def test_position_zero_is_zeros_and_ones():
    assert sinusoidal.table(1, 6).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_low_dimensions_oscillate_fast():
    sines = sinusoidal.table(2000, 8)[1:, ::2]
    turns = (np.diff(np.sign(sines), axis=0) != 0).sum(axis=0)
    assert turns[0] == math.floor(1999 / math.pi)  # half a wavelength is pi positions
    assert (np.diff(turns) < 0).all()


@pytest.mark.parametrize("output_dim", [-3, -2, -1, 0, 1, 3, 255])
def test_sinusoidal_refuses_what_has_no_pairs_and_names_a_number_that_works(output_dim):
    with pytest.raises(ev.EmbedvizError, match="even output_dim") as error:
        sinusoidal.table(4, output_dim)
    suggestion = int(re.search(r"Try (-?\d+)\.", str(error.value))[1])
    assert sinusoidal.table(4, suggestion).shape == (4, suggestion)


def test_tables_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        sinusoidal.table(4, 4)[0] = 1


def test_none_is_zeros():
    table = none.table(3, 5)
    assert (table.shape, table.dtype, table.any()) == ((3, 5), np.float32, False)


def test_the_registry_names_each_scheme():
    assert {"none", "learned", "sinusoidal"} <= set(SCHEMES)
    assert all(scheme.name == name for name, scheme in SCHEMES.items())
    assert {scheme.kind for scheme in SCHEMES.values()} <= {"none", "add", "rotate", "bias", "relative"}


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_has_an_end_just_if_the_registry_says_so(scheme):
    spec = ev.Spec(position=scheme.name, output_dim=4, context_length=5)
    assert len(ev.embed("the cat sat on the", spec).tokens) == 5
    if scheme.has_end:
        with pytest.raises(ev.EmbedvizError, match=r"6 tokens need 6 positions.*ends at context_length 5"):
            ev.embed(SIX, spec)
    else:
        assert ev.embed(SIX, spec).positional_embeddings.shape == (6, 4)


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_a_scheme_needs_pairs_just_if_the_registry_says_so(scheme):
    if scheme.even_output_dim:
        with pytest.raises(ev.EmbedvizError, match=r"3 is odd\. Try 4\."):
            ev.Spec(position=scheme.name, output_dim=3)
    else:
        assert ev.embed("the", ev.Spec(position=scheme.name, output_dim=3)).input_embeddings.shape == (1, 3)


@pytest.mark.parametrize("name", ["learned", "sinusoidal"])
def test_position_scale_multiplies_the_positional_vectors_alone(name):
    plain = ev.embed(SIX, ev.Spec(position=name, output_dim=8))
    scaled = ev.embed(SIX, ev.Spec(position=name, output_dim=8, position_scale=0.25))
    assert np.array_equal(scaled.positional_embeddings, plain.positional_embeddings / 4)
    assert np.array_equal(scaled.token_embeddings, plain.token_embeddings)


def test_sinusoidal_rows_reach_the_sentence():
    embedded = ev.embed(SIX, ev.Spec(position="sinusoidal", output_dim=8))
    assert np.array_equal(embedded.positional_embeddings, sinusoidal.table(6, 8))


@given(st.lists(st.integers(0, 5000), max_size=20), st.integers(1, 20), st.sampled_from(sinusoidal.LAYOUTS))
def test_sinusoidal_rows_of_any_positions_are_those_of_the_table(at, half, layout):
    rows = sinusoidal.rows(np.array(at, int), 2 * half, layout=layout)
    table = sinusoidal.table(5001, 2 * half, layout=layout)
    assert rows.tobytes() == np.ascontiguousarray(table[np.array(at, int)]).tobytes()
