"""Runs of training for all visitors: one at a time, in a process of its own; the others wait in line.

Whoever asks for the same settings shares one run. It goes on as long as one of them keeps looking. Finished
runs are kept for the next visitor, within a budget of bytes.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import cachetools

from embedviz import log, metrics
from embedviz.corpus import check_text
from embedviz.errors import EmbedvizError
from embedviz.run import Run, unpack
from embedviz.settings import configured
from embedviz.texts import _
from embedviz.trained import bundled
from embedviz.training import Settings
from embedviz.worker import EVERY, STOP, receive, request, send_line

AT_A_TIME = 1  # runs; a second would take the core that serves the pages
MAX_WAITING = configured().waiting_runs
PATIENCE = 8.0  # seconds without a look after which a visitor has left
IDLE = 120.0  # seconds without a run after which the process ends: it holds some 300 MB
BUDGET_BYTES = 2**26
_ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class State:
    """How far a run is.

    place: 0 if it is its turn, else how many are before it. run: what there is so far, or None.
    seconds_left: an estimate, None while there is nothing to go by. error: why it ended, if it did.
    """

    place: int = 0
    run: Run | None = None
    seconds_left: float | None = None
    error: str = ""


@dataclass
class _Job:
    settings: Settings
    seen: dict[str, float] = field(default_factory=dict)  # when each visitor looked last
    run: Run | None = None
    began: float = 0.0  # when the first message came
    told: float = 0.0  # when the last one came

    def is_wanted(self, now: float) -> bool:
        return any(now - seen < PATIENCE for seen in self.seen.values())

    def seconds_left(self) -> float | None:
        done = 0 if self.run is None else len(self.run.losses)
        if not done:
            return None
        return (self.told - self.began + EVERY) / done * (self.settings.steps - done)


class Runs:
    """The line. Any thread may call any method; none of them waits for a training."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._jobs: dict[Settings, _Job] = {}  # in order of arrival
        self._finished = cachetools.LRUCache(BUDGET_BYTES, getsizeof=lambda run: run.nbytes)
        self._errors = cachetools.LRUCache(MAX_WAITING)
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen | None = None
        self._is_training = False

    def finished(self, settings: Settings) -> Run | None:
        """The run with these settings, if it is bundled or was made and kept."""
        with self._changed:
            return bundled(settings) or self._finished.get(settings)

    def prepare(self) -> None:
        """Start the process, since somebody may soon ask for a run: it needs some seconds to load."""
        with self._changed:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="training", daemon=True)
                self._thread.start()

    def ask(self, visitor: str, *wanted: Settings) -> None:
        """Put runs in line, unless they are there already; what the visitor wanted before is dropped.

        Raises EmbedvizError if a text does not fit, or too many wait; then none of them is in line.
        """
        for settings in wanted:
            check_text(settings.text, settings.context_length)
        with self._changed:
            self._leave(visitor)
            missing = [settings for settings in wanted if not self.finished(settings)]
            self._check_line(sum(settings not in self._jobs for settings in missing))
            for settings in missing:
                self._errors.pop(settings, None)
                self._jobs.setdefault(settings, _Job(settings)).seen[visitor] = self._clock()
            self.prepare()
            self._changed.notify_all()

    def _check_line(self, more: int) -> None:
        """Whether so many fit in, beside the first, which does not wait."""
        n = len(self._line())
        if more and n + more - 1 > MAX_WAITING:
            waiting = max(n - 1, 0)
            log.refused("training", waiting=waiting)
            raise EmbedvizError(
                _(
                    "There is no room in line: {n:,} of its {most:,} places are taken, and this takes {more:,}. "
                    "Try again in a minute.",
                    n=waiting,
                    most=MAX_WAITING,
                    more=more,
                )
            )

    def look(self, settings: Settings, visitor: str) -> State | None:
        """How far the run is, which also says that the visitor is still there; None if nobody asked for it."""
        with self._changed:
            if run := self.finished(settings):
                return State(run=run)
            if settings in self._errors:
                return State(error=self._errors[settings])
            job = self._jobs.get(settings)
            if job is None or visitor not in job.seen:
                return None
            job.seen[visitor] = self._clock()
            return State(self._line().index(job), job.run, job.seconds_left())

    def leave(self, visitor: str) -> None:
        """The visitor wants no run any more; one that nobody else wants ends."""
        with self._changed:
            self._leave(visitor)

    def count(self) -> tuple[int, int]:
        """How many runs are under way, and how many wait."""
        with self._changed:
            return int(self._is_training), max(len(self._line()) - self._is_training, 0)

    def close(self) -> None:
        """End the process, whatever it does."""
        with self._changed:
            self._jobs.clear()
            if self._process:
                self._process.kill()
            self._changed.notify_all()

    def _leave(self, visitor: str) -> None:
        for job in self._jobs.values():
            job.seen.pop(visitor, None)

    def _line(self) -> list[_Job]:
        """Those that somebody waits for, and the one that runs."""
        now = self._clock()
        return [job for n, job in enumerate(self._jobs.values()) if n == 0 or job.is_wanted(now)]

    def _serve(self) -> None:
        """Train one after the other until nobody has asked for a while."""
        self._running()
        while job := self._next():
            error = self._measured(job)
            with self._changed:
                job.run, job.began = None, 0.0
                if error:
                    self._errors[job.settings] = error
                if error or job.settings in self._finished or not job.is_wanted(self._clock()):
                    self._jobs.pop(job.settings, None)  # else it was stopped, but somebody came back

    def _next(self) -> _Job | None:
        with self._changed:
            until = time.monotonic() + IDLE
            while True:
                now = self._clock()
                for job in [job for job in self._jobs.values() if not job.is_wanted(now)]:
                    del self._jobs[job.settings]
                if self._jobs:
                    return next(iter(self._jobs.values()))
                if not self._changed.wait(until - time.monotonic()) and not self._jobs:
                    self._end_process()
                    self._thread = None
                    return None

    def _measured(self, job: _Job) -> str:
        began = time.monotonic()
        log.event("training begins", steps=job.settings.steps)
        self._is_training = True
        error = self._train(job)
        self._is_training = False
        seconds = time.monotonic() - began
        metrics.work.labels("training").observe(seconds)
        log.event("training ends", seconds=round(seconds, 2), failed=bool(error))
        return error

    def _train(self, job: _Job) -> str:
        """Have a run made; returns what went wrong, if something did."""
        try:
            process = self._running()
            send_line(process.stdin, request(job.settings))
            stopping = False
            while message := receive(process.stdout):
                if self._take(job, unpack(message)):
                    return ""
                if not stopping and not self._is_wanted(job):
                    send_line(process.stdin, STOP)
                    stopping = True
            if message is not None:
                return ""  # it was stopped
        except OSError:
            pass
        self._end_process()
        return _("The training ended before its time. Press “Train” to try again.")

    def _take(self, job: _Job, run: Run) -> bool:
        """Note how far it is; True if it is finished."""
        with self._changed:
            job.told = self._clock()
            job.began = job.began or job.told
            job.run = run
            if run.is_finished:
                self._finished[job.settings] = run
            return run.is_finished

    def _is_wanted(self, job: _Job) -> bool:
        with self._changed:
            return job.is_wanted(self._clock())

    def _running(self) -> subprocess.Popen:
        if self._process is None or self._process.poll() is not None:
            one_thread = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
            self._process = subprocess.Popen(
                [sys.executable, "-m", "embedviz.worker"],
                cwd=_ROOT,
                env=os.environ | one_thread,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def _end_process(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
        self._process = None


runs = Runs()  # everybody's
