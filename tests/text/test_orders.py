"""All orders of a sentence's words, counted by hand and by itertools."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from embedviz.text.orders import MOST, orders

few_words = st.lists(st.sampled_from(["a", "b", "the", "cat"]), min_size=1, max_size=5)


@given(few_words)
def test_all_orders_are_those_of_itertools_or_a_part_of_them(words):
    wanted = {" ".join(each) for each in permutations(words)}
    found = orders(" ".join(words))
    assert found.n_all == len(wanted)
    assert len(found.texts) == len(set(found.texts)) == min(len(wanted), MOST)
    assert set(found.texts) <= wanted
    assert found.texts[0] == " ".join(words)


def test_a_sample_is_fair():
    """Each other order is drawn about as often as each other one, over many seeds."""
    counts = dict.fromkeys(permutations("abcd"), 0)
    n_draws = 4000
    for seed in range(n_draws):
        for text in orders("a b c d", most=2, seed=seed).texts[1:]:
            counts[tuple(text.split())] += 1
    written = counts.pop(("a", "b", "c", "d"))
    assert written == 0
    expected = n_draws / len(counts)
    assert max(abs(count - expected) for count in counts.values()) < 5 * expected**0.5


def test_a_chinese_sentence_is_taken_sign_by_sign_and_a_single_word_is_left_whole():
    assert set(orders("狗咬人").texts) == {"".join(each) for each in permutations("狗咬人")}
    assert orders("word").texts == ["word"]
    assert orders("").texts == [""]


def test_a_long_text_of_one_word_has_one_order():
    assert orders("the " * 500).n_all == 1
