"""The queue: order, sharing, leaving, refusing, failing and closing; by a clock that the tests move."""

import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

import pytest

import embedviz as ev
from embedviz.base import log, metrics
from embedviz.base.concurrency.jobs import LEASE, Job, Jobs, Progress

_NUMBERS = itertools.count()


class Desk:
    """A line of jobs that go on until they are told how to end: by a result, or by an exception."""

    def __init__(self, **options: object) -> None:
        self.now = 0.0
        self.begun: list[str] = []
        self.ends: dict[str, object] = {}
        self.results: dict[str, object] = {}
        self.name = f"copying {next(_NUMBERS)}"  # its own: what another test has left behind may end at any time
        self.jobs = Jobs(self.name, self.results.get, clock=lambda: self.now, **options)

    def ask(self, key: str, visitor: str = "me") -> Progress | None:
        self.jobs.ask(visitor, {key: self.job(key)})
        return self.jobs.poll(key, visitor)

    def job(self, key: str) -> Job:
        return Job(partial(self._carry_out, key), {"steps": 3})

    def end(self, key: str, how: object = "done") -> None:
        self.ends[key] = how
        until(lambda: key not in self.ends)

    def _carry_out(self, key: str, job: Job, is_wanted: Callable[[], bool]) -> bool:
        self.begun.append(key)
        job.progress = Progress(share=0.5, numbers={"n": 7})
        while key not in self.ends:
            if not is_wanted():
                return False
            time.sleep(0.001)
        end = self.ends.pop(key)
        if isinstance(end, Exception):
            raise end
        self.results[key] = end
        return True


@pytest.fixture
def desk() -> Desk:
    return Desk()


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_progress_is_told_and_then_the_result(desk):
    desk.ask("a")
    until(lambda: desk.jobs.poll("a", "me").share == 0.5)
    assert desk.jobs.poll("a", "me") == Progress(share=0.5, numbers={"n": 7})
    desk.end("a", "a map")
    until(lambda: desk.jobs.count() == (0, 0))
    assert desk.jobs.poll("a", "me") == desk.jobs.poll("a", "anybody") == Progress(result="a map")
    desk.ask("a")
    assert desk.begun == ["a"]


def test_who_asks_for_the_same_shares_one_job(desk):
    for visitor in "abc":
        desk.ask("same", visitor)
    until(lambda: desk.begun == ["same"])
    desk.jobs.leave("a", "same")
    assert desk.jobs.poll("same", "a") is None
    assert desk.jobs.poll("same", "b").place == 0
    for visitor in "bc":
        desk.jobs.leave(visitor, "same")
    until(lambda: desk.jobs.count() == (0, 0))
    assert desk.begun == ["same"]
    assert desk.results == {}


def test_others_wait_in_line_and_see_their_place(desk):
    desk.ask("first")
    assert [desk.ask(key).place for key in ("second", "third")] == [1, 2]
    assert desk.jobs.count() == (1, 2)
    desk.jobs.leave("me", "first")
    until(lambda: desk.begun == ["first", "second"])
    assert [desk.jobs.poll(key, "me").place for key in ("second", "third")] == [0, 1]
    desk.end("second")
    desk.end("third")
    assert desk.begun == ["first", "second", "third"]
    assert desk.results.keys() == {"second", "third"}


def test_several_run_at_once_if_they_may():
    desk = Desk(at_once=2)
    assert [desk.ask(key).place for key in "abcd"] == [0, 0, 2, 3]
    desk.end("b")
    until(lambda: sorted(desk.begun) == ["a", "b", "c"])
    assert [desk.jobs.poll(key, "me").place for key in "acd"] == [0, 0, 2]
    desk.jobs.leave("me")
    until(lambda: desk.jobs.count() == (0, 0))
    assert sorted(desk.begun) == ["a", "b", "c"]


def test_a_job_that_nobody_looks_for_any_more_ends(desk):
    desk.ask("left")
    until(lambda: desk.begun)
    desk.now += LEASE - 1
    assert desk.jobs.poll("left", "me")
    desk.now += LEASE - 1
    assert desk.jobs.poll("left", "me")  # a look renews it
    desk.now += LEASE
    until(lambda: not desk.jobs.keys())
    assert desk.results == {}
    assert desk.jobs.poll("left", "me") is None


def test_who_waits_without_a_look_is_passed_by_but_may_come_back_until_then(desk):
    for key in ("first", "second", "third", "fourth"):
        desk.ask(key, key)
    desk.now += LEASE - 1
    for key in ("first", "third", "fourth"):
        desk.jobs.poll(key, key)
    desk.now += 1
    desk.jobs.poll("first", "first")  # its thread may ask at any time whether somebody still wants it
    assert desk.jobs.poll("fourth", "fourth").place == 2
    assert desk.jobs.count() == (1, 2)
    assert desk.jobs.poll("second", "second").place == 1
    assert desk.jobs.poll("fourth", "fourth").place == 3
    desk.now += LEASE - 1
    for key in ("first", "third", "fourth"):
        desk.jobs.poll(key, key)
    desk.now += 1
    desk.end("first")
    until(lambda: desk.begun == ["first", "third"])
    assert desk.jobs.keys() == ["third", "fourth"]
    desk.jobs.leave("third")
    desk.jobs.leave("fourth")


