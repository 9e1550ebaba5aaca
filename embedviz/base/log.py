"""The log: one line of JSON for each event, on stderr. It never holds a visitor's text or what an address asks for.

Messages of exceptions may quote what was typed, and the values in other libraries' messages may do so too. Therefore
only the type and place of an exception are logged, and only the pattern and place of a library's message.
"""

import logging
import os
import sys
import threading
import traceback
from pathlib import Path

from pythonjsonlogger.json import JsonFormatter

from embedviz.base import metrics
from embedviz.base.settings import ROOT, configured

_LOGGER = logging.getLogger("embedviz")
_NOISE = ("streamlit.error_util", "uvicorn.access")  # `failed` logs the first one's errors; the second logs addresses


def event(name: str, level: int = logging.INFO, **values: object) -> None:
    """Log an event with values of our own making."""
    _LOGGER.log(level, name, extra=values)


def refused(limit: str, **values: float) -> None:
    """Log and count that a limit has been met."""
    metrics.refused.labels(limit).inc()
    event("refused", limit=limit, **values)


def failed(error: BaseException) -> None:
    """Log and count an exception that nobody expected."""
    metrics.errors.labels(type(error).__name__).inc()
    event("error", logging.ERROR, **_named(error))


def _is_known(record: logging.LogRecord) -> bool:
    """Whether uvicorn complains about a connection that was refused with an answer, as if it had been forgotten."""
    return record.msg == "ASGI callable returned without completing handshake."


def set_up() -> None:
    """Send the messages of this process and of its libraries to one place in one form."""
    handler = logging.StreamHandler(sys.stderr)
    fields = {"asctime": "time", "levelname": "level", "message": "event"}
    handler.setFormatter(_Lines("{asctime}{levelname}{message}", style="{", rename_fields=fields))
    handler.addFilter(lambda record: not _is_known(record))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    _LOGGER.setLevel(configured().log_level)
    for name in list(logging.root.manager.loggerDict):
        to_root(logging.getLogger(name))
    for name in _NOISE:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    sys.excepthook = lambda _, error, __: failed(error)
    threading.excepthook = lambda args: failed(args.exc_value or args.exc_type())


def to_root(logger: logging.Logger) -> None:
    """Remove a logger's own handlers and level, since the root logger has both."""
    if logger is not _LOGGER:
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
    logger.propagate = True


class _Lines(JsonFormatter):
    """Records as lines of JSON, without what may have come from a visitor."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as a line of JSON."""
        return super().format(record if record.name == _LOGGER.name else _discreet(record))


def _discreet(record: logging.LogRecord) -> logging.LogRecord:
    """A library's record reduced to the pattern of its message, without the values, and the place that logged it."""
    error = record.exc_info[1] if record.exc_info else record.msg if isinstance(record.msg, Exception) else None
    # If there are values to fill in, the pattern is fixed in the source. Without values, it may have been put together.
    own = isinstance(record.msg, str) and (record.args or record.name.startswith("uvicorn"))
    name = record.msg.strip().partition("\n")[0] if own else "message"
    found = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, name, None, None)
    vars(found).update(by=record.name, where=f"{record.module}:{record.lineno}", **(_named(error) if error else {}))
    return found


def _named(error: BaseException) -> dict[str, str]:
    """An error's type and the last place in our code on the way to it, or the last place of all if none is ours.

    An error of the operating system also has its reason.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename]
    last = (ours or frames)[-1:]
    place = f"{Path(last[0].filename).name}:{last[0].lineno}" if last else "nowhere"
    reason = {"reason": os.strerror(error.errno)} if isinstance(error, OSError) and error.errno else {}
    return {"kind": type(error).__name__, "place": place, **reason}
