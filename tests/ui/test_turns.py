"""Scripts of many visitors run one after the other."""

import threading
import time
from collections.abc import Callable, Sequence

import pytest
from streamlit.runtime.scriptrunner import RerunData, RerunException

from embedviz.base.concurrency import script_lock
from embedviz.base.concurrency.script_lock import Waiting, n_waiting, release
from embedviz.ui import turns

HANGS = 600  # seconds: a turn that has not come by then never comes
AT_ONCE = 0.05  # seconds: a turn that nobody held would have come by then


def test_no_two_scripts_have_a_turn_at_once():
    running, most = 0, 0

    def script():
        nonlocal running, most
        for _ in range(20):
            with turns.turn():
                running += 1
                most = max(most, running)
                time.sleep(0.0005)  # long enough for another to come in, if it could
                running -= 1

    threads = [threading.Thread(target=script) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (running, most) == (0, 1)


def test_a_part_runs_within_the_turn_of_its_page_and_ends_it_not():
    with turns.turn():
        with turns.turn():
            pass
        assert not _another_gets_a_turn(AT_ONCE)
    assert _another_gets_a_turn(HANGS)


def test_a_pause_lets_others_in_and_then_waits_for_them():
    with turns.turn():
        with turns.release_lock():
            assert _another_gets_a_turn(HANGS)
        assert not _another_gets_a_turn(AT_ONCE)


def test_a_pause_that_is_not_needed_keeps_the_turn():
    with turns.turn(), turns.release_lock(unless=True):
        assert not _another_gets_a_turn(AT_ONCE)


def test_an_error_ends_the_turn():
    try:
        with turns.turn():
            raise KeyError
    except KeyError:
        pass
    assert _another_gets_a_turn(HANGS)


def test_who_gives_the_turn_up_goes_on_without_it_and_gets_it_again_after_a_pause():
    with turns.turn():
        release()
        assert _another_gets_a_turn(HANGS)
        with turns.turn():  # a part of the page
            assert _another_gets_a_turn(HANGS)
        with turns.release_lock(), turns.release_lock():
            assert _another_gets_a_turn(HANGS)
        assert not _another_gets_a_turn(AT_ONCE)
    assert _another_gets_a_turn(HANGS)


def test_nobody_waits_for_a_condition_with_the_turn():
    met = Waiting()

    def meet():
        with turns.turn(), met:
            met.notify_all()

    with turns.turn(), met:
        threading.Thread(target=meet, daemon=True).start()
        assert met.wait(HANGS)


@pytest.fixture
def impatient(monkeypatch):
    """Each turn goes to who has waited longest; nobody of an earlier test waits any more."""
    _wait_until(lambda: turns.n_open() == 0)
    monkeypatch.setattr(script_lock, "PATIENCE", 0.0)


def _in_line(order: list, names: Sequence, first_waits_for: int = 0) -> list[threading.Thread]:
    """Threads that wait for a turn, in which each of them writes its name down.

    first_waits_for: the first keeps its turn until so many wait for theirs.
    """

    def run(name):
        with turns.turn():
            order.append(name)
            _wait_until(lambda: name != names[0] or n_waiting() >= first_waits_for)

    threads = [threading.Thread(target=run, args=(name,), daemon=True) for name in names]
    for n, thread in enumerate(threads, n_waiting() + 1):
        thread.start()
        _wait_until(lambda n=n: n_waiting() == n)
    return threads


def _wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + HANGS
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.001)


def test_turns_come_in_the_order_in_which_they_were_asked_for(impatient):
    order = []
    with turns.turn():
        threads = _in_line(order, range(12))
    for thread in threads:
        thread.join(HANGS)
    assert order == list(range(12))


