"""Two cosines of each sentence on one ruler, and a line between them."""

from types import SimpleNamespace

import numpy as np
import pytest

from embedviz.figures.model.triples import triples_figure
from tests.figures.drawn import to_plotly

TRIPLES = [
    SimpleNamespace(sentence="a b c", same="b a c", other="c a b"),
    SimpleNamespace(sentence="d e", same="e d", other="d d"),
]
FOUND = SimpleNamespace(
    is_reversed=np.array([True, False]),
    same=np.array([0.5, 0.75], np.float32),
    other=np.array([0.75, 0.25], np.float32),
    apart=np.array([-0.25, 0.25], np.float32),
)


def dots(found):
    return [trace for trace in found.data if trace.mode == "markers"]


def test_each_sentence_has_a_dot_for_each_cosine_and_the_reversed_one_stands_above():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 1))
    assert [trace.name for trace in dots(found)] == ["same meaning", "another meaning"]
    for trace, values in zip(dots(found), (FOUND.same, FOUND.other), strict=True):
        np.testing.assert_array_equal(trace.x, values)
        assert list(trace.y) == [0, 2]  # the axis counts from above, and between both is a line
        assert list(trace.meta["ids"]) == [0, 1]  # a dot lights the other one of its sentence
    assert dots(found)[0].hovertext == ("a b c<br>0.500 b a c", "d e<br>0.750 e d")
    assert dots(found)[1].hovertext == ("a b c<br>0.750 c a b", "d e<br>0.250 d d")
    low, high = found.layout.yaxis.range
    assert low > high


def test_the_height_follows_from_the_difference():
    likeness = SimpleNamespace(**{**vars(FOUND), "same": FOUND.same[::-1], "other": FOUND.other[::-1]})
    likeness.is_reversed = likeness.other > likeness.same
    found = to_plotly(triples_figure(likeness, TRIPLES, 0))
    assert list(dots(found)[0].y) == [2, 0]


def test_a_line_parts_where_another_meaning_is_nearer_from_where_it_is_not_and_says_how_many_each_are():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 0))
    [line] = found.layout.shapes
    assert (line.y0, line.y1, line.xref) == (1, 1, "x domain")
    names = [(note.text, note.y) for note in found.layout.annotations[2:]]
    assert names == [("1: another meaning nearer", 0), ("1: same meaning nearer", 2)]
    assert found.layout.meta["roles"]["end"] == [2, 3]
    assert found.layout.meta["shorts"] == {"0": found.layout.meta["shorts"]["0"], "2": "1", "3": "1"}


@pytest.mark.parametrize(
    ("same", "other"),
    [([0.5, 0.5], [0.75, 0.75]), ([0.75, 0.75], [0.5, 0.5]), ([1, 0.999999], [0.999999, 1]), ([1, 1], [1, 1])],
)
def test_no_line_parts_sentences_that_are_all_of_one_kind_or_differ_by_rounding(same, other):
    values = {"same": np.array(same, np.float32), "other": np.array(other, np.float32)}
    likeness = SimpleNamespace(**{**vars(FOUND), **values, "is_reversed": values["other"] > values["same"]})
    found = to_plotly(triples_figure(likeness, TRIPLES, 0))
    assert len(found.layout.shapes) == 0
    assert sorted(dots(found)[0].y) == [0, 1]
    assert len(found.layout.annotations) == 2


def test_a_line_leads_from_one_dot_to_the_other_and_is_dark_where_the_other_meaning_is_nearer():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 0))
    pale, dark = (trace for trace in found.data if trace.mode == "lines")
    np.testing.assert_array_equal(dark.x, np.array([0.5, 0.75, np.nan], np.float32))
    np.testing.assert_array_equal(pale.x, np.array([0.75, 0.25, np.nan], np.float32))
    assert dark.line.width > pale.line.width
    assert list(dark.y[:2]) == [0, 0]


def test_the_means_stand_above_and_that_of_unrelated_sentences_at_the_left():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 0))
    heading, note, *_names = found.layout.annotations
    assert heading.text == (
        '<span style="color:var(--faint)">●</span> same meaning: 0.625 on average · '
        '<span style="color:var(--accent)">◆</span> another meaning: 0.500 on average'
    )
    assert (note.text, note.x) == ("← unrelated sentences: 0.000 on average", 0)
    assert found.layout.yaxis.range[0] == 7  # room for it below the lowest row
    low, high = found.layout.xaxis.range
    assert low < FOUND.other.min()
    assert high > 1


def test_the_picked_sentence_is_dark_and_the_kinds_of_orders_have_two_colours():
    same, other = (trace.marker.color for trace in dots(to_plotly(triples_figure(FOUND, TRIPLES, 1))))
    assert same[1] == other[1] == "var(--ink)"
    assert (same[0], other[0]) == ("var(--faint)", "var(--accent)")
