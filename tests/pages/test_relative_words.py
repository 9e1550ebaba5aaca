"""What the page "Relative" says follows from its numbers."""

import re

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.lengths import reaches
from embedviz.attention.one_head import N_HEADS, SHIFTS, Sentence, all_scores, by_distance, shift_test
from embedviz.positions import SCHEMES
from embedviz.positions.reach import State
from embedviz.vectors.embedding import tokenize_for
from pages.relative import words

CAT = "the cat sat on the mat"


def sentence(text: str = CAT, head: int = 0, **settings: object) -> Sentence:
    spec = ev.Spec(**({"output_dim": 32} | settings))
    return Sentence(tokenize_for(text, spec), spec, head)


def said(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"


def test_scores_say_what_is_changed_by_whom():
    s = sentence(head=2)
    first, second, third = words.about_scores(all_scores(s), s)
    assert first.title == "One head, 9 schemes"
    assert first.text.startswith("Head 3 of 8: 4 of 32 dimensions.")
    assert second.text == (
        "Added to the vector: Learned, Sinusoidal. Turning query and key: RoPE. "
        "In the score: Shaw, Transformer-XL, T5, DeBERTa, ALiBi."
    )
    found = all_scores(s)
    apart = {SCHEMES[name].title: np.abs(m[0] - m[4]).max() for name, m in found.items() if name != "none"}
    least, most = min(apart, key=apart.get), max(apart, key=apart.get)
    plain = np.abs(found["none"][0] - found["none"][4]).max()
    assert plain < 1e-5
    assert third.title.endswith("twice: rows 0 and 4")
    assert third.text == (
        f"Without positions they differ by {said(plain)}{' (rounding)' if plain else ''}; with them by "
        f"{said(apart[least])} ({least}) to {said(apart[most])} ({most})."
    )


def test_without_a_repeated_token_nothing_is_said_of_one():
    s = sentence("dog bites man")
    assert len(words.about_scores(all_scores(s), s)) == 2


def test_a_scheme_without_scores_is_left_out():
    s = sentence(context_length=3)
    *_, third = words.about_scores(all_scores(s), s)
    assert "nan" not in third.text
    assert "Learned" not in third.text


@pytest.mark.parametrize("text", [CAT, "cat", " ".join(["dog"] * 40)])
@pytest.mark.parametrize("head", [0, 7])
def test_the_shift_test_names_who_moves_and_who_stays(text, head):
    s = sentence(text, head)
    changes = shift_test(s)
    moves, stays, none = words.about_shift(changes, s)
    assert (moves.title, stays.title) == ("2 move", "6 stay")
    for name, values in changes.items():
        card = {"add": moves, "none": none}.get(SCHEMES[name].kind, stays)
        assert name == "none" or SCHEMES[name].title in card.text
        assert said(values.max()) in card.text
    assert none.text == "No positions, no change: 0."


def test_a_table_that_ends_is_pointed_at():
    s = sentence(context_length=40)
    *_, note = words.about_shift(shift_test(s), s)
    assert note.title == "The learned table ends at 40"
    assert note.text == "6 tokens that begin 128 later need position 133; the last one is 39."
    assert max(k for k in SHIFTS if k + 6 <= 40) == 32


def test_a_table_that_ends_at_once():
    s = sentence(context_length=3)
    moves, stays, _, note = words.about_shift(shift_test(s), s)
    assert (moves.title, stays.title) == ("1 move", "6 stay")
    assert note.text == "6 tokens that begin 1 later need position 6; the last one is 2."


@pytest.mark.parametrize("reach", [1, 7, 8, 16, 17, 160, 512])
@pytest.mark.parametrize("head", [0, 5])
def test_distances(reach, head):
    s = sentence(head=head)
    found = by_distance(s, reach)
    rope, alibi, t5 = words.about_distance(found, s)
    far = min(16, reach)
    assert rope.title == f"RoPE: {found.rope[reach + far]:.2f} left at {far}"
    assert f"{found.rope[-1]:.2f} at {reach}" in rope.text
    assert alibi.title == f"ALiBi: −{2.0 ** -(head + 1):.3g} a token"
    assert "0.5 to 0.00391" in alibi.text
    later = found.buckets[reach + 1 :]
    assert (
        t5.title
        == f"T5: {len(set(later.tolist()))} bucket{'s' if len(set(later.tolist())) > 1 else ''} for {reach} "
        + ("distances" if reach > 1 else "distance")
    )
    begins = re.search(r"begins at (\d+)", t5.text)
    if begins:
        step = int(begins[1])
        assert later[step - 1] == later.max()
        assert later[step - 2] < later.max()


@pytest.mark.parametrize(("trained", "used"), [(64, 192), (10, 20), (600, 700), (1, 2)])
def test_lengths_name_every_scheme_by_its_state(trained, used):
    found = reaches(trained, used, 64)
    cards = words.about_lengths(found, trained, used)
    text = " ".join(f"{card.title} {card.text}" for card in cards)
    assert cards[0].title == "Learned: an error"
    assert f"There is no row {trained}: {used - trained} of {used} positions have no vector." in cards[0].text
    assert cards[1].title == "New: Sinusoidal, Transformer-XL, RoPE, ALiBi"
    for name in ("shaw", "t5", "deberta"):
        states = next(reach.states for reach in found if reach.name == name)
        title = SCHEMES[name].title
        assert (title in cards[0].text) == (State.UNTRAINED in states)
        again = [card.title for card in cards if card.title.startswith("Treated as seen")]
        assert (title in "".join(again)) == (State.AGAIN in states)
        assert title in text


def test_nothing_new_within_the_trained_length():
    (card,) = words.about_lengths(reaches(64, 64, 64), 64, 64)
    assert (card.title, card.tone) == ("Nothing new", "same")


def test_a_row_of_the_table_counts_the_states():
    rows = {reach.name: words.length_row(reach, 64) for reach in reaches(64, 192, 256)}
    assert rows["learned"] == ["Learned", "64 seen, 128 error", "128 positions without a vector"]
    assert rows["shaw"][2] == "128 unseen distances get the vector of a seen one"
    assert rows["t5"] == [
        "T5",
        "64 seen, 3 treated as seen, 125 never trained",
        "5 buckets that training never reached",
    ]
    assert rows["alibi"][2] == "Steepest head: from −31.5 to −95.5"
    assert rows["rope"][2] == "11 pairs of dimensions never went full circle: new angles"
    short = {reach.name: words.length_row(reach, 64) for reach in reaches(64, 1, 256)}
    assert short["alibi"] == ["ALiBi", "1 seen", "Steepest head: from 0 to 0"]
    assert short["learned"][2] == "Nothing beyond what was seen"


def test_every_kind_has_its_word():
    assert set(words.CHANGES) == {scheme.kind for scheme in SCHEMES.values()}
    assert len(words.STATES) == len(State)
    assert N_HEADS == 8
