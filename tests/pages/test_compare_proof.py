"""Every sentence that the page can say, each from a Comparison that makes it true."""

import re

import pytest

from embedviz.positions import SCHEMES
from embedviz.ui.components.cards import Card
from pages.compare.proof import proof

ISOLATE, POP = "\u2068", "\u2069"
CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
NUMBER = r"(\d[\d.]*(?:e[-+]\d+)?)"


def numbers(pattern: str, text: str) -> list[float]:
    """What stands in the text where the pattern says N."""
    return [float(found) for found in re.search(re.escape(pattern).replace("N", NUMBER), text).groups()]


def three_digits(*values: float) -> list[float]:
    return [float(f"{value:.3g}") for value in values]


def plain(card: Card) -> str:
    """The text without the marks that keep right-to-left words in their place."""
    return card.text.replace(ISOLATE, "").replace(POP, "")


def titles(cards: list[Card]) -> list[str]:
    return [card.title for card in cards]


def test_the_default_pair(compared):
    c = compared(CAT, MAT)
    before, after, means = proof(c)
    assert before == Card(
        "8 of 8 pairs bit-identical",
        "Token vectors of A and B that share an ID, before positions are added. Largest difference: 0.",
        "same",
        "before",
    )
    assert (after.title, after.tone) == ("0 of 8 after positions", "different")
    said = numbers(
        "Input vectors = token + position. The closest pair is N apart; largest difference in one dimension: N.",
        after.text,
    )
    a, b = c.a.input_embeddings.astype(float), c.b.input_embeddings.astype(float)
    assert said == three_digits(
        min(pair.distance_after for pair in c.pairs), max(abs(a[pair.i] - b[pair.j]).max() for pair in c.pairs)
    )
    assert (means.title, means.tone) == ("Same mean, both times", "plain")
    assert numbers("A and B differ by N before and N after (rounding): in", means.text) == [
        0,
        *three_digits(c.after.mean_difference),
    ]


def test_one_pair_stays_identical(compared):
    c = compared("dog bites man", "man bites dog")
    after = proof(c)[1]
    assert after.title == "1 of 3 after positions"
    assert after.text.startswith("1 stays identical: same token, same position in both sentences. Of the others the ")
    assert numbers("the closest pair is N apart", after.text) == three_digits(c.closest_after)
    assert after.tone == "different"


def test_all_pairs_stay_identical(compared):
    after = proof(compared("the cat", "the cat"))[1]
    assert after == Card(
        "2 of 2 after positions", "2 stay identical: same token, same position in both sentences.", "same", "after"
    )


def test_one_pair_alone(compared):
    before, after, *_ = proof(compared("cat", "cat"))
    assert before.title == "1 of 1 pair bit-identical"
    assert after.text == "1 stays identical: same token, same position in both sentences."


def test_what_is_added_is_too_small(compared):
    c = compared("cat the", "the cat", output_dim=4, position_scale=1e-12)
    assert (c.n_same_after, c.n_same_after_at_same_position) == (2, 0)
    said = "2: what was added is too small to change a float32."
    assert proof(c)[1] == Card("2 of 2 after positions", said, "same", "after")


@pytest.mark.parametrize(
    ("settings", "why"), [({"position": "none"}, "no positions"), ({"position_scale": 0.0}, "position_scale is 0")]
)
def test_nothing_was_added(settings, why, compared):
    before, after, means = proof(compared(CAT, MAT, **settings))
    assert before.title == "8 of 8 pairs bit-identical"
    assert after == Card("8 of 8 after, too", f"Nothing was added ({why}), so nothing changed.", "plain", "after")
    assert means.title == "Same mean, both times"
    assert "differ by 0 before and 0 after" in means.text
    assert "rounding" not in means.text
    assert "positions" not in means.text  # there are none


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
    before, after, means = proof(c)
    assert (c.n_same_after, before.title, after.title) == (8, "8 of 8 pairs bit-identical", "8 of 8 after, too")
    assert after.text.startswith(said)
    assert after.text.endswith(": see the pages Relative and Attention.")
    assert "positions" not in means.text


