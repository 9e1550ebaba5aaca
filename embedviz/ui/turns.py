"""Scripts take turns. Python runs one thread at a time anyway; fifty that compete for it spend a third
of their time handing it over, and all of them finish last."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_TURN = threading.Lock()
_MINE = threading.local()


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn and hold it while a page runs, or a part of one; a part inside its page has it already."""
    if getattr(_MINE, "held", False):
        yield
        return
    with _TURN:
        _MINE.held = True
        try:
            yield
        finally:
            _MINE.held = False


@contextmanager
def pause() -> Iterator[None]:
    """Let others have their turn during work that takes long; only inside a turn."""
    _TURN.release()
    try:
        yield
    finally:
        _TURN.acquire()
