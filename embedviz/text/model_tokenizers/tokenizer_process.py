"""Each foreign tokenizer in a process of its own, since the library lets no other thread run while it works.

A process ends when its memory or its time runs out, when nobody has asked for a while, or to make room for another
one. Whoever asks next starts a new one. A file that could not be used is not tried again for a while.
"""

import math
import os
import signal
import subprocess
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, cast

import cachetools

from embedviz.base.concurrency import pipe_messages, processes
from embedviz.base.concurrency.script_lock import release
from embedviz.base.settings import PACKAGE, configured

MAX_FILE = configured().tokenizer_mib * 2**20  # bytes of a tokenizer.json; Gemma 3's has 33 million
CLOSED_SECONDS = 60.0  # how long a file that could not be used counts as such
TEXT_SECONDS, FILE_SECONDS = 3.0, 5.0  # of the processor, for a text and for a file; long ones get more
IDLE_SECONDS = 600.0  # after so long without a question a process ends
_SOON = 0.1  # seconds; who waits longer for an answer lets other visitors have their turn
QUEUE_SECONDS = 10.0  # the longest wait behind others who ask the same tokenizer
LONG = 20_000  # bytes of a text; a longer one goes to a second process, so that nobody's typing waits for it
_WORKER = Path(__file__).with_name("tokenizer_worker.py")
_SPARING = {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1", "RUST_BACKTRACE": "0"}
PATIENCE = 3  # seconds of the clock for each of the processor's
_NICE = 5  # the server's own work comes first
_MAX_ANSWER = 2**28  # bytes
_TICK = 0.25  # seconds between two looks at the processes


class Refused(Exception):
    """There is no answer. word: why, as Worker says it, or "slow", "memory", "ended" or "full". part: of the text."""

    def __init__(self, word: bytes, part: bytes = b"") -> None:
        super().__init__(word, part)
        self.word, self.part = word.decode(), part.decode()


def ask(data: bytes, method: str, *parts: bytes) -> list[bytes]:
    """What a method of Worker answers for a tokenizer.json. Raises Refused."""
    size = sum(map(len, parts))
    with exclusive_process(data, is_long=size > LONG) as process:
        return process.answer(TEXT_SECONDS + size * 5e-6, method.encode(), *parts)


def digest(data: bytes) -> tuple[int, int]:
    """What tells a file from others. Python keeps the hash, so that a file is read through only once."""
    return hash(data), len(data)


_Key = tuple[tuple[int, int], bool]  # a file's digest, and whether it is for long texts


class _Process:
    """The process of a file. lock: held by who asks. users: how many ask or wait."""

    def __init__(self, key: _Key, data: bytes, memory: int) -> None:
        self.memory, self.lock, self.users = memory, threading.Lock(), 0
        self._key, self._data, self._has_read = key, data, False
        self._used, self._deadline, self._is_late = time.monotonic(), math.inf, False
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        environment = os.environ | _SPARING
        self._process = processes.start(_WORKER, str(memory), nice=_NICE, cwd=PACKAGE.parent, env=environment, **pipes)
        self._pipes = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)

    def read_file(self) -> None:
        """Give it its file, if it has not read it yet. Raises Refused."""
        if not self._has_read:
            release()
            self.answer(FILE_SECONDS + len(self._data) * 5e-7, self._data)
            self._has_read = True

    def answer(self, seconds: float, *question: bytes) -> list[bytes]:
        """The answer, which may take so many seconds of the processor. Raises Refused."""
        word, *answer = self._answer(seconds, question)
        if word == b"ok":
            return answer
        if not self._has_read or self._process.poll() is not None:  # it is of no more use
            self.end()
            with _lock:
                if _open.get(self._key) is self:
                    del _open[self._key]
                if word not in (b"ended", b"full"):
                    _closed[self._key] = word
        raise Refused(word, *answer)

    def _answer(self, seconds: float, question: Sequence[bytes]) -> list[bytes]:
        self._deadline = time.monotonic() + PATIENCE * (seconds + 1)
        try:
            pipe_messages.send(self._pipes[0], [str(seconds).encode(), *question])
            if not pipe_messages.is_readable(self._pipes[1], _SOON):
                release()
            return pipe_messages.receive(self._pipes[1], _MAX_ANSWER)
        except (OSError, EOFError, ValueError):  # it has ended, or its pipes are closed already
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            self.end()
            return [self._why()]
        finally:
            self._used, self._deadline = time.monotonic(), math.inf

    def _why(self) -> bytes:
        """The word for why it ended."""
        limit = getattr(signal, "SIGXCPU", None)  # Windows has none, and counts the seconds of the clock alone
        if self._is_late and limit:
            return b"full"  # it has computed less than it may, so the machine has too much to do
        if self._is_late or -self._process.returncode == limit:
            return b"slow"
        was_killed = -self._process.returncode in (signal.SIGTERM, getattr(signal, "SIGKILL", 0))
        return b"ended" if was_killed else b"memory"  # which shows itself in several ways: abort, fault, MemoryError

    def look(self, now: float) -> bool:
        """End it if its time is over. Returns False if nobody has needed it for long."""
        if now > self._deadline:
            self._is_late = True
            self._process.kill()
        return self.users > 0 or now - self._used < IDLE_SECONDS

    def end(self) -> None:
        """End it, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in self._pipes:
            with suppress(OSError):  # what it has not read any more
                pipe.close()


_open: OrderedDict[_Key, _Process] = OrderedDict()  # the least recently used first
_closed: cachetools.TTLCache[_Key, bytes] = cachetools.TTLCache(1000, CLOSED_SECONDS)  # why a file cannot be used
_lock = threading.Lock()  # of both; nobody waits for anything else while holding it


def memory_bytes(n_bytes: int, is_long: bool = False) -> int:
    """How many bytes the process of a file may take. One of Gemma 3's size takes half of it to be built."""
    return 2**27 + 16 * n_bytes + is_long * 2**29


