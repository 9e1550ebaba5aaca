"""The turn, which one page script has at a time (`ui/turns.py` says why), and which nobody keeps while waiting."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

_T = TypeVar("_T")
PATIENCE = 1.0  # seconds after which those who wait for a turn are passed by nobody
_LOOK = 0.05  # seconds between two looks at whether the visitor still wants what is waited for
# since: when this thread took the turn; None without it. had: for how many seconds before. asked: when its run wanted
# its first turn. leave: see `on_wait`.
_THREAD = threading.local()


class _Line:
    """A lock that nobody waits for in vain: after PATIENCE seconds it goes to whoever asked first.

    Until then whoever comes while it is free takes it, as with an ordinary lock, and no thread waits for another one to
    wake up. With an ordinary lock alone, newcomers pass those who wait: on a third of a core, half of 300 visitors
    waited for less than 2 s, and one in twenty for more than 30 (`make bench-load PROCESSES=2`).
    """

    def __init__(self) -> None:
        self._mutex, self._count = threading.Lock(), itertools.count()
        self.waiting: list[tuple[float, int, _Gate]] = []
        self.is_held = False

    def acquire(self, asked: float) -> None:
        gate = self._take_or_wait(asked)
        while gate and not gate.opened():
            gate = self._take_or_wait(asked)

    def release(self) -> None:
        with self._mutex:
            self.is_held = False
            if self.waiting:
                asked, _n, gate = heapq.heappop(self.waiting)
                self.is_held = time.perf_counter() - asked > PATIENCE
                gate.open(with_lock=self.is_held)

    def _take_or_wait(self, asked: float) -> "_Gate | None":
        """Take the lock if it is free; else the gate at which to wait."""
        with self._mutex:
            if not self.is_held:
                self.is_held = True
                return None
            gate = _Gate()
            heapq.heappush(self.waiting, (asked, next(self._count), gate))
            return gate


class _Gate:
    """Where one thread waits until it is told to go on, with the lock or to try for it."""

    def __init__(self) -> None:
        self._lock, self._with_lock = threading.Lock(), False
        self._lock.acquire()

    def open(self, *, with_lock: bool) -> None:
        self._with_lock = with_lock
        self._lock.release()

    def opened(self) -> bool:
        """Wait, and return whether the lock came with it."""
        self._lock.acquire()
        return self._with_lock


_LINE = _Line()


def acquire(asked: float | None = None) -> None:
    """Wait for the turn, unless this thread has it. asked: when its run asked for the first one; None if it has."""
    if getattr(_THREAD, "since", None) is None:
        _THREAD.asked = asked or getattr(_THREAD, "asked", time.perf_counter())
        _LINE.acquire(_THREAD.asked)
        _THREAD.since = time.perf_counter()


def release() -> float:
    """Let others have the turn, if this thread has it, and go on. Returns for how many seconds it has had turns."""
    since, _THREAD.since = getattr(_THREAD, "since", None), None
    _THREAD.had = getattr(_THREAD, "had", 0.0) + (time.perf_counter() - since if since is not None else 0.0)
    if since is not None:
        _LINE.release()
    return _THREAD.had


def is_held() -> bool:
    """True if a thread has the turn."""
    return _LINE.is_held


def n_waiting() -> int:
    """How many threads wait for the turn."""
    return len(_LINE.waiting)


def on_wait(leave: Callable[[], None]) -> None:
    """Call this function while this thread waits. It ends the thread's run if its visitor has asked for another one."""
    _THREAD.leave = leave


def wait_for(work: Future[_T]) -> _T:
    """What another thread makes. Nobody waits for it while having the turn, or after the visitor has gone on."""
    release()
    try:
        while not wait([work], _LOOK).done:
            _leave_if_asked()
        return work.result()
    finally:
        del work  # it holds an error, if there was one, and the error would hold this frame


class Waiting(threading.Condition):
    """A condition for which nobody waits while having the turn, or after the visitor has gone on."""

    def wait(self, timeout: float | None = None) -> bool:
        """Give up the turn, and wait. Without a timeout the condition is looked at time and again."""
        release()
        _leave_if_asked()
        return super().wait(_LOOK if timeout is None else timeout)


def _leave_if_asked() -> None:
    getattr(_THREAD, "leave", lambda: None)()
