"""What is said of a new order, and that a shuffle is one."""

from hypothesis import given
from hypothesis import strategies as st

from embedviz.text.reordering import reordered
from embedviz.text.tokens import tokenize
from pages.compare.reorder import changes, shuffled


def said(text: str, order: list[int]) -> str:
    """What the page says once the tokens of a text, without an added space, stand in this order of their places."""
    tokens = tokenize(text, "gpt2", False)
    found = reordered(tokens, [tokens.ids[n] for n in order], prefix_space=False, lower_case=False)
    return changes(tokens, found).replace("\u2068", "").replace("\u2069", "")


def test_nothing_is_said_where_the_tokens_stay():
    assert said("on the mat", [1, 2, 0]) == ""


def test_tokens_that_could_not_stay_are_named_with_the_reason():
    assert said("s cat", [1, 0]) == (
        "In this order the text is cut into other tokens. Gone: s (82), ␣cat (3797). New: cat (9246), ␣s (264). "
        "cat (9246) and ␣cat (3797); s (82) and ␣s (264): the space before a word is part of its token."
    )


@given(st.lists(st.integers(0, 3), max_size=6))
def test_a_shuffle_is_another_order_if_there_is_one(ids):
    found = shuffled(ids)
    assert sorted(found) == sorted(ids)
    assert (found == ids) == (len(set(ids)) < 2)
