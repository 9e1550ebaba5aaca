"""The programs of the page "Relative", run for real, print what its views show."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.one_head import SHIFTS, Sentence, scores, shift_test
from embedviz.attention.phrase import changes, phrase
from embedviz.base.data_files import DATA
from embedviz.positions import SCHEMES, alibi
from embedviz.positions.rope_pairs import near_and_far
from embedviz.programs.schemes import relative as export
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
    n = len(s.tokens)
    drawn = [name for name in SCHEMES if not np.isnan(scores(s, name)).any()]
    lines = words(export.pytorch_shift(s, (7,), drawn))[len(drawn) :]
    ends = [name for name in drawn if np.isnan(scores(s, name, 7)).any()]
    places = [(name, first) for name in drawn for first in ((0,) if name in ends else (0, 7))]
    lines, kept = lines[: len(places) * (n + 1)], lines[len(places) * (n + 1) :]
    assert lines[:: n + 1] == [[name, str(first)] for name, first in places]
    assert [line[0] for line in kept] == [name for name in drawn if name not in ends]
    for name, *printed in kept:
        assert np.array(printed, float) == pytest.approx([*changes(s, name, 7).values()], rel=6e-3, abs=2e-5)
    for k, (name, first) in enumerate(places):
        rows = np.array(lines[k * (n + 1) + 1 : (k + 1) * (n + 1)], float)
        np.testing.assert_allclose(rows, scores(s, name, first), rtol=0, atol=6e-5)  # four decimals are printed


@pytest.mark.parametrize("part", ["weights", "second"])
def test_a_phrase_with_the_text_before_it_in_sight(part, words):
    s, names = sentence(CAT, 5), ["sinusoidal", "shaw", "rope"]
    lines = words(export.pytorch_shift(s, (9,), names, part))[len(SCHEMES) + 3 * 2 * 7 :]
    for k, name in enumerate(names):
        own = lines[k * 15 : (k + 1) * 15]
        assert own[0][0] == name
        for first, rows in ((0, own[1:8]), (9, own[8:])):
            assert rows[0] == [name, str(first)]
            found = getattr(phrase(s, name, first), part)
            np.testing.assert_allclose(np.array(rows[1:], float), found, rtol=0, atol=6e-5)


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
    found = near_and_far(50)
    distance, ones, mean, spread, *slopes = np.array(words(export.pytorch_distance(50, None)), float).T
    assert distance.tolist() == list(range(51))
    for printed, line in ((ones, found.ones), (mean, found.mean), (spread, found.spread)):
        np.testing.assert_allclose(printed, line, rtol=0, atol=6e-5)
    np.testing.assert_allclose(slopes, -alibi.slopes(8)[:, None] * np.arange(51), rtol=0, atol=6e-5)
