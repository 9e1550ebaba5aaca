"""What is known of Streamlit from inside still holds: these fail when a new version changes it."""

import inspect
import io
import json
import logging

import streamlit.logger
from starlette.requests import Request
from starlette.responses import Response
from streamlit import config
from streamlit.runtime import Runtime
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server.starlette.starlette_routes import _ensure_xsrf_cookie

from embedviz import log
from embedviz.settings import Settings
from embedviz.ui import inside


def test_sessions_are_looked_up_by_a_method_of_this_name():
    assert "self._session_mgr = " in inspect.getsource(Runtime.__init__)
    assert list(inspect.signature(WebsocketSessionManager.get_session_info).parameters) == ["self", "session_id"]
    assert not inside.is_known("of a server that does not run")


def test_the_size_of_a_file_is_streamlits_option():
    assert config.get_option("server.maxUploadSize") > 0
    inside.take_settings()
    assert config.get_option("server.maxUploadSize") == 5


def test_files_can_be_brought_along_in_another_sites_frame_too(monkeypatch):
    inside.take_settings()
    assert config.get_option("server.xsrfCookieSameSite") == "lax"
    monkeypatch.setattr(inside, "configured", lambda: Settings(frame_ancestors=("https://course.example",)))
    try:
        inside.take_settings()
        assert _ensure_xsrf_cookie(Request({"type": "http", "headers": []}), answer := Response()) is None
        assert answer.headers["set-cookie"].endswith("; SameSite=None; Secure")
    finally:
        config.set_option("server.xsrfCookieSameSite", "lax")


def test_loggers_that_streamlit_makes_later_are_ours_too(monkeypatch):
    monkeypatch.setattr(streamlit.logger, "setup_formatter", inside._leave_it)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log._Lines("{message}", style="{"))
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        streamlit.logger.get_logger("streamlit.made_later").warning("it has %s", "a secret")
    finally:
        root.removeHandler(handler)
    line = json.loads(stream.getvalue())
    assert line["message"] == "it has %s"
    assert line["by"] == "streamlit.made_later"
