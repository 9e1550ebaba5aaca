"""A batch through the layers against PyTorch's own."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedviz.batches import Loader
from embedviz.broadcasting import embed_batch, positions_from_edge, positions_from_mask, sum_shape
from embedviz.spec import Spec
from embedviz.tokens import encode


def test_a_batch_goes_through_the_layers_as_in_pytorch():
    ids = encode("the cat sat on the mat and the dog sat on the cat " * 4)
    batch = Loader(ids).batch(0)
    with torch.random.fork_rng():
        torch.manual_seed(123)
        token, position = torch.nn.Embedding(ids.vocab_size, 256), torch.nn.Embedding(1024, 256)
    with torch.no_grad():
        expected = token(torch.tensor(batch.inputs)) + position(torch.arange(4))
    found = embed_batch(batch, ids.vocab_size, Spec())
    assert found.token_embeddings.shape == found.input_embeddings.shape == (8, 4, 256)
    assert found.positional_embeddings.shape == (4, 256)
    assert torch.equal(torch.tensor(found.input_embeddings), expected)


@pytest.mark.parametrize(("windows", "length"), [(8, 4), (3, 5), (1, 4), (4, 4), (2, 1)])
def test_what_pytorch_says_to_the_wrong_axes(windows, length):
    batch, wrong = torch.zeros(windows, length, 6), torch.zeros(windows, 6)
    try:
        expected = tuple((batch + wrong).shape)
    except RuntimeError as error:
        expected = str(error)
    assert sum_shape((windows, length, 6), (windows, 6)) == expected
    assert sum_shape((windows, length, 6), (length, 6)) == (windows, length, 6)


@given(st.lists(st.integers(1, 7), min_size=1, max_size=4))
def test_real_tokens_count_from_zero_whatever_stands_before_them(lengths):
    width = max(lengths)
    mask = np.array([[0] * (width - n) + [1] * n for n in lengths])
    assert positions_from_edge(mask).tolist() == [list(range(width))] * len(lengths)
    theirs = (torch.tensor(mask).cumsum(-1) - 1).masked_fill(torch.tensor(mask) == 0, 0)
    assert positions_from_mask(mask).tolist() == theirs.tolist()
    for row, n in zip(positions_from_mask(mask), lengths, strict=True):
        assert row[width - n :].tolist() == list(range(n))