def test_who_waits_and_leaves_is_forgotten(desk):
    desk.ask("first")
    desk.ask("second")
    desk.jobs.leave("me", "second")
    assert desk.jobs.keys() == ["first"]
    desk.jobs.leave("me", "first")
    until(lambda: not desk.jobs.keys())
    assert desk.begun == ["first"]


def test_a_job_that_was_stopped_begins_again_if_somebody_has_come_back():
    line, stopped = Jobs("copying", {}.get), []

    def stops_once(_job: Job, is_wanted: Callable[[], bool]) -> bool:
        until(lambda: stopped or not is_wanted())
        if not stopped:
            stopped.append(line.ask("b", {"x": Job(stops_once)}))
            return False
        stopped.append("again")
        return True

    line.ask("a", {"x": Job(stops_once)})
    line.leave("a", "x")
    until(lambda: line.count() == (0, 0))
    assert stopped == [None, "again"]


def test_a_failure_is_said_for_a_minute_and_may_be_tried_again(desk):
    desk.ask("bad")
    desk.end("bad", ev.EmbedvizError("Take another."))
    until(lambda: desk.jobs.poll("bad", "me").error)
    assert desk.jobs.poll("bad", "anybody") == Progress(error="Take another.")
    desk.now += 59
    desk.jobs.leave("me")  # everything, for another page: the failure is still there
    assert desk.jobs.poll("bad", "me").error == "Take another."
    desk.now += 1
    assert desk.jobs.poll("bad", "me") is None
    desk.ask("bad")
    desk.end("bad", ev.EmbedvizError("Again."))
    until(lambda: desk.jobs.poll("bad", "me").error)
    desk.jobs.leave("me", "bad")
    assert desk.jobs.poll("bad", "me") is None
    desk.ask("bad")
    desk.end("bad", "well")
    until(lambda: desk.jobs.poll("bad", "me").result == "well")


def test_who_asks_again_clears_the_failure():
    desk = Desk(seconds=float("inf"))
    desk.ask("bad")
    desk.end("bad", ev.EmbedvizError("Take another."))
    until(lambda: desk.jobs.poll("bad", "me").error)
    desk.now += 1e9
    assert desk.jobs.poll("bad", "me").error == "Take another."
    assert desk.ask("bad").error == ""
    desk.jobs.leave("me")


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (MemoryError("too large"), "MemoryError: too large"),
        (OSError(28, "No space left on device", "/a/path"), "OSError: No space left on device"),
    ],
)
def test_what_nobody_expected_is_a_failure_with_its_kind(desk, problem, said):
    desk.ask("x")
    desk.end("x", problem)
    until(lambda: desk.jobs.poll("x", "me").error)
    assert desk.jobs.poll("x", "me").error == said


def test_no_more_wait_than_may_and_who_asks_next_is_told():
    desk = Desk(most_waiting=2)
    for key in "abc":
        desk.ask(key)
    assert desk.jobs.count() == (1, 2)
    with pytest.raises(ev.EmbedvizError, match=r"The queue is full \(waiting: 2\)"):
        desk.ask("d")
    assert desk.jobs.poll("d", "me") is None
    assert desk.ask("c", "another").place == 2  # who shares one takes no place
    desk.jobs.leave("me", "b")
    assert desk.ask("d").place == 2
    with pytest.raises(ev.EmbedvizError, match=r"The queue is full \(waiting: 2\)"):
        desk.jobs.ask("you", {key: desk.job(key) for key in "cef"})  # all or nothing
    assert desk.jobs.poll("c", "you") is None
    for visitor in ("me", "another"):
        desk.jobs.leave(visitor)


def test_closing_ends_the_one_that_runs_and_starts_no_other():
    def carry_out(job: Job, _is_wanted: Callable[[], bool]) -> bool:
        job.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        raise ev.EmbedvizError(f"ended with {job.process.wait()}")

    line = Jobs("copying", {}.get)
    running = Job(carry_out)
    line.ask("me", {"a": running, "b": Job(carry_out)})
    until(lambda: running.process)
    assert line.poll("b", "me").place == 1
    line.close()
    until(lambda: line.poll("a", "me").error)
    assert line.poll("b", "me") == Progress()
    assert line.count() == (0, 1)


def test_begin_and_end_are_logged_and_measured(desk, monkeypatch):
    events = []
    monkeypatch.setattr(
        log, "event", lambda name, **values: name.startswith(f"{desk.name} ") and events.append((name, values))
    )
    before = metrics.REGISTRY.get_sample_value("embedviz_work_seconds_count", {"of": desk.name}) or 0
    desk.ask("a")
    desk.end("a", ValueError("no"))
    until(lambda: desk.jobs.poll("a", "me").error)
    (begins, about), (ends, result) = events
    assert (begins, about) == (f"{desk.name} begins", {"steps": 3})
    assert (ends, result["failed"]) == (f"{desk.name} ends", True)
    assert 0 <= result["seconds"] < 30
    assert metrics.REGISTRY.get_sample_value("embedviz_work_seconds_count", {"of": desk.name}) == before + 1
