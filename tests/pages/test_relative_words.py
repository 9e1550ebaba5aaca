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
from pages.relative import distance_words, length_words, words
from tests.pages import site

CAT = "the cat sat on the mat"


def sentence(text: str = CAT, head: int = 0, **settings: object) -> Sentence:
    spec = ev.Spec(**({"output_dim": 32} | settings))
    return Sentence(tokenize_for(text, spec), spec, head)


def said(value: float) -> str:
    return "0" if value == 0 else f"{value:.3g}"


def test_scores_say_what_is_changed_by_whom():
    s = sentence(head=2)
    first, second, third = words.about_scores(all_scores(s), s)
    assert first.title == f"One head, {len(SCHEMES)} schemes"
    assert first.text.startswith("Head 3 of 8: 4 of 32 dimensions.")
    assert first.text.endswith("There is no mask, so under None nothing lets order in.")
    places = ("add", "rotate", "bias relative")
    expected = [", ".join(each.title for each in SCHEMES.values() if each.kind in kinds.split()) for kinds in places]
    assert re.findall(r": ([^:]*)\.", second.text) == expected
    found = all_scores(s)
    apart = {SCHEMES[name].title: np.abs(m[0] - m[4]).max() for name, m in found.items() if name != "none"}
    least, most = min(apart, key=apart.get), max(apart, key=apart.get)
    plain = np.abs(found["none"][0] - found["none"][4]).max()
    assert plain < 1e-5
    assert third.title.endswith("twice: rows 0 and 4")
    assert third.text.startswith(
        f"Without positions these rows differ by {said(plain)}{' (rounding)' if plain else ''}; with them by "
        f"{said(apart[least])} ({least}) to {said(apart[most])} ({most})."
    )
    assert "do not rank the schemes" in third.text


def test_sizes_of_scores_rank_no_scheme():
    """Another head or another seed has another smallest and another largest: what is random is no rank."""
    orders = set()
    for seed in range(6):
        s = sentence(seed=seed, output_dim=256)
        apart = {name: np.abs(m[0] - m[4]).max() for name, m in all_scores(s).items() if name != "none"}
        orders.add((min(apart, key=apart.get), max(apart, key=apart.get)))
    assert len(orders) > 1


def test_where_the_page_departs_from_papers_is_said_under_the_scores():
    said = [each.value for each in site.visit("relative").caption]
    for condition in ("divided by √d", "√(3d)", "T5 itself does not divide", "ALiBi's paper has a mask"):
        assert any(condition in each for each in said)
    assert not any("√d" in each.value for each in site.visit("relative", view="shift").caption)


def test_without_a_repeated_token_nothing_is_said_of_one():
    s = sentence("dog bites man")
    assert not any("twice" in card.title for card in words.about_scores(all_scores(s), s))


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
    kinds = [scheme.kind for scheme in SCHEMES.values()]
    n_moves, n_stays = kinds.count("add"), sum(kind not in ("add", "none") for kind in kinds)
    assert (moves.title, stays.title) == (f"Scores change in {n_moves} schemes", f"{n_stays} stay the same")
    for name, values in changes.items():
        card = {"add": moves, "none": none}.get(SCHEMES[name].kind, stays)
        assert name == "none" or SCHEMES[name].title in card.text
        assert said(values.max()) in card.text
    assert none.title == "Without positions nothing changes"
    assert none.text.startswith("Largest change: 0. ")
    assert "causal mask" in none.text


def test_a_table_that_ends_is_pointed_at():
    s = sentence(context_length=40)
    *_, note = words.about_shift(shift_test(s), s)
    assert note.title == "The learned table ends at 40"
    assert note.text == "6 tokens that begin 128 later need position 133; the last one is 39."
    assert max(k for k in SHIFTS if k + 6 <= 40) == 32


def test_a_table_that_ends_at_once():
    s = sentence(context_length=3)
    moves, stays, _, note = words.about_shift(shift_test(s), s)
    assert moves.title == "Scores change in 1 scheme"
    assert re.fullmatch(r"\d+ stay the same", stays.title)
    assert note.text == "6 tokens that begin 1 later need position 6; the last one is 2."


