"""Every sentence that the page can say, each from a Comparison that makes it true."""

import re

import pytest

from embedviz.positions import SCHEMES
from embedviz.ui.components.cards.cards import Card
from embedviz.vectors.comparison import Comparison
from embedviz.vectors.copies import Copies
from pages.compare.pairs_words import counts
from pages.compare.pairs_words import findings as all_findings

ISOLATE, POP = "\u2068", "\u2069"
CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
ROW = "A lookup copies the row of an ID, wherever its token stands."
ANOTHER = "At another position, a token has another input vector."
NUMBER = r"(\d[\d.]*(?:e[-+]\d+)?)"


def numbers(pattern: str, text: str) -> list[float]:
    """What stands in the text where the pattern says N."""
    return [float(found) for found in re.search(re.escape(pattern).replace("N", NUMBER), text).groups()]


def three_digits(*values: float) -> list[float]:
    return [float(f"{value:.3g}") for value in values]


def plain(card: Card) -> str:
    """The text without the marks that keep right-to-left words in their place."""
    return card.text.replace(ISOLATE, "").replace(POP, "").replace("\u200e", "")


def titles(cards: list[Card]) -> list[str]:
    return [card.title for card in cards]


def findings(c: Comparison) -> list[Card]:
    """What is said after the counts, with which all begins if there is something to count."""
    found, counted = all_findings(Copies(c)), counts(Copies(c)) if c.n_shared else []
    assert found[: len(counted)] == counted
    return found[len(counted) :]


def before_is(n: int, of: int) -> str:
    return f"{n} of {of} token vectors of A {'is' if n == 1 else 'are'} in B too, bit for bit"


def after_is(n: int, of: int) -> str:
    """The headline where n of the vectors that all had a copy keep it."""
    if n == of:
        return f"With positions added, {n} of {of} {'is' if n == 1 else 'are'} still in B, bit for bit"
    return f"With positions, {of - n} of {of} vectors of A {'is' if of - n == 1 else 'are'} no longer in B"


def test_the_default_pair(compared):
    c = compared(CAT, MAT)
    before, after = counts(Copies(c))
    assert before == Card(before_is(6, 6), ROW, "same", "before")
    assert after == Card(after_is(0, 6), ANOTHER, "different", "after")
    (means,) = findings(c)
    assert (means.title, means.tone) == ("The average still hides the order", "plain")
    assert numbers("A and B differ by N before positions are added and N (rounding) after. Both", means.text) == [
        0,
        *three_digits(c.after.mean_difference),
    ]


def test_one_token_stays_identical_and_is_told_why(compared):
    c = compared("dog bites man", "man bites dog")
    before, after = counts(Copies(c))
    assert (before.title, after.title, after.tone) == (before_is(3, 3), after_is(1, 3), "same")
    assert plain(after) == f"{ANOTHER} ␣bites stays identical: same token, same position."


@pytest.mark.parametrize("output_dim", [64, 256])
def test_a_distance_after_adding_is_no_more_than_what_any_two_random_rows_are_apart(compared, output_dim):
    """Why the distance alone is no evidence: random rows of standard deviation 1 are √(2D) apart."""
    c = compared(CAT, MAT, output_dim=output_dim)
    yardstick = c.unrelated
    assert yardstick.before == pytest.approx((2 * output_dim) ** 0.5, rel=0.1)
    assert c.closest_after == pytest.approx(yardstick.before, rel=0.25)


def test_all_stay_identical(compared):
    c = compared("the cat", "the cat")
    assert plain(counts(Copies(c))[1]) == (f"{ANOTHER} ␣the and ␣cat stay identical: same token, same position.")


def test_a_token_that_stays_twice_is_named_once(compared):
    c = compared("the cat sat on the mat", "the cat sat on the mat")
    assert plain(counts(Copies(c))[1]).endswith(
        "␣the, ␣cat, ␣sat, ␣on and ␣mat stay identical: same token, same position."
    )
    twice = compared("the the", "the the")
    assert plain(counts(Copies(twice))[1]).endswith("␣the stays identical: same token, same position.")


@pytest.mark.parametrize("text", ["cat", "the cat sat on the mat", "the the"])
def test_two_equal_sentences_are_said_to_be_so_and_not_that_an_average_hides_their_order(text, compared):
    assert titles(findings(compared(text, text))) == ["The same tokens in the same order"]


def test_one_token_alone(compared):
    c = compared("cat", "cat")
    before, after = counts(Copies(c))
    assert (before.title, before.text) == (before_is(1, 1), ROW)
    assert after.title == after_is(1, 1)
    (card,) = findings(c)
    assert card.text == "One token has no order: type more words."


def test_what_is_added_is_too_small(compared):
    c = compared("cat the", "the cat", output_dim=4, position_scale=1e-12)
    assert [(pair.i, pair.j) for pair in c.pairs if pair.same_after] == [(0, 1), (1, 0)]
    said = f"{ANOTHER} 2: what was added is too small to change a float32."
    assert counts(Copies(c))[1] == Card(after_is(2, 2), said, "same", "after")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"position": "none"}, "There are no positions, so nothing changed."),
        ({"position_scale": 0.0}, "The position scale is 0, so nothing changed."),
    ],
)
def test_nothing_was_added(settings, why, compared):
    c = compared(CAT, MAT, **settings)
    assert counts(Copies(c)) == [Card(before_is(6, 6), ROW, "same")]
    nothing, means = findings(c)
    assert nothing == Card("Nothing was added", why)
    assert means.title == "The average still hides the order"
    assert "differ by 0 before positions are added and 0 after." in means.text
    assert "rounding" not in means.text
    assert "set of positions" not in means.text  # there are none


