"""A queue for long work: whose turn it is, who still waits for a result, how many may wait, and what has failed.

Visitors who ask for the same thing share one job. A job runs as long as at least one of them asks how far it is.
Visitors who have left the page no longer ask. The owner of a job decides how it is carried out and what is kept of it.
"""

import subprocess
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import cachetools

from embedviz.base import log, metrics
from embedviz.base.errors import EmbedvizError

LEASE = 10.0  # seconds after which a visitor who has not looked counts as gone
_MAX_FAILURES = 1000  # the most failures that are remembered at a time


@dataclass(frozen=True)
class Progress:
    """How far a job is, for a visitor who waits for it.

    place: 0 if it is the job's turn, else the number of jobs before it. share: the part that is done, 0 to 1.
    numbers: what is counted of it, by name. seconds_left: an estimate, or None while there is nothing to base it on.
    result: the result so far, or None. error: why the job failed, if it did.
    """

    place: int = 0
    share: float = 0.0
    numbers: Mapping[str, float] = field(default_factory=dict)
    seconds_left: float | None = None
    result: Any = None
    error: str = ""


@dataclass(eq=False)
class Job:
    """A job and what is known of it.

    carry_out: the function that does the job in a thread of its own, and sets the job's `process` and `progress` as
        it goes. Its second argument is a function that says whether somebody still wants the job. It returns True once
        the job is finished and its result kept, and False if it stopped because nobody wanted it. It may raise errors.
    about: what the log says of the job.
    """

    carry_out: Callable[["Job", Callable[[], bool]], bool]
    about: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress = Progress()
    process: subprocess.Popen | None = None
    looked: dict[str, float] = field(default_factory=dict)  # when each visitor last looked
    is_running: bool = False


class Jobs:
    """A line of jobs by key. At most `at_once` of them run together, and at most `most_waiting` wait.

    name: the name of the work in log and metrics. kept_result: gives the result of a finished job, or None. seconds:
    how long a failure is remembered. Any thread may call any method; none of them waits for a job.
    """

    def __init__(
        self,
        name: str,
        kept_result: Callable[[Any], object],
        *,
        at_once: int = 1,
        most_waiting: int = 1000,
        seconds: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.at_once, self._most_waiting = at_once, most_waiting
        self._name, self.kept, self._clock = name, kept_result, clock
        self._jobs: dict[Hashable, Job] = {}  # in order of arrival
        self._failures: cachetools.TTLCache = cachetools.TTLCache(_MAX_FAILURES, seconds, clock)
        self._lock = threading.RLock()  # the signal to stop may come while the same thread holds the lock
        self._is_closed = False

    def ask(self, visitor: str, wanted: Mapping[Hashable, Job]) -> None:
        """Put jobs in line, all or none; look again within LEASE seconds. Raises EmbedvizError if too many wait."""
        with self._lock:
            missing = {key: job for key, job in wanted.items() if self.kept(key) is None}
            self._check_queue(sum(key not in self._jobs for key in missing))
            for key, job in missing.items():
                self._failures.pop(key, None)
                self._jobs.setdefault(key, job).looked[visitor] = self._clock()
            self._start()

    def poll(self, key: Hashable, visitor: str) -> Progress | None:
        """How far the job is, or None if the visitor has not asked for it. A look shows that the visitor is there."""
        with self._lock:
            if (result := self.kept(key)) is not None:
                return Progress(result=result)
            if problem := self._failures.get(key):
                return Progress(error=str(problem))
            job = self._jobs.get(key)
            if job is None or visitor not in job.looked:
                return None
            job.looked[visitor] = self._clock()
            return replace(job.progress, place=0 if job.is_running else self._queue().index(job))

    def leave(self, visitor: str, *keys: Hashable) -> None:
        """Note that a visitor no longer wants these jobs, or without keys any job. Those that failed may be retried."""
        with self._lock:
            for key in keys:
                self._failures.pop(key, None)
            for key, job in list(self._jobs.items()):
                if key in keys or not keys:
                    job.looked.pop(visitor, None)
                    if not job.looked and not job.is_running:
                        del self._jobs[key]

    def keys(self) -> list[Hashable]:
        """The jobs that run or wait, in order of arrival, as somebody may have left them a moment ago."""
        with self._lock:
            return list(self._jobs)

    def visitors(self, key: Hashable) -> set[str]:
        """Who has asked for a job and has not left it."""
        with self._lock:
            return set(self._jobs[key].looked)

    def count(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        with self._lock:
            running = sum(job.is_running for job in self._jobs.values())
            return running, len(self._queue()) - running

    def close(self) -> None:
        """End the jobs that run, and start no more."""
        with self._lock:
            self._is_closed = True
            for job in self._jobs.values():
                if job.process:
                    job.process.kill()

    def _is_wanted(self, job: Job) -> bool:
        with self._lock:
            return any(self._clock() - last < LEASE for last in job.looked.values())

    def _queue(self) -> list[Job]:
        """The jobs that run, and those that somebody waits for."""
        return [job for job in self._jobs.values() if job.is_running or self._is_wanted(job)]

    def _check_queue(self, n_more: int) -> None:
        """Raise EmbedvizError if so many more jobs do not fit in, beside those whose turn it is."""
        beyond = len(self._queue()) - self.at_once
        if n_more and beyond + n_more > self._most_waiting:
            waiting = max(beyond, 0)
            log.refused(self._name, waiting=waiting)
            raise EmbedvizError("The queue is full (waiting: {n:,}). Try again in a few minutes.", n=waiting)

    def _start(self) -> None:
        """Start the jobs whose turn it is. Jobs that nobody waits for are dropped only now: a visitor may come back."""
        free = 0 if self._is_closed else self.at_once - self.count()[0]
        if free <= 0:
            return
        line = self._queue()
        self._jobs = {key: job for key, job in self._jobs.items() if job in line}
        for key, job in [(key, job) for key, job in self._jobs.items() if not job.is_running][:free]:
            job.is_running = True
            threading.Thread(target=self._run, args=(key, job), name=self._name, daemon=True).start()

    def _run(self, key: Hashable, job: Job) -> None:
        is_over, problem = self._carried_out(job)
        with self._lock:
            job.is_running, job.progress, job.process = False, Progress(), None
            if problem:
                self._failures[key] = problem
            if is_over or not self._is_wanted(job):
                del self._jobs[key]  # otherwise it was stopped, but somebody came back
            self._start()

    def _carried_out(self, job: Job) -> tuple[bool, EmbedvizError | str | None]:
        """Carry a job out. Returns whether it is over, and what went wrong, without the frames of those it ended."""
        began = time.monotonic()
        log.event(f"{self._name} begins", **job.about)
        is_over, problem = True, None
        try:
            is_over = job.carry_out(job, partial(self._is_wanted, job))
        except Exception as error:  # noqa: BLE001 the thread must not end without a word
            problem = _stored_error(error)
        seconds = time.monotonic() - began
        metrics.work.labels(self._name).observe(seconds)
        log.event(f"{self._name} ends", seconds=round(seconds, 2), failed=bool(problem))
        return is_over, problem


def _stored_error(error: Exception) -> EmbedvizError | str:
    """What went wrong: an error message of our own as it is, any other with the type of its exception."""
    if isinstance(error, EmbedvizError):
        return error.without_frames()
    return f"{type(error).__name__}: {error.strerror if isinstance(error, OSError) else error}"
