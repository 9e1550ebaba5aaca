"""Jobs in processes of their own: one at a time, shared, ended when nobody asks any more."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import embedviz as ev
from embedviz import jobs
from embedviz.jobs import Jobs, Status

SCRIPT = """
import json, os, sys, time
from pathlib import Path
folder = Path(sys.argv[1])
wish = (folder / "wish").read_text()
(folder / "progress.json").write_text(json.dumps({"share": 0.5, "doing": "half"}))
if wish == "fail":
    raise SystemExit("no luck")
if wish == "wait":
    time.sleep(60)
(folder / "output").write_text(f"{os.nice(0)} {os.getpid()}")
"""


class Desk:
    """A line of jobs whose results come into a list."""

    def __init__(self, folder: Path, at_once: int = 1, most_waiting: int = 1000) -> None:
        self.jobs = Jobs(at_once, most_waiting)
        self.script = folder / "script.py"
        self.script.write_text(SCRIPT)
        self.results: list[str] = []
        self.prepared = 0

    def ask(self, key: str, visitor: str = "me", wish: str = "go") -> Status:
        def prepare(folder: Path) -> None:
            self.prepared += 1
            (folder / "wish").write_text(wish)

        def finish(folder: Path) -> None:
            self.results.append((folder / "output").read_text())

        return self.jobs.ask(key, visitor, self.script, prepare, finish)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_job_runs_with_low_priority_and_its_result_is_taken(desk):
    until(lambda: desk.ask("a").state == "done")
    priority, process = map(int, desk.results[0].split())
    assert priority > os.nice(0)
    assert process != os.getpid()


def test_progress_is_told(desk):
    until(lambda: desk.ask("a", wish="wait").share == 0.5)
    assert desk.ask("a") == Status("running", 0.5, "half")
    desk.jobs.give_up("a", "me")


def test_who_asks_for_the_same_shares_one_job(desk):
    for visitor in "abc":
        desk.ask("same", visitor, "wait")
    until(lambda: desk.prepared == 1)
    desk.jobs.give_up("same", "a")
    assert desk.ask("same", "b").state == "running"
    for visitor in "bc":
        desk.jobs.give_up("same", visitor)
    until(lambda: not desk.jobs._jobs)
    assert desk.prepared == 1
    assert desk.results == []


def test_others_wait_in_line_and_see_their_place(desk):
    desk.ask("first", wish="wait")
    assert [desk.ask(key).place for key in ("second", "third")] == [1, 2]
    desk.jobs.give_up("first", "me")
    until(lambda: desk.ask("third").state == "done" and desk.ask("second").state == "done")
    assert len(desk.results) == 2


def test_a_job_that_nobody_asks_for_ends(desk, monkeypatch):
    monkeypatch.setattr(jobs, "LEASE", 0.4)
    desk.ask("left", wish="wait")
    until(lambda: not desk.jobs._jobs)
    assert desk.results == []


def test_who_waits_and_leaves_is_forgotten(desk):
    desk.ask("first", wish="wait")
    desk.ask("second")
    desk.jobs.give_up("second", "me")
    assert list(desk.jobs._jobs) == ["first"]
    desk.jobs.give_up("first", "me")


def test_a_failure_is_said_and_may_be_tried_again(desk):
    until(lambda: desk.ask("bad", wish="fail").state == "failed")
    assert desk.ask("bad").doing == "it ended with 1: no luck"
    desk.jobs.give_up("bad", "me")
    until(lambda: desk.ask("bad").state == "done")


def test_an_error_while_preparing_is_a_failure(desk):
    def prepare(folder: Path) -> None:
        raise MemoryError("too large")

    until(lambda: desk.jobs.ask("x", "me", desk.script, prepare, prepare).state == "failed")
    assert desk.jobs.ask("x", "me", desk.script, prepare, prepare).doing == "MemoryError: too large"


def test_no_more_wait_than_may_and_who_asks_next_is_told(tmp_path):
    desk = Desk(tmp_path, most_waiting=2)
    try:
        for key in "abc":
            desk.ask(key, wish="wait")
        assert desk.jobs.count() == (1, 2)
        with pytest.raises(ev.EmbedvizError, match="2 maps wait in line, which is the most"):
            desk.ask("d")
        assert desk.ask("c", "another").state == "waiting"  # who shares one takes no place
        desk.jobs.give_up("b", "me")
        assert desk.ask("d", wish="wait").state == "waiting"
    finally:
        desk.jobs.close()
    until(lambda: desk.jobs.count()[0] == 0)


def test_closing_ends_the_one_that_runs_and_starts_no_other(desk):
    desk.ask("a", wish="wait")
    desk.ask("b", wish="wait")
    until(lambda: desk.ask("a").share == 0.5)
    desk.jobs.close()
    until(lambda: desk.ask("a").state == "failed")
    assert desk.ask("b").state == "waiting"
    assert desk.jobs.count() == (0, 1)
