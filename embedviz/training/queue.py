"""Training runs for all visitors. One run at a time goes on in a separate process, while the others wait in line.

Visitors who ask for the same settings share one run, which goes on as long as one of them keeps looking.
Finished runs are kept for the next visitor, within a budget of bytes, and on disk for other servers of this machine.
"""

import contextlib
import hashlib
import json
import math
import os
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, cast

import cachetools

from embedviz import __version__
from embedviz.base import disk_cache
from embedviz.base.checks import check_whole
from embedviz.base.concurrency import pipe_messages, processes
from embedviz.base.concurrency.jobs import Job, Jobs, Progress
from embedviz.base.errors import EmbedvizError
from embedviz.base.settings import PACKAGE, configured
from embedviz.training import worker
from embedviz.training.corpus import check_text, words_of
from embedviz.training.run import Run, pack, unpack
from embedviz.training.train import MAX_STEPS, TrainingSettings

MAX_WAITING = configured().waiting_runs
BUDGET_BYTES = 2**26
_MADE_BY = __version__, version("torch")  # other versions may come to other numbers


class Runs:
    """The line of training runs, the finished runs, and the process that trains. A Progress has a Run as its result.

    Any thread may call any method; none of them waits for a training.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        # Only one run goes on at a time, since a second one would take the processor core that serves the pages.
        self.jobs = Jobs("training", self.finished, most_waiting=MAX_WAITING, seconds=math.inf, clock=clock)
        self.poll, self.leave, self.count = self.jobs.poll, self.jobs.leave, self.jobs.count
        self.finished_runs = cachetools.LRUCache[TrainingSettings, Run](BUDGET_BYTES, getsizeof=lambda run: run.nbytes)
        self.process: subprocess.Popen | None = None
        self._lock = threading.RLock()  # guards the finished runs and the process

    def finished(self, settings: TrainingSettings) -> Run | None:
        """The run with these settings if it was made and kept; else None."""
        with self._lock:
            return self.finished_runs.get(settings)

    def all_finished(self) -> list[Run]:
        """All finished runs that were kept."""
        with self._lock:
            return list(self.finished_runs.values())

    def recall(self, settings: TrainingSettings) -> Progress | None:
        """The finished run that any server of this machine has kept on disk; None if there is none."""
        if not (found := disk_cache.load_bytes(file_name(settings))):
            return None
        run = replace(unpack(found), settings=settings, vocabulary=words_of(settings.text))
        with self._lock:
            self.finished_runs[settings] = run
        return Progress(result=run)

    def prepare(self) -> None:
        """Start the process before somebody asks for a run, because it needs some seconds to load."""
        with contextlib.suppress(OSError):  # a visitor who asks for a run is told
            self._running()

    def ask(self, visitor: str, *wanted: TrainingSettings) -> None:
        """Put runs in line unless they are there already. Other runs that the visitor wanted before are dropped.

        Raises EmbedvizError if a text does not fit, or if too many runs wait; then none of these runs is in line.
        """
        for settings in wanted:
            check_text(settings.text, settings.context_length)
            check_whole("steps", settings.steps, 1, MAX_STEPS)
        self.leave(visitor)
        self.jobs.ask(
            visitor, {each: Job(partial(self._train, each), {"steps": each.steps}) for each in wanted}
        )  # fmt: skip

    def close(self) -> None:
        """End the process, even in the middle of a run."""
        self.jobs.close()
        if self.process:
            self.process.kill()

    def _running(self) -> subprocess.Popen:
        """The process, which is started if it does not run."""
        with self._lock:
            if self.process is None or self.process.poll() is not None:
                one_thread = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
                self.process = processes.start(
                    Path(worker.__file__),
                    cwd=PACKAGE.parent,
                    env=os.environ | one_thread,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            return self.process

    def _train(self, settings: TrainingSettings, job: Job, is_wanted: Callable[[], bool]) -> bool:
        """Have a run made, and keep it. Returns False if it was stopped."""
        try:
            job.process = process = self._running()
            return self._follow(settings, job, process, is_wanted)
        except (OSError, EOFError) as error:
            if job.process:
                job.process.kill()
                job.process.communicate()
            raise EmbedvizError("The training ended before its time. Press “Train” to try again.") from error

    def _follow(
        self, settings: TrainingSettings, job: Job, process: subprocess.Popen, is_wanted: Callable[[], bool]
    ) -> bool:
        ask, answers = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)  # both are pipes
        pipe_messages.send(ask, worker.request(settings))
        began, is_stopping = 0.0, False
        while message := pipe_messages.receive(answers):
            run, now = unpack(*message), self._clock()
            if run.is_finished:
                disk_cache.save_bytes(
                    file_name(settings), pack(replace(run, settings=TrainingSettings(), vocabulary=()))
                )
                with self._lock:
                    self.finished_runs[settings] = run
                return True
            began = began or now
            job.progress = Progress(result=run, seconds_left=_seconds_left(run, now - began))
            if not is_stopping and not is_wanted():
                pipe_messages.send(ask, [])
                is_stopping = True
        return False


def file_name(settings: TrainingSettings) -> str:
    """The file of a run on disk. Neither its name nor what is in it tells a visitor's text."""
    return f"{hashlib.sha256(json.dumps([asdict(settings), *_MADE_BY]).encode()).hexdigest()[:32]}.run"


def _seconds_left(run: Run, seconds: float) -> float | None:
    """Estimate the rest of a run from the seconds since its first message, which itself took one interval to come."""
    done = len(run.losses)
    return (seconds + worker.EVERY) / done * (run.settings.steps - done) if done else None


runs = Runs()  # shared by all visitors
