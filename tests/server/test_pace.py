"""Edits that come too fast: the last one counts, and others do not wait."""

from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.settings import Settings
from embedviz.server.streamlit_inside.runs import Bucket


@given(st.floats(0.5, 100), st.integers(1, 20), st.lists(st.floats(0, 3), min_size=1, max_size=60))
def test_the_bucket_lets_no_more_through_than_it_says(rate, at_once, pauses):
    """If each run waits as long as the one before it says, at most at_once + rate·t + 1 of them begin in any time t."""
    now = 0.0
    bucket = Bucket(rate, at_once, lambda: now)
    begun = []
    for pause in pauses:
        now += pause
        begun.append(now)
        now += bucket.take()
    for first, start in enumerate(begun):
        for last in range(first, len(begun)):
            assert last - first + 1 <= at_once + rate * (begun[last] - start) + 1 + 1e-6


def test_typing_sliding_and_watching_at_once_are_never_slowed():
    """Ten seconds of four edits from typing, four from a slider and two from a training; 50 presses in two seconds."""
    steady = sorted([n / 4 for n in range(40)] + [n / 4 + 0.1 for n in range(40)] + [n / 2 for n in range(20)])
    for times in (steady, [n / 25 for n in range(50)]):
        clock = iter([0.0, *times])
        settings = Settings()
        bucket = Bucket(settings.edits_per_second, settings.edits_at_once, lambda clock=clock: next(clock))
        assert {bucket.take() for _ in times} == {0.0}
