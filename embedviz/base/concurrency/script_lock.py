"""The turn, which one page script has at a time (`ui/turns.py` says why), and which nobody keeps while waiting."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

_T = TypeVar("_T")
_LOOK = 0.05  # seconds between two looks at whether the visitor still wants what is waited for
_LOCK = threading.Lock()
# since: when this thread took the turn; None without it. had: for how many seconds before. leave: see `on_wait`.
_THREAD = threading.local()


def acquire() -> None:
    """Wait for the turn, unless this thread has it."""
    if getattr(_THREAD, "since", None) is None:
        _LOCK.acquire()
        _THREAD.since = time.perf_counter()


def release() -> float:
    """Let others have the turn, if this thread has it, and go on. Returns for how many seconds it has had turns."""
    since, _THREAD.since = getattr(_THREAD, "since", None), None
    _THREAD.had = getattr(_THREAD, "had", 0.0) + (time.perf_counter() - since if since is not None else 0.0)
    if since is not None:
        _LOCK.release()
    return _THREAD.had


def is_held() -> bool:
    """True if a thread has the turn."""
    return _LOCK.locked()


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
