"""The turn, which one page script has at a time (`ui/turns.py` says why), and which nobody keeps while waiting."""

import threading
import time

_TURN = threading.Lock()
_MINE = threading.local()  # since: when this thread took the turn; None without it. had: for how many seconds before


def take() -> None:
    """Wait for the turn, unless this thread has it."""
    if getattr(_MINE, "since", None) is None:
        _TURN.acquire()
        _MINE.since = time.perf_counter()


def give_up() -> float:
    """Let others have the turn, if this thread has it; the thread goes on without, and never waits for it here.

    So this may be called where other threads wait for what this one does, one of which may then have the turn.
    Returns for how many seconds this thread has had turns in all.
    """
    since, _MINE.since = getattr(_MINE, "since", None), None
    _MINE.had = getattr(_MINE, "had", 0.0) + (time.perf_counter() - since if since is not None else 0.0)
    if since is not None:
        _TURN.release()
    return _MINE.had


class Waiting(threading.Condition):
    """A condition for which nobody waits while having the turn."""

    def wait(self, timeout: float | None = None) -> bool:
        """Give up the turn, and wait."""
        give_up()
        return super().wait(timeout)
