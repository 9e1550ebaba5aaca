"""Work that takes minutes: in processes of low priority, one after the other, each only once at a time.

A job lives as long as somebody asks for it: who leaves the page stops asking, and a job that nobody has
asked for during LEASE seconds is ended.
"""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from embedviz import log, metrics
from embedviz.errors import EmbedvizError
from embedviz.texts import N_, _, ngettext, translated

LEASE = 10.0  # seconds
_TICK = 0.1
_NICE = 15  # of 19: everybody else's work comes first
_KEPT = 60.0  # seconds for which a failure is remembered

Prepare = Callable[[Path], None]  # puts what the script needs into a folder
Finish = Callable[[Path], None]  # takes what the script left there


@dataclass(frozen=True)
class Status:
    """Of a job, for whoever waits.

    share: 0 to 1. place: how many jobs are before it. doing: in words, or what went wrong.
    """

    state: Literal["waiting", "running", "done", "failed"]
    share: float = 0.0
    doing: str = ""
    place: int = 0


@dataclass
class _Job:
    script: Path
    prepare: Prepare
    finish: Finish
    asked: dict[str, float] = field(default_factory=dict)  # by visitor, when last
    state: Literal["waiting", "running", "done", "failed"] = "waiting"
    doing: str = ""
    folder: Path | None = None
    process: subprocess.Popen | None = None
    ended: float = 0.0

    def is_wanted(self) -> bool:
        return any(time.monotonic() - last < LEASE for last in self.asked.values())


class Jobs:
    """A line of jobs by key, of which `at_once` run together and `most_waiting` may wait."""

    def __init__(self, at_once: int = 1, most_waiting: int = 1000) -> None:
        self._jobs: dict[str, _Job] = {}
        self._lock = threading.Lock()
        self.at_once, self._most_waiting = at_once, most_waiting
        self._is_closed = False

    def ask(self, key: str, visitor: str, script: Path, prepare: Prepare, finish: Finish) -> Status:
        """How far the job is; it is put in line if it is new. Ask again within LEASE seconds.

        Raises EmbedvizError if too many wait.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                self._check_line()
                job = self._jobs[key] = _Job(script, prepare, finish)
            job.asked[visitor] = time.monotonic()
            self._start_waiting()
            return self._status(key, job)

    def give_up(self, key: str, visitor: str) -> None:
        """This visitor wants it no longer, and a failure may be tried again."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            job.asked.pop(visitor, None)
            if job.state == "failed" or (job.state == "waiting" and not job.is_wanted()):
                del self._jobs[key]

    def count(self) -> tuple[int, int]:
        """How many jobs run, and how many wait."""
        with self._lock:
            states = [job.state for job in self._jobs.values()]
        return states.count("running"), states.count("waiting")

    def close(self) -> None:
        """End those that run, and start no more."""
        with self._lock:
            self._is_closed = True
            for job in self._jobs.values():
                if job.process:
                    job.process.kill()

    def _check_line(self) -> None:
        """Called with the lock held."""
        waiting = sum(job.state == "waiting" and job.is_wanted() for job in self._jobs.values())
        if waiting >= self._most_waiting:
            log.refused("projection", waiting=waiting)
            raise EmbedvizError(
                ngettext(
                    "{n:,} map waits in line, which is the most. Try again in some minutes.",
                    "{n:,} maps wait in line, which is the most. Try again in some minutes.",
                    waiting,
                )
            )

    def _status(self, key: str, job: _Job) -> Status:
        if job.state == "waiting":
            before = [other for name, other in self._jobs.items() if other.state in ("waiting", "running")]
            return Status("waiting", place=before.index(job))
        if job.state == "running" and job.folder:
            told = _progress(job.folder)
            return Status("running", told["share"], _doing(told))
        return Status(job.state, doing=job.doing)

    def _start_waiting(self) -> None:
        """Start what may start. Called with the lock held."""
        now = time.monotonic()
        for key, job in list(self._jobs.items()):
            is_over = job.state in ("done", "failed") and now - job.ended > _KEPT
            if is_over or (job.state == "waiting" and not job.is_wanted()):
                del self._jobs[key]
        running = sum(job.state == "running" for job in self._jobs.values())
        waiting = [(key, job) for key, job in self._jobs.items() if job.state == "waiting"]
        for key, job in waiting[: 0 if self._is_closed else max(self.at_once - running, 0)]:
            job.state = "running"
            threading.Thread(target=self._run, args=(key, job), name=f"job {key[:8]}", daemon=True).start()

    def _run(self, key: str, job: _Job) -> None:
        error = ""
        began = time.monotonic()
        log.event("projection begins")
        try:
            with tempfile.TemporaryDirectory(prefix="embedviz-") as name:
                job.folder = Path(name)
                job.prepare(job.folder)
                error = _process(job)
                if not error and job.is_wanted():
                    job.finish(job.folder)
        except OSError as problem:
            error = f"{type(problem).__name__}: {problem.strerror}"
        except Exception as problem:  # noqa: BLE001 the thread must not end without a word
            error = f"{type(problem).__name__}: {problem}"
        with self._lock:
            job.folder, job.ended = None, time.monotonic()
            metrics.work.labels("projection").observe(job.ended - began)
            log.event("projection ends", seconds=round(job.ended - began, 2), failed=bool(error))
            if not error and not job.is_wanted():
                del self._jobs[key]
            else:
                job.state, job.doing = ("failed", error) if error else ("done", "")
            self._start_waiting()


def _process(job: _Job) -> str:
    """Run the script until it ends or nobody wants it; return what went wrong, or nothing."""
    log = job.folder / "log.txt"
    with log.open("wb") as output:
        job.process = process = subprocess.Popen(  # noqa: S603 our own script
            [sys.executable, "-c", _START, str(_NICE), str(job.script), str(job.folder)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        while process.poll() is None:
            if not job.is_wanted():
                return ""
            time.sleep(_TICK)
    finally:
        process.kill()
        process.wait()
    lines = log.read_text(errors="replace").strip().splitlines()
    if process.returncode == 0:
        return ""
    return _("it ended with {code}: {line}", code=process.returncode, line=lines[-1] if lines else "")


# The process lowers its own priority, then becomes the script; without the folder of the script on its path.
_START = """
import os, runpy, sys
nice, script = int(sys.argv[1]), sys.argv[2]
getattr(os, "nice", lambda n: None)(nice)
sys.argv = sys.argv[2:]
runpy.run_path(script, run_name="__main__")
"""


def _doing(told: dict) -> str:
    """What a script said in English, with its numbers, in the server's language."""
    text, numbers = translated(told["doing"]), told.get("numbers")
    return text.format(**numbers) if numbers else text


def _progress(folder: Path) -> dict:
    try:
        return json.loads((folder / "progress.json").read_text())
    except (OSError, ValueError):  # not there yet, or half written
        return {"share": 0.0, "doing": N_("starting")}