def test_who_goes_on_after_a_pause_passes_those_who_came_later(impatient):
    order, pauses, goes_on = [], threading.Event(), threading.Event()

    def early():
        with turns.turn():
            with turns.release_lock():
                pauses.set()
                goes_on.wait(HANGS)
            order.append("early")

    thread = threading.Thread(target=early, daemon=True)
    thread.start()
    assert pauses.wait(HANGS)
    with turns.turn():
        later = _in_line(order, range(2))
        goes_on.set()
        _wait_until(lambda: n_waiting() == 3)
    for each in (thread, *later):
        each.join(HANGS)
    assert order == ["early", 0, 1]


def test_who_types_on_keeps_the_place_in_the_line(impatient):
    order, later = [], []

    def run(name):
        with turns.turn():
            order.append(name)
            if name == "first letter":
                later.extend(_in_line(order, range(3), first_waits_for=3))
                raise RerunException(RerunData())

    def typing():
        with pytest.raises(RerunException):
            run("first letter")
        run("second letter")
        run("another run")

    typist = threading.Thread(target=typing, daemon=True)
    typist.start()
    for thread in (typist, *later):
        thread.join(HANGS)
    assert order == ["first letter", 0, "second letter", 1, 2, "another run"]


def _another_gets_a_turn(seconds: float) -> bool:
    """Whether another thread gets a turn by then; its wait ends with the caller's turn at the latest."""
    had = threading.Event()

    def script():
        with turns.turn():
            had.set()

    threading.Thread(target=script, daemon=True).start()
    return had.wait(seconds)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_fields_wait_longer_while_the_server_is_busy():
    clock = Clock()
    load = turns.Load(clock)
    assert load.wait == 30
    waits = []
    for _ in range(100):  # runs of 90 ms, one after the other
        clock.now += 0.1
        load.ran(0.09)
        waits.append(load.wait)
    assert waits == sorted(waits)
    assert (waits[0], waits[-1]) == (30, 250)
    assert load.share == pytest.approx(0.9, abs=0.05)
    clock.now += 3
    assert (load.share > 0.25, load.wait) == (False, 30)


def test_one_who_types_alone_is_never_made_to_wait():
    clock = Clock()
    load = turns.Load(clock)
    for _ in range(200):  # a letter every 80 ms, each of which the server draws in 20 ms
        clock.now += 0.08
        load.ran(0.02)
        assert load.wait == 30


def test_between_its_limits_a_wait_stays_as_it_is():
    clock = Clock()
    load = turns.Load(clock)
    load.ran(0.8)  # 0.4 of two seconds
    assert load.wait == 30
    load.ran(0.4)
    assert load.wait == 250
    clock.now += 1
    assert load.share > 0.25
    assert load.wait == 250


def test_where_a_letter_would_wait_for_its_turn_anyway_fields_wait_for_the_sentence():
    clock = Clock()
    load = turns.Load(clock)
    waits = []
    for late in [0.0, *[2.0] * 20, *[0.5] * 20, *[0.1] * 40]:  # runs of 90 ms: how late each of them began
        clock.now += 0.1
        load.ran(0.09, late)
        waits.append(load.wait)
    assert waits == [30, *[1000] * (len(waits) - 1 - waits.count(250)), *[250] * waits.count(250)]
    assert 0 < waits.count(250) < 40  # it goes back only when runs are less late than the quarter of a second
    clock.now += 10
    assert load.wait == 30


def test_a_run_that_was_late_long_ago_says_nothing_about_the_next():
    clock = Clock()
    load = turns.Load(clock)
    load.ran(0.01, 3.0)
    assert load.wait == 1000
    clock.now += 10
    load.ran(0.01)
    assert (load.delay < 0.05, load.wait) == (True, 30)


def test_the_time_in_which_others_run_is_not_counted_twice(monkeypatch):
    clock = Clock()
    load = turns.Load(clock)
    monkeypatch.setattr(turns, "load", load)
    monkeypatch.setattr(turns.time, "perf_counter", clock)
    with turns.turn():
        clock.now += 0.25
        with turns.release_lock():
            clock.now += 60
        clock.now += 0.25
    assert load.share == pytest.approx(0.25)
