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
from streamlit.runtime.scriptrunner import RerunException

from embedviz.base import metrics
from embedviz.base.concurrency.script_lock import acquire, release
from embedviz.base.i18n import language, use_language
from embedviz.base.pages import page_at
from embedviz.ui.messages import stop_at_error

_P = ParamSpec("_P")

_CALM, _HURRIED, _BEHIND = 30, 250, 1000  # milliseconds that a field waits for another letter before it sends them
_REMEMBERED = 2.0  # seconds over which the server's runs are counted
_MINE = threading.local()
_open: set[int] = set()  # threads that run or wait


class Load:
    """How much pages and parts ran and waited in the last seconds, the later ones counting more, and what follows.

    With 300 visitors on half a core, a typed sentence takes 37 ms of the processor, and took 226 before there was this.
    `make bench-letters` measures when its last letter is drawn.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._seen = clock()
        self._ran = self._waited = self._n_runs = 0.0
        self._wait = _CALM

    def ran(self, seconds: float, waited: float = 0.0) -> None:
        """Count a run that ends now, which had waited for its turn."""
        self._fade()
        self._ran += seconds
        self._waited += waited
        self._n_runs += 1

    @property
    def share(self) -> float:
        """The share of the time in which something ran."""
        self._fade()
        return self._ran / _REMEMBERED

    @property
    def delay(self) -> float:
        """For how many seconds a run waited for its turn, on average."""
        self._fade()
        return self._waited / max(1.0, self._n_runs)

    @property
    def wait(self) -> int:
        """How long a field waits for another letter, in milliseconds.

        Every letter is drawn as long as the server has time for it. When it has not, those that follow each other go
        together; and when a letter would wait for its turn anyway, those of a whole sentence do. What it says for one
        visitor's letters must not change with each of them, so it changes back later than it has changed.
        """
        if self.delay > (0.25 if self._wait == _BEHIND else 1.0):
            self._wait = _BEHIND
        else:
            self._wait = _HURRIED if self.share > (0.5 if self._wait == _CALM else 0.25) else _CALM
        return self._wait

    def _fade(self) -> None:
        now = self._clock()
        kept = math.exp(-(now - self._seen) / _REMEMBERED)
        self._ran, self._waited, self._n_runs = self._ran * kept, self._waited * kept, self._n_runs * kept
        self._seen = now


load = Load()


def n_open() -> int:
    """Return how many pages and parts run, or wait for a turn."""
    return len(_open)


@contextmanager
def turn() -> Iterator[None]:
    """Wait for a turn, and hold it while a page or a part of it runs. A part inside its page has the turn already."""
    if getattr(_MINE, "runs", False):
        yield
        return
    before = release()
    # A run that began anew, since its visitor typed on, has the place in the line that it had.
    asked, _MINE.asked = getattr(_MINE, "asked", None) or time.perf_counter(), None
    _open.add(threading.get_ident())
    try:
        acquire(asked)
        began = time.perf_counter()
        metrics.turn.observe(began - asked)
        _MINE.runs = True
        try:
            with use_language(language()):  # which is asked for 2,000 times, and found out once
                yield
        except RerunException:
            _MINE.asked = asked
            raise
        finally:
            _MINE.runs = False
            load.ran(release() - before, began - asked)
            metrics.rerun.labels(page_at(st.context.url or "").name).observe(time.perf_counter() - began)
    finally:
        _open.discard(threading.get_ident())


@contextmanager
def release_lock(*, unless: bool = False) -> Iterator[None]:
    """Let others have their turn during work that takes long, unless it is quick now. Call this only inside a turn."""
    if unless:
        yield
        return
    release()
    try:
        yield
    finally:
        acquire()


def part_of_page(draw: Callable[_P, None], every: float | None = None) -> Callable[_P, None]:
    """Make `draw` a part of the page: it runs alone when a control of its own changes, and every so many seconds.

    An edit inside it sends none of the page around it again. Between runs of the page it is called with the same
    arguments. An EmbedvizError that nothing inside has said is said at its end.
    """

    @st.fragment(run_every=every)
    @wraps(draw)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        with turn(), stop_at_error(st.query_params.get("source")):
            draw(*args, **kwargs)

    return run
