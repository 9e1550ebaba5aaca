"""Runs in line, with real threads and a real process: order, sharing, cancelling, leaving, and what is kept."""

import io
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.concurrency import pipe_messages
from embedviz.base.concurrency.jobs import LEASE
from embedviz.base.settings import ROOT
from embedviz.training import queue as module
from embedviz.training import worker
from embedviz.training.queue import Runs
from embedviz.training.run import follow, unpack
from embedviz.training.train import TrainingSettings

pytestmark = pytest.mark.xdist_group("programs")  # in one worker, which starts the processes of both once

SHORT = TrainingSettings(steps=5, output_dim=8, n_layers=1, seed=1)
LONG = TrainingSettings(steps=1000, output_dim=64, n_layers=4, seed=1)
# The process, but once it has answered it waits for no time at all. It holds the other end of its input itself.
IMPATIENT = f"""
import os, sys
sys.path.insert(0, {str(ROOT)!r})
from embedviz.base.concurrency import pipe_messages
from embedviz.training import worker
answer = worker._answer
def last_answer(*asked):
    answer(*asked)
    worker.IDLE = 0
worker._answer = last_answer
end, other_end = os.pipe()
pipe_messages.send(os.fdopen(other_end, "wb", closefd=False), {worker.request(SHORT)!r})
os.dup2(end, 0)
os.dup2(os.open("answers", os.O_WRONLY | os.O_CREAT), 1)
worker.main()
"""


