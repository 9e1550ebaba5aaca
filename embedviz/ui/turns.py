"""Scripts take turns. Python runs one thread at a time anyway; fifty that compete for it spend a third
of their time handing it over, and all of them finish last."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = threading.Lock()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn and hold it while the page runs."""
    with _TURN:
        yield


@contextmanager
def pause() -> Iterator[None]:
    """Let others have their turn during work that takes long; only inside a turn."""
    _TURN.release()
    try:
        yield
    finally:
        _TURN.acquire()