@pytest.mark.parametrize(
    ("position", "said"),
    [
        ("rope", "RoPE adds nothing to the vectors, so nothing changed. It acts inside attention, where it turns "),
        ("alibi", "ALiBi adds nothing to the vectors, so nothing changed. It acts inside attention, where it adds "),
        ("t5", "T5 adds nothing"),
        ("shaw", "Shaw adds nothing"),
        ("deberta", "DeBERTa adds nothing"),
        ("transformer_xl", "Transformer-XL adds nothing"),
    ],
)
def test_a_scheme_that_acts_in_attention_leaves_the_vectors_alone(position, said, compared):
    c = compared(CAT, MAT, position=position)
    nothing, means = findings(c)
    assert c.n_same_after == 8
    assert nothing.text.startswith(said)
    assert nothing.text.endswith(": see the pages Relative and Attention.")
    assert "set of positions" not in means.text


def test_every_scheme_has_its_sentence(compared):
    for name, scheme in SCHEMES.items():
        text = findings(compared(CAT, MAT, position=name, output_dim=8))[0].text
        assert ("adds nothing to the vectors" in text) == (scheme.kind in ("rotate", "bias", "relative"))


def test_without_the_prefix_space(compared):
    *_, means, note = findings(compared(CAT, MAT, prefix_space=False))
    assert means.title == "Different tokens, different averages"
    assert (note.title, note.tone) == ("A and B are not made of the same tokens", "note")
    assert plain(note) == (
        "Only in A: the (1169), ␣on (319). Only in B: on (261), ␣the (262). "
        "on (261) and ␣on (319); the (1169) and ␣the (262): the space before a word is part of its token. "
        "“Add prefix space” (in the settings) gives the first word the ID it has inside a sentence."
    )


def test_different_means_are_different(compared):
    c = compared(CAT, "the cat sat", output_dim=16)
    means = findings(c)[0]
    assert means.title == "Different tokens, different averages"
    said = numbers(
        "The averages of A’s and of B’s vectors differ by up to N before positions are added and N after.", means.text
    )
    a, b = c.a, c.b
    assert said == three_digits(
        abs(a.token_embeddings.mean(axis=0, dtype=float) - b.token_embeddings.mean(axis=0, dtype=float)).max(),
        abs(a.input_embeddings.mean(axis=0, dtype=float) - b.input_embeddings.mean(axis=0, dtype=float)).max(),
    )


@pytest.mark.parametrize(("a", "b"), [("the", "the the"), ("the cat", "the cat the cat")])
def test_equal_means_of_different_counts_are_not_called_different(a, b, compared):
    """Each word twice as often: other tokens, the same mean."""
    c = compared(a, b, output_dim=16)
    assert (c.is_permutation, c.before.mean_difference) == (False, 0)
    assert "Different tokens, different averages" not in titles(findings(c))


def test_no_pair_shares_an_id(compared):
    c = compared("dog", "cat")
    (note,) = findings(c)
    assert (note.title, note.tone) == ("No token of A has the ID of a token of B", "note")
    assert plain(note) == "Only in A: ␣dog (3290). Only in B: ␣cat (3797)."


@pytest.mark.parametrize(("a", "b"), [("", "cat"), ("cat", ""), ("", "")])
def test_nothing_is_claimed_while_a_sentence_is_empty(a, b, compared):
    c = compared(a, b)
    assert findings(c) == []


def test_a_capital_makes_another_token(compared):
    *_, note = findings(compared("The the", "the The"))
    assert (note.title, note.tone) == ("One word, two IDs", "note")
    assert plain(note) == "␣the (262) and ␣The (383): a capital makes another token."


def test_space_and_capital(compared):
    *_, note = findings(compared("The cat saw the cat", "The cat saw the cat", prefix_space=False))
    assert plain(note) == (
        "The (464) and ␣the (262): the space before a word is part of its token, and a capital makes another one. "
        "“Add prefix space” (in the settings) gives the first word the ID it has inside a sentence."
    )


def test_many_differences_are_counted_not_listed(compared):
    (*_, note) = findings(compared("a b c d e f g h h h", "z", tokenizer="words"))
    assert plain(note) == ("Only in A: a (0), b (1), c (2), d (3), e (4), f (5) and 2 more. Only in B: z (8).")


def test_a_token_that_is_there_more_often_is_counted(compared):
    (*_, note) = findings(compared("the the the cat", "the cat", tokenizer="words"))
    assert plain(note) == "Only in A: the (1) × 2."


def test_a_right_to_left_word_keeps_its_place(compared):
    (*_, note) = findings(compared("שלום", "b", tokenizer="words"))
    assert note.text.startswith(f"Only in A: {ISOLATE}שלום{POP} (1).")


def test_what_cannot_be_seen_is_shown(compared):
    (*_, note) = findings(compared("\u202ea\x00", "b", tokenizer="words"))
    assert plain(note) == r"Only in A: \u202ea\x00 (1). Only in B: b (0)."


@pytest.mark.parametrize(("a", "b"), [("Hi.\nBye.", "Bye."), ("\treturn return", "return")])
def test_a_reason_is_only_given_where_it_is_the_reason(a, b, compared):
    assert not any("a capital" in card.text for card in findings(compared(a, b, tokenizer="cl100k_base", output_dim=4)))


def test_a_permutation_of_one_form_each_needs_no_note(compared):
    assert len(findings(compared(CAT, MAT))) == 1
