"""The sliding-window loader against PyTorch's own and a plain loop."""

import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.data import DataLoader, TensorDataset

import embedviz as ev
from embedviz.base.errors import EmbedvizError
from embedviz.programs.inputs import pytorch_batches
from embedviz.text import samples
from embedviz.text.token_ids import TokenIds, encode
from embedviz.vectors.batches import Loader, positions_from_edge, positions_from_mask

VERDICT = [
    [40, 367, 2885, 1464],
    [1807, 3619, 402, 271],
    [10899, 2138, 257, 7026],
    [15632, 438, 2016, 257],
    [922, 5891, 1576, 438],
    [568, 340, 373, 645],
    [1049, 5975, 284, 502],
    [284, 3285, 326, 11],
]
ROMEO = [[464, 4935, 20336, 46566], [286, 43989, 290, 38201], [198, 220, 220, 220]]


def numbers(n: int) -> TokenIds:
    return TokenIds("gpt2", np.arange(n), 50257)


def plain(n: int, max_length: int, stride: int) -> list[tuple[list[int], list[int]]]:
    """The field's loop, on the tokens 0 to n - 1."""
    return [
        (list(range(i, i + max_length)), list(range(i + 1, i + max_length + 1)))
        for i in range(0, n - max_length, stride)
    ]


def test_the_first_batch_of_the_verdict():
    assert next(ev.batches(samples.texts()[0].text)).inputs.tolist() == VERDICT


def test_line_ends_of_romeo_and_juliet_are_kept():
    assert next(ev.batches(samples.texts()[1].text)).inputs[:3].tolist() == ROMEO


def test_the_story_has_about_1500_words():
    assert 1400 <= len(samples.texts()[2].text.split()) <= 1600


def test_targets_are_the_inputs_one_token_later():
    batch = next(ev.batches(samples.texts()[0].text))
    assert batch.inputs[:, 1:].tolist() == batch.targets[:, :-1].tolist()


settings = {
    "n": st.integers(2, 80),
    "batch_size": st.integers(1, 9),
    "max_length": st.integers(1, 9),
    "stride": st.integers(1, 12),
    "drop_last": st.booleans(),
}


@given(**settings)
def test_windows_are_those_of_the_plain_loop(n, batch_size, max_length, stride, drop_last):
    if n <= max_length:
        return
    loader = Loader(numbers(n), batch_size, max_length, stride, drop_last=drop_last)
    expected = plain(n, max_length, stride)
    assert loader.n_windows == len(expected)
    found = list(loader)
    assert len(found) == loader.n_batches
    got = [pair for b in found for pair in zip(b.inputs.tolist(), b.targets.tolist(), strict=True)]
    assert got == expected[: len(got)]
    assert len(expected) - len(got) < batch_size if drop_last else len(got) == len(expected)


@given(seed=st.integers(0, 2**32 - 1), **settings)
def test_shuffle_gives_the_order_that_pytorch_gives(  # noqa: PLR0917
    seed, n, batch_size, max_length, stride, drop_last
):
    if n <= max_length:
        return
    inputs = torch.tensor([pair[0] for pair in plain(n, max_length, stride)])
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        theirs = DataLoader(TensorDataset(inputs), batch_size=batch_size, shuffle=True, drop_last=drop_last)
        expected = [x.tolist() for (x,) in theirs]
    loader = Loader(numbers(n), batch_size, max_length, stride, True, seed, drop_last)
    assert [batch.inputs.tolist() for batch in loader] == expected
    assert [loader.batch(k).inputs.tolist() for k in range(loader.n_batches)] == expected


def test_the_global_generator_is_left_alone():
    before = torch.get_rng_state()
    list(ev.batches("the cat sat on the mat", max_length=1, stride=1, batch_size=2, shuffle=True))
    assert torch.equal(before, torch.get_rng_state())


@given(st.integers(2, 60), st.integers(1, 9), st.integers(1, 15))
def test_skipped_tokens_are_those_in_no_window(n, max_length, stride):
    if n <= max_length:
        return
    loader = Loader(numbers(n), 1, max_length, stride, drop_last=False)
    covered = {place for start, _ in plain(n, max_length, stride) for place in start}
    last = max(covered)
    assert loader.n_skipped == sum(place not in covered for place in range(last))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stride": 0}, "stride must be a whole number from 1"),
        ({"batch_size": 0}, "batch_size must be a whole number from 1"),
        ({"max_length": 0}, "max_length must be a whole number from 1"),
        ({"max_length": 6}, "need 7"),
    ],
)
def test_bad_settings_are_refused(change, message):
    with pytest.raises(EmbedvizError, match=message):
        ev.batches("the cat sat on the mat", **change)


def test_a_batch_that_is_not_there_is_refused():
    with pytest.raises(EmbedvizError, match="3 of the 8 windows that one batch needs"):
        Loader(numbers(13), max_length=4, stride=4).batch(0)


def test_five_megabytes_take_memory_in_proportion_to_the_text():
    text = (samples.texts()[2].text * 700)[:5_000_000]
    ids = encode(text)
    tracemalloc.start()
    loader = Loader(ids, max_length=1024, stride=1)
    loader.batch(loader.n_batches - 1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert loader.n_windows * 1024 * 8 > 1000 * peak  # what all windows would take
    assert peak < 4 * ids.ids.nbytes


@given(st.text(max_size=80))
def test_encode_agrees_with_tokenize(text):
    for tokenizer in ("gpt2", "words"):
        tokens = ev.tokenize(text, tokenizer, prefix_space=False)
        ids = encode(text, tokenizer)
        assert ids.ids.tolist() == tokens.ids
        assert ids.texts(ids.ids) == tokens.texts


@pytest.mark.parametrize(
    "change", [{}, {"shuffle": True, "seed": 7}, {"stride": 2, "batch_size": 3, "drop_last": False}, {"stride": 9}]
)
@pytest.mark.parametrize("tokenizer", ["gpt2", "words"])
def test_the_program_prints_the_batches(tokenizer, change, tmp_path, run):
    text = 'A cat -- "the" cat:\r\nsat; on_the mat! ' * 12
    (tmp_path / "text.txt").write_bytes(text.encode())
    loader = Loader(encode(text, tokenizer), **change)
    printed = run(pytorch_batches(loader))
    assert printed == [str(batch.inputs.tolist()) for batch in loader]


@given(st.lists(st.integers(1, 7), min_size=1, max_size=4))
def test_real_tokens_count_from_zero_whatever_stands_before_them(lengths):
    width = max(lengths)
    mask = np.array([[0] * (width - n) + [1] * n for n in lengths])
    assert positions_from_edge(mask).tolist() == [list(range(width))] * len(lengths)
    theirs = (torch.tensor(mask).cumsum(-1) - 1).masked_fill(torch.tensor(mask) == 0, 0)
    assert positions_from_mask(mask).tolist() == theirs.tolist()
    for row, n in zip(positions_from_mask(mask), lengths, strict=True):
        assert row[width - n :].tolist() == list(range(n))
