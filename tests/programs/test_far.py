"""The program of "How far" trains as the measurement does, and prints what the models answer."""

import pytest
import torch

from embedviz.programs.far import pytorch_far
from embedviz.training import far

LENGTHS = (16, 32, 80)


@pytest.fixture
def few(monkeypatch):
    """Fewer lengths, since the longest texts take most of the time."""
    monkeypatch.setattr(far, "LENGTHS", LENGTHS)
    far.texts.cache_clear()
    yield
    far.texts.cache_clear()


@pytest.mark.parametrize("line", far.LINES)
def test_the_program_prints_what_is_measured(line, few, run):
    printed = [[float(number) for number in each.split()] for each in run(pytorch_far(line, seed=3, steps=4))]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    model = far.train(line.split("_")[0], 3, 4)
    expected = [(n, *far.measure(model, line, n)) for n in LENGTHS if line != "learned" or n <= far.TRAINED]
    torch.set_num_threads(threads)
    assert len(printed) == len(expected)
    for ours, theirs in zip(printed, expected, strict=True):
        assert ours == pytest.approx(theirs, abs=3e-3)  # a text on the edge may fall to the other side