def test_every_scheme_has_its_sentence(compared):
    for name, scheme in SCHEMES.items():
        text = proof(compared(CAT, MAT, position=name, output_dim=8))[1].text
        assert ("adds nothing to the vectors" in text) == (scheme.kind in ("rotate", "bias", "relative"))


def test_without_the_prefix_space(compared):
    *_, means, note = proof(compared(CAT, MAT, prefix_space=False))
    assert means.title == "Different tokens, different means"
    assert (note.title, note.tone) == ("A and B are not made of the same tokens", "note")
    assert plain(note) == (
        "Only in A: the (1169), ␣on (319). Only in B: on (261), ␣the (262). "
        "on (261) and ␣on (319); the (1169) and ␣the (262): the space before a word is part of its token. "
        "“Add prefix space” (under More) gives the first word the ID it has inside a sentence."
    )


def test_different_means_are_different(compared):
    c = compared(CAT, "the cat sat", output_dim=16)
    means = proof(c)[2]
    assert means.title == "Different tokens, different means"
    said = numbers("The mean vectors of A and B differ by up to N before and N after.", means.text)
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
    assert "Different tokens, different means" not in titles(proof(c))


def test_no_pair_shares_an_id(compared):
    first, note = proof(compared("dog", "cat"))
    assert first == Card("No pair shares an ID", "No token of A has the ID of a token of B.", "note")
    assert (note.title, note.tone) == ("A and B are not made of the same tokens", "note")
    assert plain(note) == "Only in A: ␣dog (3290). Only in B: ␣cat (3797)."


@pytest.mark.parametrize(("a", "b"), [("", "cat"), ("cat", ""), ("", "")])
def test_nothing_is_claimed_while_a_sentence_is_empty(a, b, compared):
    assert proof(compared(a, b)) == []


def test_a_capital_makes_another_token(compared):
    *_, note = proof(compared("The the", "the The"))
    assert (note.title, note.tone) == ("One word, two IDs", "note")
    assert plain(note) == "␣the (262) and ␣The (383): a capital makes another token."


def test_space_and_capital(compared):
    *_, note = proof(compared("The cat saw the cat", "The cat saw the cat", prefix_space=False))
    assert plain(note) == (
        "The (464) and ␣the (262): the space before a word is part of its token, and a capital makes another one. "
        "“Add prefix space” (under More) gives the first word the ID it has inside a sentence."
    )


def test_many_differences_are_counted_not_listed(compared):
    (*_, note) = proof(compared("a b c d e f g h h h", "z", tokenizer="words"))
    assert plain(note) == ("Only in A: a (0), b (1), c (2), d (3), e (4), f (5) and 2 more. Only in B: z (8).")


def test_a_token_that_is_there_more_often_is_counted(compared):
    (*_, note) = proof(compared("the the the cat", "the cat", tokenizer="words"))
    assert plain(note) == "Only in A: the (1) × 2."


def test_a_right_to_left_word_keeps_its_place(compared):
    (*_, note) = proof(compared("שלום", "b", tokenizer="words"))
    assert note.text.startswith(f"Only in A: {ISOLATE}שלום{POP} (1).")


def test_what_cannot_be_seen_is_shown(compared):
    (*_, note) = proof(compared("\u202ea\x00", "b", tokenizer="words"))
    assert plain(note) == r"Only in A: \u202ea\x00 (1). Only in B: b (0)."


@pytest.mark.parametrize(("a", "b"), [("Hi.\nBye.", "Bye."), ("\treturn return", "return")])
def test_a_reason_is_only_given_where_it_is_the_reason(a, b, compared):
    assert not any("a capital" in card.text for card in proof(compared(a, b, tokenizer="cl100k_base", output_dim=4)))


def test_a_permutation_of_one_form_each_needs_no_note(compared):
    assert len(proof(compared(CAT, MAT))) == 3
