"""The only place that knows Streamlit from inside, where it offers no other way. tests/test_inside.py watches it."""

import logging
import threading
from weakref import WeakKeyDictionary

import streamlit.logger
from streamlit import config
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunner

from embedviz import log
from embedviz.settings import configured

_running: WeakKeyDictionary[PagesManager, threading.Lock] = WeakKeyDictionary()  # by what each session has one of


class OneAtATime(ScriptRunner):
    """Runs of one session follow one another.

    Streamlit begins a run in a thread of its own while one that it has told to stop still goes on: after the button
    "Stop", or when a visitor comes back whose connection broke. Both then change the session's state, each behind a
    lock of its own: entries come and go while the other reads them. That edits do no such thing is an option,
    `fastReruns` in .streamlit/config.toml.
    """

    def _run_script_thread(self) -> None:
        with _running.setdefault(self._pages_manager, threading.Lock()):
            super()._run_script_thread()


def run_one_at_a_time() -> None:
    """Let sessions that begin from now on run their scripts so."""
    app_session.ScriptRunner = OneAtATime


def is_known(session: str) -> bool:
    """Whether a session of this name is open or was until a moment ago, so that it may be taken up again."""
    return Runtime.exists() and Runtime.instance()._session_mgr.get_session_info(session) is not None


def log_as_we_do() -> None:
    """Let Streamlit's loggers, those that are made later too, leave their lines to ours."""
    log.set_up()
    streamlit.logger.setup_formatter = _leave_it


def take_settings() -> None:
    """Hand over what Streamlit itself keeps to. It takes such options from files and arguments alone."""
    config.set_option("server.maxUploadSize", configured().upload_mb)
    config.set_option("logger.enableRich", False)  # where rich is installed it prints what exceptions say
    if configured().frame_ancestors:
        # In a frame of another site a browser sends no other cookie, and without it a file is refused.
        config.set_option("server.xsrfCookieSameSite", "none")


def _leave_it(logger: logging.Logger) -> None:
    log.to_root(logger)