# Bytes that all processes together may take.
MEMORY_IN_ALL = memory_bytes(MAX_FILE) + memory_bytes(MAX_FILE, is_long=True)


def reset() -> None:
    """End all processes; whoever asks next starts a new one."""
    with _lock:
        for process in _open.values():
            process.end()
        _open.clear()


def forget_failures() -> None:
    """Try the files again that could not be used, as if CLOSED_SECONDS were over."""
    with _lock:
        _closed.clear()


@contextmanager
def exclusive_process(data: bytes, is_long: bool) -> Iterator[_Process]:
    """Have the process of a file alone, once it has read the file."""
    key = (digest(data), is_long)
    process = _process_of(key, data)
    try:
        if not process.lock.acquire(timeout=_SOON):
            release()
            if not process.lock.acquire(timeout=QUEUE_SECONDS):
                raise Refused(b"full")
        try:
            _check(key)  # whoever asked before may have failed
            process.read_file()
            yield process
        finally:
            process.lock.release()
    finally:
        with _lock:
            process.users -= 1


def _process_of(key: _Key, data: bytes) -> _Process:
    """The process of a file. It is not ended to make room as long as it has users."""
    _check(key)
    with _lock:
        if key not in _open:
            memory = memory_bytes(len(data), key[1])
            _make_room(memory)
            _open[key] = _Process(key, data, memory)
            _watch()
        _open.move_to_end(key)
        _open[key].users += 1
        return _open[key]


def _check(key: _Key) -> None:
    """Raise Refused if the file could not be used a moment ago."""
    with _lock:
        word = _closed.get(key)
    if word:
        raise Refused(word)


def _make_room(memory: int) -> None:
    """End the processes that were used longest ago until one with so much memory may start."""
    while sum(each.memory for each in _open.values()) + memory > MEMORY_IN_ALL:
        unused = next((key for key, process in _open.items() if not process.users), None)
        if unused is None:
            raise Refused(b"full")
        _open.pop(unused).end()


@cache
def _watch() -> None:
    """Begin to look after the processes, for as long as the server runs."""
    threading.Thread(target=_look, name="tokenizers", daemon=True).start()


def _look() -> None:
    while True:
        time.sleep(_TICK)
        with _lock:
            now = time.monotonic()
            unused = [key for key, process in _open.items() if not process.look(now)]
            for each in [_open.pop(key) for key in unused]:
                each.end()
