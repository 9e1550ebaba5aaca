"""The programs of the page "Relative", run for real, print what its views show."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.lengths import reaches
from embedviz.attention.one_head import SHIFTS, Sentence, all_scores, by_distance, shift_test
from embedviz.base.data_files import DATA
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2, Sizes
from embedviz.programs import relative as export
from embedviz.vectors.embedding import tokenize_for

CAT = "the cat sat on the mat"
HOSTILE = 'it\'s "the\\cat"\n\t🐈 {x} %s </script> <|endoftext|>'
TRAINED = ev.Spec(source="trained", seed=7)
SMALL = {"output_dim": 32, "context_length": 600}


@pytest.fixture
def words(run):
    """Run a program and return the words of each line that it prints."""
    return lambda program: [line.split() for line in run(program)]


def sentence(text: str, head: int, n: int | None = None, **settings: object) -> Sentence:
    spec = ev.Spec(**(SMALL | settings))
    tokens = tokenize_for(text, spec)
    return Sentence(tokens if n is None else tokens.head(n), spec, head)


@pytest.mark.parametrize(
    "s",
    [
        sentence(CAT, 0, output_dim=256, context_length=1024),
        sentence(CAT, 7, seed=2**32 - 1, tokenizer="cl100k_base"),
        sentence(HOSTILE, 3),
        sentence(CAT * 3, 2, n=5),
        sentence(CAT, 0, context_length=4),
        Sentence(tokenize_for(CAT, TRAINED), TRAINED, 1),
    ],
    ids=["default", "another head", "hostile", "cut", "table ends", "trained"],
)
def test_scores(s, words, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    lines = words(export.pytorch_scores(s))
    found, n = all_scores(s), len(s.tokens)
    expected = {name: matrix for name, matrix in found.items() if not np.isnan(matrix).any()}
    assert [line[0] for line in lines[:: n + 1]] == list(expected)
    for k, matrix in enumerate(expected.values()):
        rows = np.array(lines[k * (n + 1) + 1 : (k + 1) * (n + 1)], float)
        np.testing.assert_allclose(rows, matrix, rtol=0, atol=6e-5)  # four decimals are printed


@pytest.mark.parametrize("s", [sentence(CAT, 1), sentence(CAT, 0, context_length=40)], ids=["whole", "table ends"])
def test_shift(s, words):
    lines = words(export.pytorch_shift(s))
    expected = shift_test(s)
    assert [line[0] for line in lines] == list(SCHEMES)
    for name, *printed in lines:
        known = expected[name][~np.isnan(expected[name])]
        assert len(printed) == len(known)
        np.testing.assert_allclose(np.array(printed, float), known, rtol=6e-3, atol=2e-5)
    assert len(lines[0]) == 1 + len(SHIFTS)


def test_distance(words):
    s = sentence(CAT, 2)
    found = by_distance(s, 150)
    printed = np.array(words(export.pytorch_distance(s, 150)), float).T
    step, rope, none, slope, bucket, bias, shaw = printed
    assert step.tolist() == found.distances.tolist()
    assert bucket.tolist() == found.buckets.tolist()
    for printed, line in (
        (rope, found.rope),
        (none, found.none),
        (slope, found.alibi[2]),
        (bias, found.t5),
        (shaw, found.shaw),
    ):
        np.testing.assert_allclose(printed, line, rtol=0, atol=6e-5)


@pytest.mark.parametrize(("trained", "used"), [(64, 192), (10, 700), (64, 20)])
def test_lengths(trained, used, words):
    lines = words(export.pytorch_lengths(trained, used, 64))
    expected = reaches(trained, used, 64)
    assert [name for name, _ in lines] == [*expected]
    np.testing.assert_allclose(
        [float(n) for _, n in lines], [reach.number for reach in expected.values()], rtol=0, atol=6e-5
    )


@pytest.mark.parametrize("model", [GPT2, Sizes(3, 9, 48, 4, 20)])
def test_costs(model, words):
    lines = words(export.pytorch_costs(model))
    assert lines == [[name, str(scheme.cost_of(model).parameters)] for name, scheme in SCHEMES.items()]
