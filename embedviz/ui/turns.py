"""Only one page script runs at a time.

Python's threads share one interpreter lock. Fifty scripts that ran at once would lose a third of their time to
switching between threads, and all of them would finish late.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec

import streamlit as st

from embedviz.base import metrics
from embedviz.base.i18n import _
from embedviz.base.pages import page_at
from embedviz.base.settings import configured
from embedviz.base.slow_visitors import HEADER, slowed

_WHILE = 3.0  # seconds after the last edit that was held up; the next run later than that takes the message away
_STYLE = """<style>
.st-key-slowed { position: fixed; right: clamp(0.75rem, 2.5vw, 3rem); bottom: 1rem; width: min(30rem, 100vw - 1.5rem);
  z-index: 1000; animation: ev-told-{when} 1s 6s forwards; border-radius: 0.5rem;
  background: light-dark(#ffffff, #0f1218); box-shadow: 0 2px 12px rgb(0 0 0 / 0.4); }
@keyframes ev-told-{when} { to { opacity: 0; visibility: hidden; } }
</style>"""
_CALM, _HURRIED = 30, 250  # milliseconds that a field waits for another letter before it sends what is typed
_REMEMBERED = 2.0  # seconds over which the server's runs are counted
_P = ParamSpec("_P")
_TURN = threading.Lock()
_MINE = threading.local()
_open: set[int] = set()  # threads that run or wait


class Load:
    """The share of the last seconds in which a page or a part ran, and what fields do about it."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._share, self._seen = 0.0, clock()
        self._is_hurried = False

    def ran(self, seconds: float) -> None:
        """Count a run that ends now."""
        self._share = self.share + seconds / _REMEMBERED

    @property
    def share(self) -> float:
        """Of the last seconds, the later ones more than the earlier ones."""
        now = self._clock()
        self._share *= math.exp(-(now - self._seen) / _REMEMBERED)
        self._seen = now
        return self._share

    @property
    def wait(self) -> int:
        """How long a field waits for another letter, in milliseconds.

        Every letter is drawn as long as the server has time for it. When it has not, those that follow each other go
        together. What it says for one visitor's letters must not change with each of them, so the limits are apart.
        """
        self._is_hurried = self.share > (0.25 if self._is_hurried else 0.5)
        return _HURRIED if self._is_hurried else _CALM


load = Load()


def n_open() -> int:
    """Return how many pages and parts run, or wait for a turn."""
    return len(_open)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn, and hold it while a page or a part of it runs. A part inside its page has the turn already."""
    if getattr(_MINE, "held", False):
        yield
        return
    asked = time.perf_counter()
    _open.add(threading.get_ident())
    try:
        with _TURN:
            began = time.perf_counter()
            metrics.turn.observe(began - asked)
            _MINE.held, _MINE.paused = True, 0.0
            try:
                yield
                _tell_slowed()
            finally:
                _MINE.held = False
                load.ran(time.perf_counter() - began - _MINE.paused)
                metrics.rerun.labels(page_at(st.context.url or "").name).observe(time.perf_counter() - began)
    finally:
        _open.discard(threading.get_ident())


@contextmanager
def pause() -> Iterator[None]:
    """Let others have their turn during work that takes long. Call this only inside a turn."""
    _TURN.release()
    began = time.perf_counter()
    try:
        yield
    finally:
        _TURN.acquire()
        _MINE.paused += time.perf_counter() - began


def part(draw: Callable[_P, None]) -> Callable[_P, None]:
    """Make `draw` a part of a page that runs by itself when one of its own controls changes.

    An edit inside it sends none of the page around it again. Between runs of the page it is called with the same
    arguments.
    """

    @st.fragment
    @wraps(draw)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        with turn():
            draw(*args, **kwargs)

    return run


def _tell_slowed() -> None:
    """Tell the visitor at the end of a run if edits came faster than the server takes them.

    This is not a toast, since a run that the next one cuts short would take the toast away. The last run of a flood is
    never cut short.
    """
    last = slowed.get(st.context.headers.get(HEADER), 0.0) if slowed else 0.0
    if time.monotonic() - last > _WHILE:
        return
    with st.container(key="slowed"):
        # Under another name the message begins to fade anew: it stays as long as a flood does.
        st.html(_STYLE.replace("{when}", str(round(last * 1000))))
        st.warning(
            _(
                "More than {rate} changes a second: some in between were not drawn. The last one counts.",
                rate=configured().edits_per_second,
            ),
            icon=":material/speed:",
        )
