"""The embedding layer against PyTorch's own."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.errors import EmbedvizError
from embedviz.vectors.lookup import MAX_IDS, check_ids, look_up, parse_ids, pytorch_error
from embedviz.vectors.spec import Spec
from embedviz.vectors.tables import token_table

# The worked example that the field's readers know, to four decimals.
ROWS = [
    [0.3374, -0.1778, -0.1690],
    [0.9178, 1.5810, 1.3010],
    [1.2753, -0.2010, -0.1606],
    [-0.4015, 0.9666, -1.1481],
    [-1.1589, 0.3255, -0.6315],
    [-2.8400, -0.7849, -1.4096],
]


def small_table():
    return token_table(6, Spec(output_dim=3))


def test_the_default_table_has_the_numbers_of_the_worked_example():
    np.testing.assert_allclose(small_table(), ROWS, atol=5.1e-5, rtol=0)


def test_ids_pick_rows_in_their_order():
    expected = [ROWS[id_] for id_ in (2, 3, 5, 1)]
    np.testing.assert_allclose(look_up([2, 3, 5, 1], small_table()).rows, expected, atol=5.1e-5, rtol=0)


def test_the_same_id_gives_the_same_row_wherever_it_stands():
    rows = look_up([5, 1, 5], small_table()).rows
    assert rows[0].tobytes() == rows[2].tobytes()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_lookup_one_hot_and_pytorch_agree(ids, output_dim, seed):
    found = look_up(ids, token_table(6, Spec(output_dim=output_dim, seed=seed)))
    torch.manual_seed(seed)
    layer = torch.nn.Embedding(6, output_dim)
    with torch.no_grad():
        assert found.rows.tolist() == layer(torch.tensor(ids)).tolist()
        assert found.one_hot.tolist() == torch.nn.functional.one_hot(torch.tensor(ids), 6).float().tolist()
    assert found.largest_difference == 0


@pytest.mark.parametrize("text", ["2, 3, 5, 1", "2 3 5 1", "[2, 3, 5, 1]", "2;3;5;1,", " 2,3,\t5\n1 "])
def test_ids_are_read_from_many_spellings(text):
    assert parse_ids(text) == (2, 3, 5, 1)


@pytest.mark.parametrize("text", ["2, x", "1.5", "1e3", "0x10", "²", "--1", "1 + 1"])
def test_what_is_no_whole_number_is_named(text):
    with pytest.raises(EmbedvizError, match="is not a whole number"):
        parse_ids(text)


def test_an_id_that_no_integer_type_holds_is_too_large():
    with pytest.raises(EmbedvizError, match="too large"):
        parse_ids("9" * 30)


def test_no_ids_and_too_many_ids():
    with pytest.raises(EmbedvizError, match="at least one ID"):
        parse_ids(" ,, ")
    with pytest.raises(EmbedvizError, match=f"the limit is {MAX_IDS}"):
        parse_ids("1 " * (MAX_IDS + 1))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        ids = parse_ids(text)
    except EmbedvizError:
        return
    assert 0 < len(ids) <= MAX_IDS


@pytest.mark.parametrize("id_", [-1, 6, 10**12])
def test_an_id_outside_the_table_is_refused_as_pytorch_refuses_it(id_):
    with pytest.raises(EmbedvizError, match="the IDs 0 to 5"):
        check_ids([0, id_], 6)
    assert "IndexError" in pytorch_error(6, 3, [0, id_])


def test_pytorch_says_nothing_while_every_id_is_small_enough():
    assert pytorch_error(4, 3, [0, 3]) is None
