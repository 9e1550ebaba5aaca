"""The text alternative of every figure says what it shows now: other numbers, other words."""

import pytest

from tests.pages.site import payloads, trained, visit

# A page and a view of it, and two settings that draw other numbers of the same shape.
CASES = [
    ("compare", {"view": "map"}, {"seed": "1"}, {"seed": "2"}),
    ("compare", {"view": "orders"}, {"seed": "1"}, {"seed": "2"}),
    ("lookup", {"view": "Rows"}, {"seed": "1"}, {"seed": "2"}),
    ("lookup", {"view": "One-hot"}, {"seed": "1"}, {"seed": "2"}),
    ("positions", {"view": "Table"}, {"base": "100"}, {"base": "1000"}),
    ("positions", {"view": "Pairs"}, {"base": "100"}, {"base": "1000"}),
    ("positions", {"view": "Past the end"}, {"seed": "1"}, {"seed": "2"}),
    ("positions", {"view": "Adding", "held_numbers": "4"}, {"seed": "1"}, {"seed": "2"}),
    ("relative", {"view": "Shift test"}, {"seed": "1"}, {"seed": "2"}),
    ("relative", {"view": "By distance"}, {"reach": "100"}, {"reach": "200"}),
    ("rope", {"view": "Longer than trained"}, {"used": "100"}, {"used": "200"}),
    ("attention", {}, {"seed": "1"}, {"seed": "2"}),
    ("layers", {"reader": "small-gpt"}, {"change": "off"}, {"change": "trained"}),
    ("layers", {"view": "memory"}, {"given": "false"}, {"given": "true"}),
    ("next_word", {}, {"gpt": "learned"}, {"gpt": "rope"}),
    ("training", {"view": "Words"}, trained(), {"positions": "false"} | trained({"positions": "none"})),
    ("training", {"view": "Positions"}, trained(), {"positions": "false"} | trained({"positions": "none"})),
    ("vocabulary", {"source": "random", "tokenizer": "words"}, {"seed": "1"}, {"seed": "2"}),
]


def alternatives(page: str, **query: str) -> list[str]:
    at = visit(page, **query)
    assert not at.exception
    return [payload["alt"] for payload in payloads(at) if "alt" in payload and "pairs" not in payload]


@pytest.mark.parametrize(
    ("page", "view", "one", "other"), CASES, ids=[f"{c[0]} {' '.join(c[1].values())}" for c in CASES]
)
def test_other_numbers_have_another_alternative(page, view, one, other):
    before, after = alternatives(page, **view, **one), alternatives(page, **view, **other)
    assert len(before) == len(after) > 0
    assert [alt for alt, new in zip(before, after, strict=True) if alt == new] == []
    assert before == alternatives(page, **view, **one)
