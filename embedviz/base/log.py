"""The log: one line of JSON for each event, on stderr. It never holds a visitor's text or what an address asks for.

Messages of exceptions may quote what was typed, and the values in other libraries' messages may do so too. Therefore
only the type and place of an exception are logged, and only the pattern and place of a library's message.
"""

import logging
import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pythonjsonlogger.json import JsonFormatter

from embedviz.base import metrics
from embedviz.base.settings import PACKAGE, ROOT, configured

_LOGGER = logging.getLogger("embedviz")
_AGAIN = 1.0  # seconds; so long the same line is not written again
_TELLING = ("limit", "kind", "place", "sessions")  # values by which lines of ours differ; visitors choose the others
_NOISE = ("streamlit.error_util", "uvicorn.access")  # `failed` logs the first one's errors; the second logs addresses

_advised: set[str] = set()


def event(name: str, level: int = logging.INFO, **values: Any) -> None:
    """Log an event with values of our own making."""
    _LOGGER.log(level, name, extra=values)


def refused(limit: str, **values: Any) -> None:
    """Log and count that a limit has been met."""
    metrics.refused.labels(limit).inc()
    event("refused", limit=limit, **values)


def advise(remedy: str) -> None:
    """Log as a warning what whoever runs the server can change; once, since it stays so until the next start."""
    if remedy not in _advised:
        _advised.add(remedy)
        event(remedy, logging.WARNING)


def failed(error: BaseException) -> None:
    """Log and count an exception that nobody expected."""
    metrics.errors.labels(type(error).__name__).inc()
    event("error", logging.ERROR, **_named(error))


def _is_known(record: logging.LogRecord) -> bool:
    """Whether uvicorn repeats what was said: that a connection was refused, or why the server cannot start."""
    text = str(record.msg)
    is_start = record.name == "uvicorn.error" and text.startswith("Traceback")
    return is_start or text == "ASGI callable returned without completing handshake."


def set_up() -> None:
    """Send the messages of this process and of its libraries to one place in one form."""
    handler = logging.StreamHandler(sys.stderr)
    fields = {"asctime": "time", "levelname": "level", "message": "event"}
    handler.setFormatter(LineFormatter("{asctime}{levelname}{message}", style="{", rename_fields=fields))
    handler.addFilter(lambda record: not _is_known(record))
    handler.addFilter(Seldom())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    _LOGGER.setLevel(configured().log_level)
    logging.setLoggerClass(Follower)
    for name in list(logging.root.manager.loggerDict):
        _follow(logging.getLogger(name))
    for name in _NOISE:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    sys.excepthook = lambda _, error, __: failed(error)
    threading.excepthook = lambda args: failed(args.exc_value or args.exc_type())


def _follow(logger: logging.Logger) -> None:
    """Remove a logger's own handlers and level, since the root logger has both."""
    if logger is not _LOGGER:
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
    logger.propagate = True


class Follower(logging.Logger):
    """A library's logger that is made later, such as Streamlit makes them: the root logger alone writes its lines."""

    def handle(self, record: logging.LogRecord) -> None:
        """Hand a record over, if it is grave enough."""
        if record.levelno >= logging.root.level:
            logging.root.handle(record)


class Seldom:
    """A filter that lets the same line through once a second, and counts the others, which would fill the disk."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.last_written: dict[
            tuple, tuple[float, int]
        ] = {}  # of a line: when it was written, how often it was left out
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write this record, to which the number of those left out before it is added."""
        line = _line(record)
        with self._lock:
            written, left_out = self.last_written.get(line, (-math.inf, 0))
            is_new = self._clock() - written >= _AGAIN
            self.last_written[line] = (self._clock(), 0) if is_new else (written, left_out + 1)
        if is_new and left_out:
            record.left_out = left_out
        return is_new


def _line(record: logging.LogRecord) -> tuple:
    """What makes two records the same line. No visitor chooses any of it, so there are not many lines."""
    kind = record.exc_info and record.exc_info[0]
    place = record.name, record.levelno, record.pathname, record.lineno, kind
    return (*place, record.msg, *map(vars(record).get, _TELLING)) if record.name == _LOGGER.name else place


class LineFormatter(JsonFormatter):
    """Records as lines of JSON, without what may have come from a visitor."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as a line of JSON."""
        return super().format(record if record.name == _LOGGER.name else discreet(record))


def discreet(record: logging.LogRecord) -> logging.LogRecord:
    """A library's record reduced to the pattern of its message, without the values, and the place that logged it."""
    error = record.exc_info[1] if record.exc_info else record.msg if isinstance(record.msg, Exception) else None
    # If there are values to fill in, the pattern is fixed in the source. Without values, it may have been put together.
    own = isinstance(record.msg, str) and (record.args or record.name.startswith("uvicorn"))
    name = str(record.msg).strip().partition("\n")[0] if own else "message"
    found = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, name, None, None)
    vars(found).update(by=record.name, where=f"{record.module}:{record.lineno}", **(_named(error) if error else {}))
    if "left_out" in vars(record):
        vars(found)["left_out"] = vars(record)["left_out"]
    return found


_OURS = (PACKAGE, ROOT / "pages", ROOT / "app.py")


def _named(error: BaseException) -> dict[str, str]:
    """An error's type, its last place in our code or else anywhere, and the reason that the operating system gives."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if any(map(Path(frame.filename).is_relative_to, _OURS))]
    last = (ours or frames)[-1:]
    place = f"{Path(last[0].filename).name}:{last[0].lineno}" if last else "nowhere"
    reason = {"reason": os.strerror(error.errno)} if isinstance(error, OSError) and error.errno else {}
    return {"kind": type(error).__name__, "place": place, **reason}
