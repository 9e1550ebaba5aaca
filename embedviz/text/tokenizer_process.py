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
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cachetools

from embedviz.base import frames, processes
from embedviz.base.errors import EmbedvizError, Unavailable
from embedviz.base.i18n import N_, _
from embedviz.base.settings import ROOT, configured
from embedviz.text.visible import isolated, visible

MAX_FILE = configured().tokenizer_mib * 2**20  # bytes of a tokenizer.json; Gemma 3's has 33 million
CLOSED_SECONDS = 60.0  # how long a file that could not be used counts as such
TEXT_SECONDS, FILE_SECONDS = 3.0, 5.0  # of the processor, for a text and for a file; long ones get more
IDLE_SECONDS = 600.0  # after so long without a question a process ends
QUEUE_SECONDS = 10.0  # the longest wait behind others who ask the same tokenizer
LONG = 20_000  # bytes of a text; a longer one goes to a second process, so that nobody's typing waits for it
_WORKER = Path(__file__).with_name("tokenizer_worker.py")
_SPARING = {"TOKENIZERS_PARALLELISM": "false", "RAYON_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1", "RUST_BACKTRACE": "0"}
_NICE = 5  # the server's own work comes first
_MAX_ANSWER = 2**28  # bytes
_TICK = 0.25  # seconds between two looks at the processes
_REFUSALS = {
    "damaged": N_("The tokenizer.json of {name} is damaged, or of a kind that is not known here."),
    "more": N_("The tokenizer.json of {name} asks for more than any tokenizer needs; it is not used."),
    "slow": N_(
        "The tokenizer of {name} took too long and was stopped. Choose another model, or try a shorter text in a "
        "minute."
    ),
    "memory": N_("The tokenizer of {name} needs more memory than this server gives it. Choose another model."),
    "ended": N_("The tokenizer of {name} ended in the middle of its work. Change the text to try again."),
    "fails": N_("The tokenizer of {name} fails at this text. Change the text, or choose another model."),
    "unknown": N_("{name} has no token for '{part}' and none for unknown text. Leave it out."),
    "undecodable": N_("The tokenizer of {name} cannot turn its tokens back into a text. Choose another model."),
}


@dataclass(frozen=True, eq=False)
class File:
    """The tokenizer.json of a model."""

    name: str
    data: bytes

    @property
    def digest(self) -> tuple[int, int]:
        """What tells it from other files. Python keeps the hash, so that a file is read through only once."""
        return hash(self.data), len(self.data)


def about(file: File) -> list[bytes]:
    """What Worker.about says. Raises EmbedvizError if the file cannot be used, and Unavailable as `ask` does."""
    with _alone(file, is_long=False) as process:
        return process.about


def ask(file: File, method: str, *given: bytes) -> list[bytes]:
    """The answer of a method of Worker.

    Raises EmbedvizError if the file or the text makes an answer impossible, or if it takes too long or too much
    memory; and Unavailable if too many others are waiting.
    """
    size = sum(map(len, given))
    with _alone(file, is_long=size > LONG) as process:
        return process.answer(TEXT_SECONDS + size * 5e-6, method.encode(), *given)


_Key = tuple[tuple[int, int], bool]  # a file's digest, and whether it is for long texts


class _Process:
    """The process of a file. lock: held by who asks. users: how many ask or wait. about: its first answer."""

    def __init__(self, key: _Key, file: File, memory: int) -> None:
        self.memory, self.lock, self.users, self.about = memory, threading.Lock(), 0, []
        self._key, self._file = key, file
        self._used, self._deadline, self._is_late = time.monotonic(), math.inf, False
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        environment = os.environ | _SPARING
        self._process = processes.start(_WORKER, str(memory), nice=_NICE, cwd=ROOT, env=environment, **pipes)

    def read_file(self) -> None:
        """Give it its file, if it has not read it yet. Raises EmbedvizError if it cannot be used."""
        if not self.about:
            self.about = self.answer(FILE_SECONDS + len(self._file.data) * 5e-7, self._file.data)

    def answer(self, seconds: float, *question: bytes) -> list[bytes]:
        """The answer, which may take so many seconds of the processor. Raises EmbedvizError if there is none."""
        word, *answer = self._answer(seconds, question)
        if word == b"ok":
            return answer
        has_ended = self._process.poll() is not None
        with _lock:
            if has_ended or not self.about:
                _open.pop(self._key, None)
                self._process.kill()
            if word != b"ended" and (has_ended or not self.about):
                _closed[self._key] = word
        raise _refusal(self._file, word, *answer)

    def _answer(self, seconds: float, question: Sequence[bytes]) -> list[bytes]:
        self._deadline = time.monotonic() + 3 * seconds
        try:
            frames.send(self._process.stdin, [str(seconds).encode(), *question])
            return frames.receive(self._process.stdout, _MAX_ANSWER)
        except (OSError, EOFError):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
            self.end()
            return [self._why()]
        finally:
            self._used, self._deadline = time.monotonic(), math.inf

    def _why(self) -> bytes:
        """The word for why it ended."""
        if self._is_late or self._process.returncode == -getattr(signal, "SIGXCPU", math.inf):
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
        self._process.communicate()


_open: OrderedDict[_Key, _Process] = OrderedDict()  # the least recently used first
_closed: cachetools.TTLCache[_Key, bytes] = cachetools.TTLCache(1000, CLOSED_SECONDS)  # why a file cannot be used
_lock = threading.Lock()  # of both; nobody waits for anything else while holding it


def _memory(n_bytes: int, is_long: bool = False) -> int:
    """How many bytes the process of a file may take. One of Gemma 3's size takes half of it to be built."""
    return 2**27 + 16 * n_bytes + is_long * 2**29


MEMORY_IN_ALL = _memory(MAX_FILE) + _memory(MAX_FILE, is_long=True)  # bytes that all processes together may take


@contextmanager
def _alone(file: File, is_long: bool) -> Iterator[_Process]:
    """Have the process of a file alone, once it has read the file."""
    key = (file.digest, is_long)
    process = _taken(key, file)
    try:
        if not process.lock.acquire(timeout=QUEUE_SECONDS):
            raise _full(file)
        try:
            _check(key, file)  # whoever asked before may have failed
            process.read_file()
            yield process
        finally:
            process.lock.release()
    finally:
        with _lock:
            process.users -= 1


def _taken(key: _Key, file: File) -> _Process:
    """The process of a file. It is not ended to make room as long as it has users."""
    _check(key, file)
    with _lock:
        if key not in _open:
            memory = _memory(len(file.data), key[1])
            _make_room(memory, file)
            _open[key] = _Process(key, file, memory)
            _watch()
        _open.move_to_end(key)
        _open[key].users += 1
        return _open[key]


def _check(key: _Key, file: File) -> None:
    """Raise EmbedvizError if the file could not be used a moment ago."""
    with _lock:
        word = _closed.get(key)
    if word:
        raise _refusal(file, word)


def _make_room(memory: int, file: File) -> None:
    """End the processes that were used longest ago until one with so much memory may start."""
    while sum(each.memory for each in _open.values()) + memory > MEMORY_IN_ALL:
        unused = next((key for key, process in _open.items() if not process.users), None)
        if unused is None:
            raise _full(file)
        _open.pop(unused).end()


def _refusal(file: File, word: bytes, part: bytes = b"") -> EmbedvizError:
    return EmbedvizError(_(_REFUSALS[word.decode()], name=file.name, part=isolated(visible(part.decode()))))


def _full(file: File) -> Unavailable:
    return Unavailable(_("Too many are waiting for the tokenizer of {name}. Try again in a minute.", name=file.name))


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
