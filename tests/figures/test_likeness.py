"""Bars of how alike models find many pairs: every pair is counted once, on one scale for all models."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from embedviz.figures.model.likeness import Counted, likeness_figure
from tests.figures.drawn import to_plotly

counts = st.lists(st.integers(0, 9), min_size=100, max_size=100).map(np.array)


@given(
    models=st.lists(st.builds(Counted, st.text("abc", min_size=1, max_size=9), counts, counts), min_size=1, max_size=3)
)
def test_the_bars_hold_all_pairs_and_no_pair_lies_outside(models):
    found = to_plotly(likeness_figure(models))
    drawn = [(np.asarray(bar.x), np.asarray(bar.y)) for bar in found.data]
    for each, (_x, off), (_, on) in zip(models, drawn[::2], drawn[1::2], strict=True):
        assert (off.sum(), on.sum()) == (each.without.sum(), each.with_positions.sum())
    low, high = found.layout.xaxis.range
    for x, y in drawn:
        assert len(x) == len(y)
        assert low < x.min()
        assert x.max() < high
        np.testing.assert_allclose(np.diff(x), 0.02, atol=1e-6)
    assert sum(bar.showlegend is not False for bar in found.data) == 2


def test_an_empty_end_of_the_scale_is_left_out():
    off, on = np.zeros((2, 100), int)
    off[99], on[97] = 4, 4  # cosines from 0.98 to 1, and from 0.94 to 0.96
    found = to_plotly(likeness_figure([Counted("MiniLM", on, off)]))
    np.testing.assert_allclose(found.layout.xaxis.range, [0.94, 1], atol=1e-6)
    np.testing.assert_array_equal(found.data[1].y, [4, 0, 0])
