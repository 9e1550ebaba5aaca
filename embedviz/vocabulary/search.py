"""Find tokens by a piece of their text or by a regular expression, never for longer than a few seconds."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson

from embedviz.base import log
from embedviz.base.arrays import read_only
from embedviz.base.errors import EmbedvizError
from embedviz.vocabulary.vocabulary import Vocabulary

MAX_PATTERN = 200  # characters
TIMEOUT = 2.0  # seconds for all tokens together; usual patterns take a fifth of a second
_START = 5.0  # the most seconds that the other process may take to start
_WORKER = Path(__file__).with_name("search_worker.py")
_TURNS = threading.BoundedSemaphore(2)  # at most two processes run at a time
_LINE = threading.BoundedSemaphore(12)  # these two, and ten searches that wait; a visitor has one search at a time
PATIENCE = 5.0  # seconds for which a search waits for its turn


@dataclass(frozen=True)
class Hits:
    """The tokens that match. ids: read-only int64 array, in the order of the vocabulary."""

    pattern: str
    ids: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)


def search(vocabulary: Vocabulary, pattern: str, *, regular: bool = False, timeout: float = TIMEOUT) -> Hits:
    """The tokens whose text contains `pattern`, in upper or lower case, or matches it as a regular expression.

    `␣` stands for a space, as on the screen. An empty pattern matches nothing.
    Raises EmbedvizError for a pattern that is too long, that cannot be read, or that takes too long,
    and for a regular expression whose turn does not come.
    """
    if len(pattern) > MAX_PATTERN:
        raise EmbedvizError("A pattern has at most {most} characters, not {n:,}.", most=MAX_PATTERN, n=len(pattern))
    # A lone surrogate is not valid text; U+FFFD replaces it.
    plain = pattern.replace("␣", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not plain:
        ids: list[int] = []
    elif regular:
        ids = _regular(vocabulary, plain, timeout)
    else:
        wanted = plain.casefold()
        ids = [n for n, text in enumerate(vocabulary.texts) if wanted in text.casefold()]
    return Hits(pattern, read_only(np.array(ids, np.int64)))


def _regular(vocabulary: Vocabulary, pattern: str, timeout: float) -> list[int]:
    """Match a regular expression in a separate process, since some patterns fill the memory while they are read,
    before any time limit counts.
    """
    command = [sys.executable, "-I", str(_WORKER)]
    try:
        with _turn():
            question = orjson.dumps({"pattern": pattern, "timeout": timeout, "texts": vocabulary.texts})
            done = subprocess.run(  # noqa: S603 our own script; the pattern is data on its input
                command, input=question, capture_output=True, timeout=timeout + _START, check=False
            )
    except subprocess.TimeoutExpired as error:
        raise _cut_off("timeout", timeout + _START) from error
    answer = orjson.loads(done.stdout) if done.returncode == 0 else {"end": "memory"}
    if "end" in answer:
        raise _cut_off(answer["end"], timeout)
    if "error" in answer:
        raise EmbedvizError("Invalid regular expression: {why}. Fix it or switch the option off.", why=answer["error"])
    return answer["ids"]


@contextmanager
def _turn() -> Iterator[None]:
    """Wait in line for a turn, though not for long. Raises EmbedvizError if the line is full, or too slow."""
    with _place(_LINE, 0.0), _place(_TURNS, PATIENCE):
        yield


@contextmanager
def _place(places: threading.BoundedSemaphore, patience: float) -> Iterator[None]:
    if not places.acquire(timeout=patience):
        log.refused("search")
        raise EmbedvizError(
            "Many visitors search with regular expressions just now. Try again in a moment, or switch the option "
            "off: a search for plain text does not wait."
        )
    try:
        yield
    finally:
        places.release()


def _cut_off(end: str, seconds: float) -> EmbedvizError:
    if end == "memory":
        return EmbedvizError("The regular expression takes too much memory. Take one with fewer repeats.")
    return EmbedvizError(
        "The regular expression was cut off after {seconds:g} s. Take one that backtracks less.", seconds=seconds
    )
