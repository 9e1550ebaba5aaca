"""Three rows of cosines on one ruler."""

from types import SimpleNamespace

import numpy as np

from embedviz.figures.model.triples import triples_figure
from tests.figures.drawn import to_plotly

TRIPLES = [
    SimpleNamespace(sentence="a b c", same="b a c", other="c a b"),
    SimpleNamespace(sentence="d e", same="e d", other="d d"),
]
FOUND = SimpleNamespace(
    same=np.array([0.5, 0.75], np.float32),
    other=np.array([0.75, 0.25], np.float32),
    apart=np.array([-0.25, 0.25], np.float32),
)


def test_each_row_has_a_dot_for_each_cosine_at_the_height_of_its_sentence():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 1))
    assert [trace.name for trace in found.data] == ["same meaning", "another meaning", "unrelated sentences"]
    for trace, values in zip(found.data, (FOUND.same, FOUND.other, FOUND.apart), strict=True):
        np.testing.assert_array_equal(trace.x, values)
        assert list(trace.y) == [0, 1]
        assert list(trace.meta["ids"]) == [0, 1]  # a dot lights those of its sentence in all rows
    assert found.data[0].hovertext == ("a b c<br>0.500 b a c", "d e<br>0.750 e d")
    assert found.data[2].hovertext == ("a b c<br>−0.250 d e", "d e<br>0.250 a b c")


def test_all_rows_have_one_ruler_and_a_line_at_their_mean():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 0))
    axes = [found.layout[name].range for name in ("xaxis", "xaxis2", "xaxis3")]
    assert axes == [(-0.27, 1.02)] * 3
    assert [shape.x0 for shape in found.layout.shapes] == [0.625, 0.5, 0.0]
    assert [note.text.partition(" ·")[0] for note in found.layout.annotations] == [
        "same meaning: 0.625 on average",
        "another meaning: 0.500 on average",
        "unrelated sentences: 0.000 on average",
    ]


def test_the_picked_sentence_has_a_colour_and_its_orders_stand_above_the_rows():
    found = to_plotly(triples_figure(FOUND, TRIPLES, 1))
    for trace in found.data:
        first, second = trace.marker.color
        assert second == "var(--accent)" != first
    assert "0.750 e d" in found.layout.annotations[0].text
    assert "0.250 d d" in found.layout.annotations[1].text
