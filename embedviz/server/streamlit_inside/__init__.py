"""The only place that imports parts of Streamlit that are not public, because it offers no other way.

tests/server/test_streamlit_inside.py fails when one of them is no longer needed. `replaced.py` lists what is replaced.
"""

import streamlit as st
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from embedviz.base.settings import ROOT, configured


def is_known(session: str) -> bool:
    """Whether a session of this name is open or was until a moment ago, so that it may be taken up again."""
    return Runtime.exists() and Runtime.instance()._session_mgr.get_session_info(session) is not None


def browser() -> bytes:
    """What stays the same in a browser's cookie, which has another mask after each request; nothing without one."""
    return decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))[0] or b""


def uploaded() -> MemoryUploadedFileManager:
    """The files that visitors have brought along."""
    return Runtime.instance().uploaded_file_mgr


def left() -> set[str]:
    """The sessions that are kept, though no visitor is connected to them."""
    return {each.session.id for each in Runtime.instance()._session_mgr.list_sessions() if each.client is None}


def end(session: str) -> None:
    """End a session with all that it holds. Call it on the server's event loop."""
    Runtime.instance().close_session(session)


def take_files() -> None:
    """Let Streamlit read the project's .streamlit/config.toml, wherever this process was started."""
    if config._main_script_path is None:
        config._main_script_path, config._config_options = str(ROOT / "app.py"), None
        config.get_config_options()


def take_settings() -> None:
    """Give Streamlit the settings that it must keep to itself. It reads such options only from files and arguments."""
    take_files()
    config.set_option("server.maxUploadSize", max(configured().upload_mb, configured().vectors_mib))
    config.set_option("logger.enableRich", False)  # the package rich would print the messages of exceptions
