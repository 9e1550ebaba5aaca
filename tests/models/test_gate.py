"""The gate before the Hub, by a clock that the test moves."""

import pytest

from embedviz.base.errors import Unavailable
from embedviz.models.hub import fetch_limiter


class Clock:
    """Stands in for the module `time`: a pause moves it, and meanwhile somebody else may do something."""

    def __init__(self) -> None:
        self.now = 100.0
        self.meanwhile = lambda: None

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile()


@pytest.fixture
def clock(monkeypatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(fetch_limiter, "time", found)
    return found


def closed(wait: float | None = None) -> fetch_limiter.FetchLimiter:
    """A gate at which somebody has just failed."""
    found = fetch_limiter.FetchLimiter()
    with pytest.raises(Unavailable), found.alone():
        raise Unavailable("no answer", wait)
    return found


def test_a_failure_answers_for_half_a_minute(clock):
    found = closed()
    clock.now += 29.9
    with pytest.raises(Unavailable, match="no answer"), found.alone():
        pytest.fail("nobody goes through")
    clock.now += 0.2
    assert found.remembered() is None


@pytest.mark.parametrize(("since", "reopened"), [(0.0, 101.0), (0.25, 101.0), (1.0, 101.0), (7.0, 107.0)])
def test_whoever_wants_another_try_gets_it_a_second_after_the_failure(clock, since, reopened):
    found = closed()
    clock.now += since
    found.reopen()
    assert clock.now == reopened
    with found.alone():
        pass
    assert not found.in_doubt


def test_a_longer_pause_that_the_hub_asked_for_is_kept(clock):
    found = closed(wait=60)
    clock.now += 59
    found.reopen()
    assert clock.now == 159
    assert found.remembered()
    clock.now += 2
    found.reopen()
    assert found.remembered() is None


def test_a_failure_that_somebody_else_has_met_meanwhile_stays(clock):
    found = closed()
    newer = Unavailable("no answer either")
    clock.meanwhile = lambda: found.failed(newer)
    found.reopen()
    assert str(found.remembered()) == str(newer)


def test_a_gate_where_nobody_failed_is_open_at_once(clock):
    fetch_limiter.FetchLimiter().reopen()
    assert clock.now == 100
