"""The log: one line of JSON an event, on stderr. Never a visitor's text, nor what a visitor's address asks for.

Messages of exceptions may quote what was typed, and so may the values in other libraries' messages: of an
exception its type and place are logged, of a library's message its pattern and place.
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
_NOISE = ("streamlit.error_util", "uvicorn.access")  # `failed` says the first, the second says addresses


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
    """uvicorn takes a connection that was refused with an answer for one that was forgotten."""
    return record.msg == "ASGI callable returned without completing handshake."


def set_up() -> None:
    """Send what this process has to say, and what its libraries have, to one place in one form."""
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
    """Take a logger's own handlers and level away: the root has both."""
    if logger is not _LOGGER:
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
    logger.propagate = True


class _Lines(JsonFormatter):
    """Records as lines of JSON, without what may have come from a visitor."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return super().format(record if record.name == _LOGGER.name else _discreet(record))


def _discreet(record: logging.LogRecord) -> logging.LogRecord:
    """A library's record: its pattern, without the values in it, and where it was written."""
    error = record.exc_info[1] if record.exc_info else record.msg if isinstance(record.msg, Exception) else None
    # A pattern is written in the source if there are values to fill in; without, it may have been put together.
    own = isinstance(record.msg, str) and (record.args or record.name.startswith("uvicorn"))
    name = record.msg.strip().partition("\n")[0] if own else "message"
    found = logging.LogRecord(record.name, record.levelno, record.pathname, record.lineno, name, None, None)
    vars(found).update(by=record.name, where=f"{record.module}:{record.lineno}", **(_named(error) if error else {}))
    return found


def _named(error: BaseException) -> dict[str, str]:
    """Its type, and the last place of ours on the way to it, else the last of all; of the system's errors, which."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).is_relative_to(ROOT) and ".venv" not in frame.filename]
    last = (ours or frames)[-1:]
    place = f"{Path(last[0].filename).name}:{last[0].lineno}" if last else "nowhere"
    reason = {"reason": os.strerror(error.errno)} if isinstance(error, OSError) and error.errno else {}
    return {"kind": type(error).__name__, "place": place, **reason}
