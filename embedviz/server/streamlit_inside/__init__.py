"""The only place that imports parts of Streamlit that are not public, because it offers no other way.

tests/server/test_streamlit_inside.py fails when one of them is no longer needed.
"""

import logging

import streamlit.logger
from streamlit import config
from streamlit.runtime import Runtime, media_file_manager
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from embedviz.base import log
from embedviz.base.settings import configured

_add_file = MediaFileManager.add_deferred


def keep_names_of_files() -> None:
    """Let a button whose file is made on demand ask for it by the same name after each run, so that it stays equal."""
    MediaFileManager.add_deferred = _add_by_the_same_name


def _add_by_the_same_name(self: MediaFileManager, make: object, kind: str | None, place: str, **more: str) -> str:
    session, button = media_file_manager._get_session_id(), more["element_id"]
    with self._lock:
        before = {self._deferred_callables[name]["element_id"]: name for name in self._deferred_ids_by_session[session]}
    name = _add_file(self, make, kind, place, **more)
    if button not in before:
        return name
    with self._lock:
        self._deferred_callables[before[button]] = self._deferred_callables.pop(name)
        self._deferred_ids_by_session[session].discard(name)
        self._files_by_session_and_coord[session][place] = before[button]
    return before[button]


def is_known(session: str) -> bool:
    """Whether a session of this name is open or was until a moment ago, so that it may be taken up again."""
    return Runtime.exists() and Runtime.instance()._session_mgr.get_session_info(session) is not None


def uploaded() -> MemoryUploadedFileManager:
    """The files that visitors have brought along."""
    return Runtime.instance().uploaded_file_mgr


def left() -> set[str]:
    """The sessions that are kept, though no visitor is connected to them."""
    return {each.session.id for each in Runtime.instance()._session_mgr.list_sessions() if each.client is None}


def end(session: str) -> None:
    """End a session with all that it holds. Call it on the server's event loop."""
    Runtime.instance().close_session(session)


def log_as_we_do() -> None:
    """Let our logger write the lines of Streamlit's loggers, also of those that are made later."""
    log.set_up()
    streamlit.logger.setup_formatter = _leave_it


def take_settings() -> None:
    """Give Streamlit the settings that it must keep to itself. It reads such options only from files and arguments."""
    config.set_option("server.maxUploadSize", configured().upload_mb)
    config.set_option("logger.enableRich", False)  # the package rich would print the messages of exceptions
    if configured().frame_ancestors:
        # In a frame of another site, a browser sends only a cookie of this kind. Without the cookie a file is refused.
        config.set_option("server.xsrfCookieSameSite", "none")


def _leave_it(logger: logging.Logger) -> None:
    log.to_root(logger)
