"""The text alternative of every figure says what it shows now: other numbers, other words."""

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.site import payloads, visit_view
from tests.pages.test_presenting import numbers
from tests.views import FIRST

# Views without figures; and models as they were published are the same whatever a visitor sets.
WITHOUT = (
    "compare whole", "compare pairs", "tour", "lessons", "tokenizers", "batches windows", "batches padding",
    "layers meaning",
)  # fmt: skip
FIXED = ("models published",)
# More points on the same circles; other waves and columns between the same ends.
SAID_ALIKE = [("positions pairs", "context_length"), ("positions end", "base"), ("positions end", "output_dim")]


def figures(at: AppTest) -> list[tuple[str, str]]:
    """What is drawn in each figure of a page, and its text alternative."""
    assert not at.exception
    drawn = [payload for payload in payloads(at) if "alt" in payload and "pairs" not in payload]
    return [(repr(numbers(payload)), payload["alt"]) for payload in drawn]


def edits(at: AppTest) -> Iterator[dict[str, str]]:
    """What the address says once a field for a number or a slider has another value."""
    for field in (*at.number_input, *at.slider):
        if field.value:
            twice = field.value * 2
            yield {field.key: str(twice if field.max is None or twice <= field.max else field.min)}


@pytest.mark.parametrize("name", [name for name in FIRST if name not in (*WITHOUT, *FIXED)])
def test_other_numbers_have_another_alternative(name):
    view = FIRST[name]
    at = visit_view(view)
    before = figures(at)
    assert before
    changed = [
        (key, old_alt, new_alt)
        for edit in edits(at)
        for (old, old_alt), (new, new_alt) in zip(before, figures(visit_view(view, **edit)), strict=False)
        for key in edit
        if old != new and (name, key) not in SAID_ALIKE
    ]
    assert [key for key, old_alt, new_alt in changed if old_alt == new_alt] == []
    # Where no number does, an example changes what is drawn.
    alternatives = [alt for n in range(1, len(view.examples)) for _drawn, alt in figures(visit_view(view, n))]
    assert changed or {*alternatives} - {alt for _drawn, alt in before}
    assert figures(visit_view(view)) == before


@pytest.mark.parametrize("name", WITHOUT)
def test_there_is_no_figure_where_none_is_looked_for(name):
    assert figures(visit_view(FIRST[name])) == []
