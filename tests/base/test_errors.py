"""Errors that are kept after they were handled hold nothing of what the functions had that they ended."""

import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import numpy as np
import pytest

from embedviz.base.concurrency.jobs import Job, Jobs
from embedviz.base.concurrency.script_lock import wait_for
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.models.hub.fetch_limiter import FetchLimiter


@contextmanager
def nobody_tidies() -> Iterator[None]:
    """Python frees only what nothing refers to any more, and looks for no circles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def fails(kind: type[Exception], refs: list[weakref.ref]) -> None:
    """Fail as a reader of files does: with an error that another error explains, and an array in each one's hands."""
    array = np.ones(3)
    refs.append(weakref.ref(array))
    try:
        raise ValueError(f"{array}")
    except ValueError as error:
        inner = Unavailable("It is broken.")
        raise (
            kind("{file}: {error}", file="a.npz", error=inner) if issubclass(kind, EmbedvizError) else kind("broken")
        ) from error


def gate(refs: list[weakref.ref]) -> object:
    kept = FetchLimiter()
    for _ in range(3):
        with suppress(EmbedvizError), kept.alone():
            fails(Unavailable, refs)
    return kept


def job(kind: type[Exception]) -> Callable[[list[weakref.ref]], object]:
    def run(refs: list[weakref.ref]) -> object:
        jobs = Jobs("test", lambda _key: None)
        jobs.ask("me", {"key": Job(lambda _job, _is_wanted: fails(kind, refs))})
        while (progress := jobs.poll("key", "me")) is None or not progress.error:
            pass
        return jobs

    return run


def other_thread(refs: list[weakref.ref]) -> object:
    with ThreadPoolExecutor(1) as pool, suppress(EmbedvizError):
        wait_for(pool.submit(fails, Unavailable, refs))


@pytest.mark.parametrize("keep", [gate, job(Unavailable), job(RuntimeError), other_thread])
def test_whoever_keeps_an_error_keeps_no_array(keep):
    refs: list[weakref.ref] = []
    with nobody_tidies():
        kept = keep(refs)
        assert refs
        assert [ref() for ref in refs] == [None] * len(refs)
    del kept


def test_a_kept_error_says_the_same():
    inner = Unavailable("{host} did not answer.", host=lambda: "The Hub", wait=3.0)
    error = EmbedvizError("{error} Try {n:,} times.", error=inner, n=1000)
    kept = error.without_frames()
    assert str(kept) == str(error) == "The Hub did not answer. Try 1,000 times."
    assert kept.values["error"] is not inner
    assert (type(kept.values["error"]), kept.values["error"].wait) == (Unavailable, 3.0)
