"""The only place that imports parts of Streamlit that are not public, because it offers no other way.

tests/server/test_streamlit_inside.py fails when one of them is no longer needed. `replaced.py` lists what is replaced.
"""

import os
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from typing import NamedTuple, cast

import streamlit as st
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

from embedviz.base.settings import ROOT, configured

_APP, _FILE = ROOT / "app.py", ROOT / ".streamlit/config.toml"
_PREFIX = "server.baseUrlPath"
_LISTENING = (
    "server.address", "server.port", "server.headless", "server.sslCertFile", "server.sslKeyFile",
    "browser.serverAddress", "browser.serverPort",
)  # fmt: skip


def is_known(session: str) -> bool:
    """Whether a session of this name is open or was until a moment ago, so that it may be taken up again."""
    return Runtime.exists() and Runtime.instance()._session_mgr.get_session_info(session) is not None


def browser() -> bytes:
    """What stays the same in a browser's cookie, which has another mask after each request; nothing without one."""
    return decode_xsrf_token_string(st.context.cookies.get(XSRF_COOKIE_NAME, ""))[0] or b""


def uploaded() -> MemoryUploadedFileManager:
    """The files that visitors have brought along."""
    return cast(MemoryUploadedFileManager, Runtime.instance().uploaded_file_mgr)


def left() -> set[str]:
    """The sessions that are kept, though no visitor is connected to them."""
    return {each.session.id for each in Runtime.instance()._session_mgr.list_sessions() if each.client is None}


def end(session: str) -> None:
    """End a session with all that it holds. Call it on the server's event loop."""
    Runtime.instance().close_session(session)


class KnownIp(NamedTuple):
    """What somebody has given Streamlit at the start. prefix: of all paths, as "/app", or "". left_out: options that do
    not count here."""

    prefix: str
    left_out: list[str]


def take_files() -> None:
    """Give Streamlit the settings of the project, wherever this process was started, unless it runs another app."""
    if config._main_script_path is None:
        config._main_script_path = str(_APP)
        _take_the_projects_alone({})


def take_settings() -> KnownIp:
    """Give Streamlit the project's settings alone, and those that it must keep to itself.

    It would also read the settings of the user and of the folder in which the process was started, which are for other
    apps. Of what was given to `streamlit run`, only what says where it listens counts. It reads the files again when
    one of them changes.
    """
    config._main_script_path = str(_APP)
    options = (config._config_options or {}).items()
    given = {name: each.value for name, each in options if each.where_defined == config._DEFINED_BY_FLAG}
    listening = {name: value for name, value in given.items() if name in _LISTENING}
    _take_the_projects_alone(listening)
    prefix = given.get(_PREFIX) or os.environ.get("STREAMLIT_SERVER_BASE_URL_PATH") or config.get_option(_PREFIX)
    _take_settings(listening)
    config._on_config_parsed.send()
    config.on_config_parsed(partial(_take_settings, listening), force_connect=True)
    left_out = [name for name, value in given.items() if name != _PREFIX and value != config.get_option(name)]
    return KnownIp("".join(f"/{part}" for part in str(prefix).split("/") if part), left_out)


def _take_settings(listening: Mapping[str, object]) -> None:
    _take_the_projects_alone(listening)
    config.set_option(_PREFIX, "")  # the middleware Prefix takes it away
    config.set_option("server.maxUploadSize", max(configured().upload_mb, configured().vectors_mib))
    config.set_option("logger.enableRich", False)  # the package rich would print the messages of exceptions


def _take_the_projects_alone(listening: Mapping[str, object]) -> None:
    """Streamlit has no way to read some files and not others, so this does what its get_config_options does."""
    with config._config_lock:
        config._config_options = deepcopy(config._config_options_template)
        config._update_config_with_toml(_FILE.read_text("utf-8"), str(_FILE))
        config._update_config_with_sensitive_env_var(config._config_options)
        for name, value in listening.items():
            config._set_option(name, value, config._DEFINED_BY_FLAG)
        config.set_option("secrets.files", [])  # they would become environment variables