class Clock:
    """Real time, which a test may also move ahead."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def shared(clock) -> Iterator[Runs]:
    found = Runs(clock)
    yield found
    found.close()


def wait(until: Callable[[], object], seconds: float = 240) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def is_finished(line: Runs, settings: TrainingSettings, visitor: str) -> bool:
    state = line.poll(settings, visitor)
    return bool(state and state.result and state.result.is_finished)


def test_a_run_in_the_process_is_the_run_here(shared):
    shared.ask("x", SHORT)
    wait(lambda: is_finished(shared, SHORT, "x"))
    *_, here = follow(SHORT)
    assert shared.finished(SHORT).losses == pytest.approx(here.losses, abs=1e-4)
    assert np.array_equal(shared.finished(SHORT).tokens[0], here.tokens[0])


def test_the_process_yields_to_everybody_elses_work(shared):
    shared.prepare()
    wait(lambda: os.getpriority(os.PRIO_PROCESS, shared.process.pid) == min(os.nice(0) + 10, 19))


def test_a_process_that_nobody_asks_ends_by_itself(run, tmp_path: Path):
    assert run(IMPATIENT) == []  # though its input is still open
    answers = io.BytesIO((tmp_path / "answers").read_bytes())
    while not unpack(*pipe_messages.receive(answers)).is_finished:
        pass
    with pytest.raises(EOFError):
        pipe_messages.receive(answers)


def test_a_server_may_allow_fewer_steps(shared, monkeypatch):
    monkeypatch.setattr(module, "MAX_STEPS", 300)
    with pytest.raises(ev.EmbedvizError, match="steps must be a whole number from 1 to 300, not 301"):
        shared.ask("x", TrainingSettings(steps=301))
    assert shared.poll(TrainingSettings(steps=301), "x") is None


def test_others_wait_in_line_and_see_their_place_and_cancelling_lets_them_on(shared):
    shared.ask("first", LONG)
    wait(lambda: (state := shared.poll(LONG, "first")) and state.seconds_left)
    others = [TrainingSettings(steps=5, output_dim=8, seed=10 + n) for n in range(3)]
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(lambda n: shared.ask(f"v{n}", others[n]), range(3)))
    places = sorted(shared.poll(others[n], f"v{n}").place for n in range(3))
    assert places == [1, 2, 3]
    shared.leave("first")
    wait(lambda: all(is_finished(shared, others[n], f"v{n}") for n in range(3)))
    assert shared.finished(LONG) is None
    assert shared.poll(LONG, "first") is None


def test_who_asks_for_the_same_shares_one_run_and_one_may_leave(shared):
    settings = TrainingSettings(steps=40, output_dim=64, n_layers=4, seed=3)
    shared.ask("a", settings)
    shared.ask("b", settings)
    assert shared.jobs.visitors(settings) == {"a", "b"}  # of other tests' runs one may still be ending
    wait(lambda: shared.poll(settings, "a").result)
    shared.leave("a")
    wait(lambda: is_finished(shared, settings, "b"))


def test_a_process_that_dies_is_said_and_the_next_run_works(shared):
    shared.ask("x", LONG)
    wait(lambda: (state := shared.poll(LONG, "x")) and state.seconds_left)
    shared.process.kill()
    wait(lambda: (state := shared.poll(LONG, "x")) and state.error)
    assert "Press “Train” to try again." in shared.poll(LONG, "x").error
    again = TrainingSettings(steps=5, output_dim=8, seed=44)
    shared.ask("x", again)
    wait(lambda: is_finished(shared, again, "x"))


def test_who_does_not_look_any_more_has_left(shared, clock):
    shared.ask("x", LONG)
    wait(lambda: (state := shared.poll(LONG, "x")) and state.seconds_left is not None)
    clock.ahead += LEASE
    wait(lambda: not shared.jobs.keys())
    assert shared.finished(LONG) is None


def test_a_text_that_does_not_fit_is_refused_before_the_line(shared):
    with pytest.raises(ev.EmbedvizError, match="Take a longer text"):
        shared.ask("x", TrainingSettings(text="the cat"))


def test_a_full_line_says_so(monkeypatch):
    monkeypatch.setattr(module, "MAX_WAITING", 3)
    line = Runs()
    try:
        line.ask("x", LONG)
        wait(lambda: line.count() == (1, 0))
        line.ask("y", TrainingSettings(seed=77), TrainingSettings(seed=78))
        with pytest.raises(ev.EmbedvizError, match=r"The queue is full \(waiting: 2\)"):
            line.ask("z", TrainingSettings(seed=79), TrainingSettings(seed=80))
        assert line.count() == (1, 2)  # all that a view needs, or nothing
        assert line.poll(TrainingSettings(seed=79), "z") is None
        line.ask(
            "z", TrainingSettings(seed=77), TrainingSettings(seed=79)
        )  # one that somebody has asked for takes no place
        assert line.count() == (1, 3)
    finally:
        line.close()


def test_what_is_kept_is_bounded_in_bytes(shared):
    assert shared.finished_runs.maxsize == module.BUDGET_BYTES
    assert shared.finished_runs.currsize == sum(run.nbytes for run in shared.finished_runs.values())


RECALLED = """
from embedviz.training.queue import Runs
from embedviz.training.train import TrainingSettings
import time
line = Runs()
settings = TrainingSettings(text={text!r}, steps=5, output_dim=8, seed=1)
line.ask("x", settings)
while not line.finished(settings):
    line.poll(settings, "x")  # or nobody seems to want it any more
    time.sleep(0.02)
line.close()
"""


def test_a_run_that_another_server_has_finished_is_recalled_and_its_text_is_not_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path))
    text = "the secret cat saw the dog , and the dog saw the secret cat ; " * 3
    subprocess.run([sys.executable, "-c", RECALLED.format(text=text)], cwd=ROOT, check=True)
    settings = TrainingSettings(text=text, steps=5, output_dim=8, seed=1)
    line = Runs()
    assert line.poll(settings, "x") is None  # "Train" still trains: nobody here has asked for it
    found = line.recall(settings).result
    *_, here = follow(settings)
    assert (found.settings, found.vocabulary) == (settings, here.vocabulary)
    assert np.allclose(found.losses, here.losses, atol=1e-4)
    assert line.poll(settings, "x").result is found
    [kept] = tmp_path.iterdir()
    assert b"secret" not in kept.read_bytes()
    assert line.recall(TrainingSettings(text=text, steps=5, output_dim=8, seed=2)) is None
    kept.write_bytes(kept.read_bytes()[:-1])
    assert Runs().recall(settings) is None
