"""Scripts take turns. Python runs one thread at a time anyway; fifty that compete for it spend a third
of their time handing it over, and all of them finish last."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from embedviz import metrics
from embedviz.ui.told import tell_slowed

_TURN = threading.Lock()
_MINE = threading.local()
_open: set[int] = set()  # threads that run or wait


def n_open() -> int:
    """How many pages and parts run, or wait for a turn."""
    return len(_open)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn and hold it while a page runs, or a part of one; a part inside its page has it already."""
    if getattr(_MINE, "held", False):
        yield
        return
    asked = time.perf_counter()
    _open.add(threading.get_ident())
    try:
        with _TURN:
            began = time.perf_counter()
            metrics.turn.observe(began - asked)
            _MINE.held = True
            try:
                yield
                tell_slowed()
            finally:
                _MINE.held = False
                metrics.rerun.labels(metrics.page_of(st.context.url or "")).observe(time.perf_counter() - began)
    finally:
        _open.discard(threading.get_ident())


@contextmanager
def pause() -> Iterator[None]:
    """Let others have their turn during work that takes long; only inside a turn."""
    _TURN.release()
    try:
        yield
    finally:
        _TURN.acquire()