@pytest.mark.parametrize("reach", [1, 7, 8, 16, 17, 160, 512])
@pytest.mark.parametrize("head", [0, 5])
def test_distances(reach, head):
    s = sentence(head=head)
    found = by_distance(s, reach)
    rope, alibi, t5 = distance_words.about_distance(found, s)
    low, high, none = (
        float(each.replace("−", "-")) for each in re.findall(r"(?:score|to|positions) (−?[\d.]+\d)", rope.text)
    )
    assert (low, high) == pytest.approx((found.rope.min(), found.rope.max()), abs=0.006)
    assert none == pytest.approx(found.none[0], abs=0.006)
    assert "need not shrink" in rope.text
    assert alibi.title == f"ALiBi: −{2.0 ** -(head + 1):.3g} a token"
    assert "0.5 to 0.00391" in alibi.text
    assert "The paper has a causal mask, and so only the left half." in alibi.text
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
    cards = length_words.about_lengths(found, trained, used)
    text = " ".join(f"{card.title} {card.text}" for card in cards)
    assert cards[0].title == "Learned: an error"
    assert f"There is no row {trained}: {used - trained} of {used} positions have no vector." in cards[0].text
    new = [SCHEMES[name].title for name, reach in found.items() if State.FORMULA in reach.states]
    assert {"Sinusoidal", "Transformer-XL", "RoPE", "ALiBi"} <= {*new}
    assert cards[1].title == f"New: {', '.join(new)}"
    for name in ("shaw", "t5", "deberta"):
        states = found[name].states
        title = SCHEMES[name].title
        assert (title in cards[0].text) == (State.UNTRAINED in states)
        again = [card for card in cards if card.title.startswith("Treated as seen")]
        assert (title in "".join(card.title for card in again)) == (State.AGAIN in states)
        n = int((states == State.AGAIN).sum())
        assert (f"{title} {n} of {used - trained}" in "".join(card.text for card in again)) == (n > 0)
        assert all(card.tone == "plain" for card in again)  # no promise that these do well
        assert title in text


def test_the_usual_lengths_reach_every_row_that_training_could_have_reached():
    """With fewer tokens than T5's last bucket begins at, most of what is past them was never trained."""
    assert (reaches(64, 192, 256)["t5"].states == State.UNTRAINED).sum() == 125
    at = site.visit("relative", view="lengths")
    trained, used = (at.number_input(key=key).value for key in ("trained", "used"))
    usual = reaches(trained, used, 256)
    for name in ("shaw", "t5", "deberta"):
        assert set(usual[name].states[trained:]) == {State.AGAIN}


def test_what_a_formula_goes_on_to_is_no_promise_and_alibi_is_no_exception():
    text = length_words.about_lengths(reaches(64, 192, 64), 64, 192)[1].text
    assert "Only a test shows" in text
    assert "Press et al. 2021" in text
    assert "claim" in SCHEMES["alibi"].good_for
    assert "any length" not in SCHEMES["alibi"].good_for


def test_nothing_new_within_the_trained_length():
    (card,) = length_words.about_lengths(reaches(64, 64, 64), 64, 64)
    assert (card.title, card.tone) == ("Nothing new", "same")


def test_a_row_of_the_table_counts_the_states():
    rows = {name: length_words.length_row(name, reach, 64) for name, reach in reaches(64, 192, 256).items()}
    assert rows["learned"] == ["Learned", "64 seen, 128 error", "128 positions without a vector"]
    assert rows["shaw"][2] == "128 unseen distances get the vector of a seen one"
    assert rows["t5"] == [
        "T5",
        "64 seen, 3 treated as seen, 125 never trained",
        "5 buckets that training never reached",
    ]
    assert rows["alibi"][2] == "Steepest head: from −31.5 to −95.5"
    assert rows["none"] == [
        "None",
        "192 nothing told",
        "No positions to look up; a causal mask lets order in, over 192 tokens, in training 64",
    ]
    assert rows["rope"][2] == "11 pairs of dimensions never went full circle: new angles"
    short = {name: length_words.length_row(name, reach, 64) for name, reach in reaches(64, 1, 256).items()}
    assert short["alibi"] == ["ALiBi", "1 seen", "Nothing beyond what was seen"]
    assert {row[2] for row in short.values()} == {"Nothing beyond what was seen"}


def test_every_kind_has_its_word():
    assert set(words.CHANGES) == {scheme.kind for scheme in SCHEMES.values()}
    assert len(length_words.STATES) == len(State)
    assert N_HEADS == 8
