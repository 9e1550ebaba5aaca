"""Runs of training for all visitors: one at a time, in a process of its own; the others wait in line.

Whoever asks for the same settings shares one run. It goes on as long as one of them keeps looking. Finished
runs are kept for the next visitor, within a budget of bytes.
"""

import contextlib
import math
import os
import subprocess
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cachetools

from embedviz.base import processes
from embedviz.base.errors import EmbedvizError
from embedviz.base.i18n import _
from embedviz.base.jobs import Job, Jobs, Progress
from embedviz.base.settings import ROOT, configured
from embedviz.training import worker
from embedviz.training.bundled import bundled
from embedviz.training.corpus import check_text
from embedviz.training.run import Run, unpack
from embedviz.training.train import TrainingSettings

MAX_WAITING = configured().waiting_runs
BUDGET_BYTES = 2**26


class Runs:
    """The line, whose progress has a Run as its result; what is made; and the process that makes it.

    Any thread may call any method; none of them waits for a training.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # One at a time: a second would take the core that serves the pages.
        self.jobs = Jobs(
            "training", self.finished, _refusal, most_waiting=MAX_WAITING, seconds=math.inf, clock=clock
        )  # fmt: skip
        self.look, self.leave, self.count = self.jobs.look, self.jobs.leave, self.jobs.count
        self._finished = cachetools.LRUCache(BUDGET_BYTES, getsizeof=lambda run: run.nbytes)
        self._process: subprocess.Popen | None = None
        self._lock = threading.RLock()  # of these two

    def finished(self, settings: TrainingSettings) -> Run | None:
        """The run with these settings, if it is bundled or was made and kept."""
        with self._lock:
            return bundled(settings) or self._finished.get(settings)

    def prepare(self) -> None:
        """Start the process, since somebody may soon ask for a run: it needs some seconds to load."""
        with contextlib.suppress(OSError):  # whoever asks for a run is told
            self._running()

    def ask(self, visitor: str, *wanted: TrainingSettings) -> None:
        """Put runs in line, unless they are there already; what the visitor wanted before is dropped.

        Raises EmbedvizError if a text does not fit, or too many wait; then none of them is in line.
        """
        for settings in wanted:
            check_text(settings.text, settings.context_length)
        self.leave(visitor)
        self.jobs.ask(
            visitor, {each: Job(partial(self._train, each), {"steps": each.steps}) for each in wanted}
        )  # fmt: skip

    def close(self) -> None:
        """End the process, whatever it does."""
        self.jobs.close()
        if self._process:
            self._process.kill()

    def _running(self) -> subprocess.Popen:
        """The process, started if it is not there."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                one_thread = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
                self._process = processes.start(
                    Path(worker.__file__),
                    cwd=ROOT,
                    env=os.environ | one_thread,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            return self._process

    def _train(self, settings: TrainingSettings, job: Job, is_wanted: Callable[[], bool]) -> bool:
        """Have a run made, and keep it; False if it was stopped."""
        try:
            job.process = self._running()
            return self._follow(settings, job, is_wanted)
        except (OSError, EOFError) as error:
            if job.process:
                job.process.kill()
                job.process.communicate()
            raise EmbedvizError(_("The training ended before its time. Press “Train” to try again.")) from error

    def _follow(self, settings: TrainingSettings, job: Job, is_wanted: Callable[[], bool]) -> bool:
        ask, answers = job.process.stdin, job.process.stdout
        worker.send_line(ask, worker.request(settings))
        began, is_stopping = 0.0, False
        while message := worker.receive(answers):
            run, now = unpack(message), self._clock()
            if run.is_finished:
                with self._lock:
                    self._finished[settings] = run
                return True
            began = began or now
            job.progress = Progress(result=run, seconds_left=_seconds_left(run, now - began))
            if not is_stopping and not is_wanted():
                worker.send_line(ask, worker.STOP)
                is_stopping = True
        return False


def _seconds_left(run: Run, seconds: float) -> float | None:
    """By the time since its first message, before which the time of one more went by."""
    done = len(run.losses)
    return (seconds + worker.EVERY) / done * (run.settings.steps - done) if done else None


def _refusal(waiting: int, more: int) -> str:
    return _(
        "There is no room in line: {n:,} of its {most:,} places are taken, and this takes {more:,}. "
        "Try again in a minute.",
        n=waiting,
        most=MAX_WAITING,
        more=more,
    )


runs = Runs()  # everybody's
