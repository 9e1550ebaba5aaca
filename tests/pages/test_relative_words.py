"""What the page "Relative" says follows from its numbers."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.one_head import Sentence, shift_test
from embedviz.positions import SCHEMES
from embedviz.vectors.embedding import tokenize_for
from pages.relative import words
from tests.pages import site

CAT = "the cat sat on the mat"


def sentence(text: str = CAT, head: int = 0, **settings: object) -> Sentence:
    spec = ev.Spec(**({"output_dim": 32} | settings))
    return Sentence(tokenize_for(text, spec), spec, head)


def changes_of(s: Sentence, later: int) -> dict[str, float]:
    return {name: float(values[0]) for name, values in shift_test(s, (later,)).items()}


def said(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"


def test_where_the_page_departs_from_papers_is_said_under_the_scores():
    said = [each.value for each in site.visit("relative").caption]
    for condition in ("random", "divided by √d", "√(3d)", "T5 itself does not divide", "ALiBi's paper has a mask"):
        assert any(condition in each for each in said)


@pytest.mark.parametrize("text", [CAT, "cat", " ".join(["dog"] * 40)])
@pytest.mark.parametrize(("head", "later"), [(0, 1), (7, 512)])
def test_the_shift_test_names_who_moves_and_who_stays(text, head, later):
    s = sentence(text, head)
    changes = changes_of(s, later)
    moves, stays = words.about_shift(changes, s, later)
    kinds = [scheme.kind for scheme in SCHEMES.values()]
    n_moves = kinds.count("add")
    assert moves.title == f"{n_moves} schemes change their scores"
    assert stays.title == f"{len(kinds) - n_moves} schemes keep their scores"
    for name, change in changes.items():
        moved = SCHEMES[name].kind == "add"
        assert SCHEMES[name].title in (moves if moved else stays).text
        assert not moved or f"{SCHEMES[name].title} {said(change)}" in moves.text
    most = max(change for name, change in changes.items() if SCHEMES[name].kind != "add")
    assert (f"by {said(most)} at most, by float32's rounding" in stays.text) == (most > 0)
    assert most < 1e-4
    assert (moves.tone, stays.tone) == ("different", "same")


def test_before_the_phrase_is_moved_nothing_has_changed():
    (stays,) = words.about_shift(changes_of(sentence(), 0), sentence(), 0)
    assert stays.title == f"{len(SCHEMES)} schemes keep their scores"
    assert "rounding" not in stays.text


def test_a_table_that_ends_is_pointed_at():
    s = sentence(context_length=40)
    *_, note = words.about_shift(changes_of(s, 128), s, 128)
    assert note.title == "The learned table ends at 40"
    assert note.text == "A phrase that begins at position 128 needs positions up to 133; the last one is 39."
    assert len(words.about_shift(changes_of(s, 34), s, 34)) == 2


def test_a_table_that_ends_at_once():
    s = sentence(context_length=3)
    moves, _stays, note = words.about_shift(changes_of(s, 1), s, 1)
    assert moves.title == "1 scheme changes its scores"
    assert note.text == "A phrase that begins at position 1 needs positions up to 6; the last one is 2."
    assert np.isnan(changes_of(s, 1)["learned"])
