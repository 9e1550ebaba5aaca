"""Sinusoidal positions against the formula, written out again."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.positions import sinusoidal
from tests import naive

SIX = "the cat sat on the mat"


@pytest.mark.parametrize(("context_length", "output_dim"), [(1, 2), (5, 4), (50, 6), (300, 64), (7, 1600)])
def test_sinusoidal_is_the_papers_formula(context_length, output_dim):
    table = sinusoidal.table(context_length, output_dim, dtype=np.float64)
    np.testing.assert_allclose(table, naive.sine_table(context_length, output_dim), rtol=0, atol=1e-12)


@pytest.mark.parametrize("layout", sinusoidal.LAYOUTS)
def test_sinusoidal_takes_another_base(layout):
    table = sinusoidal.table(20, 8, base=100.0, layout=layout, dtype=np.float64)
    np.testing.assert_allclose(table, naive.sine_table(20, 8, 100.0, layout), rtol=0, atol=1e-12)


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
    crossings = (np.diff(np.sign(sinusoidal.table(128, 64)), axis=0) != 0).sum(axis=0)
    assert (np.diff(crossings[::2]) <= 0).all()


@pytest.mark.parametrize("output_dim", [-3, -1, 1, 3, 255])
def test_sinusoidal_refuses_what_has_no_pairs_and_names_a_number_that_works(output_dim):
    with pytest.raises(ev.EmbedvizError, match="even output_dim") as error:
        sinusoidal.table(4, output_dim)
    suggestion = int(re.search(r"Try (-?\d+)\.", str(error.value))[1])
    assert sinusoidal.table(4, suggestion).shape == (4, suggestion)


def test_sinusoidal_refuses_dimensions_that_are_none():
    for output_dim in (-2, 0):
        with pytest.raises(ev.EmbedvizError, match="output_dim must be a whole number from 2 to"):
            sinusoidal.table(4, output_dim)


def test_tables_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        sinusoidal.table(4, 4)[0] = 1


def test_sinusoidal_rows_reach_the_sentence():
    embedded = ev.embed(SIX, ev.Spec(position="sinusoidal", output_dim=8))
    assert np.array_equal(embedded.positional_embeddings, sinusoidal.table(6, 8))


@given(st.lists(st.integers(0, 5000), max_size=20), st.integers(1, 20), st.sampled_from(sinusoidal.LAYOUTS))
def test_sinusoidal_rows_of_any_positions_are_those_of_the_table(at, half, layout):
    rows = sinusoidal.rows(np.array(at, int), 2 * half, layout=layout)
    table = sinusoidal.table(5001, 2 * half, layout=layout)
    assert rows.tobytes() == np.ascontiguousarray(table[np.array(at, int)]).tobytes()
