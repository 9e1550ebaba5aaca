"""The only place that knows Streamlit from inside, where it offers no other way. tests/test_inside.py watches it."""

import logging

import streamlit.logger
from streamlit import config
from streamlit.runtime import Runtime

from embedviz import log
from embedviz.settings import configured


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
