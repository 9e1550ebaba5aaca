"""What is known of Streamlit from inside still holds: these fail when a new version changes it."""

import asyncio
import inspect
import io
import json
import logging
import subprocess
import sys

import pytest
from streamlit import config
from streamlit.commands import execution_control
from streamlit.elements.widgets.button_group import ButtonGroupMixin
from streamlit.logger import get_logger
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime, RuntimeConfig, app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, ScriptRunnerEvent
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from embedviz.base import log
from embedviz.base.settings import ROOT
from embedviz.server import streamlit_inside
from embedviz.server.streamlit_inside import address as of_address
from embedviz.server.streamlit_inside import files, runs
from embedviz.server.streamlit_inside.replaced import REPLACED
from tests.screen import Screen


def test_sessions_are_looked_up_by_a_method_of_this_name():
    assert "self._session_mgr = " in inspect.getsource(Runtime.__init__)
    assert list(inspect.signature(WebsocketSessionManager.get_session_info).parameters) == ["self", "session_id"]
    assert not streamlit_inside.is_known("of a server that does not run")


def test_streamlit_takes_out_of_the_address_what_is_bound_elsewhere_and_leaves_what_no_control_is_bound_to():
    """When this fails, `AddressKept` can go."""
    address = QueryParams()
    for is_bound in (True, False):
        address.bind_widget("view", "a control", "string_value", "of page 1")
        if not is_bound:
            address.unbind_widget("a control")
        kept = {"a": "cat"} if is_bound else {"view": "pairs", "a": "cat"}
        address.populate_from_query_string("view=pairs&a=cat", {"of page 2"})
        assert address._query_params == kept
        address.populate_from_query_string("view=pairs&a=cat")
        address.bind_widget("view", "a control", "string_value", "of page 1")
        if not is_bound:
            address.unbind_widget("a control")
        address.remove_stale_bindings(frozenset())
        assert address._query_params == kept


def test_what_is_bound_is_forgotten_before_streamlit_looks_for_it():
    assert "self._on_script_finished(" in inspect.getsource(ScriptRunner._run_script)
    assert "self._session_state.on_script_finished(" in inspect.getsource(ScriptRunner._on_script_finished)
    assert "self.query_params.remove_stale_bindings(" in inspect.getsource(SessionState)


def test_streamlit_writes_a_controls_value_by_a_method_of_this_name():
    assert list(inspect.signature(QueryParams.set_corrected_value).parameters) == [
        "self", "param_key", "value", "value_type"
    ]  # fmt: skip
    assert list(inspect.signature(SafeSessionState.query_params).parameters) == ["self"]


def test_streamlit_takes_values_that_a_page_does_not_know_out_of_the_address_by_methods_of_these_names():
    session = inspect.getsource(SessionState)
    assert "self._seed_widget_from_url(" in session
    assert "self._clear_url_param(user_key)" in inspect.getsource(of_address.streamlits_seed)
    assert "self.query_params.discard_param_no_forward_msg(user_key)" in session


def test_streamlit_takes_away_a_choice_that_is_required_and_fails_at_an_endless_number():
    assert "clearable=True" in inspect.getsource(ButtonGroupMixin._button_group)
    assert "except (ValueError, TypeError, IndexError)" in inspect.getsource(of_address.streamlits_seed)
    assert list(inspect.signature(of_address.streamlits_seed).parameters) == [
        "self", "metadata", "user_key", "widget_id", "url_value"
    ]  # fmt: skip


def test_the_size_of_a_file_is_streamlits_option():
    assert config.get_option("server.maxUploadSize") > 0
    streamlit_inside.take_settings()
    assert config.get_option("server.maxUploadSize") == 20  # the larger of the two limits, that of vectors


def test_when_streamlit_reads_its_files_again_those_of_other_apps_still_do_not_count(tmp_path, monkeypatch):
    """As it does under `streamlit run` when one of them changes."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit/config.toml").write_text('[server]\nmaxUploadSize = 1\nbaseUrlPath = "mine"\n')
    monkeypatch.setenv("HOME", str(tmp_path))
    streamlit_inside.take_settings()
    config.get_config_options(force_reparse=True)
    assert (config.get_option("server.maxUploadSize"), config.get_option("server.baseUrlPath")) == (20, "")
    assert config.get_option("secrets.files") == []


def test_loggers_that_streamlit_makes_later_are_ours_too(monkeypatch):
    """No line of theirs is written twice, or with what it was filled with."""
    usual = logging.getLoggerClass()
    logging.setLoggerClass(log.Follower)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log.LineFormatter("{message}", style="{"))
    root = logging.getLogger()
    root.addHandler(handler)
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        made = get_logger("streamlit.made_later")
        made.warning("it has %s", "a secret")
        made.info("it says %s", "much")
    finally:
        root.removeHandler(handler)
        logging.setLoggerClass(usual)
    (line,) = map(json.loads, stream.getvalue().splitlines())
    assert line["message"] == "it has %s"
    assert line["by"] == "streamlit.made_later"


COUNT = """
import gc, importlib, json, sys, types
import streamlit.web.server.starlette, streamlit.testing.v1

def attributes():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "streamlit" and isinstance(module, types.ModuleType):
            owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
            for owner in owners:
                if getattr(owner, "__module__", owner.__name__).partition(".")[0] == "streamlit":
                    for attribute, value in vars(owner).items():
                        if callable(value) or isinstance(value, (classmethod, staticmethod, property)):
                            found[f"{getattr(owner, '__qualname__', owner.__name__)}.{attribute}"] = value
    return found

import embedviz.server.lifecycle as lifecycle
before = attributes()
lifecycle.set_up()
importlib.import_module("app")
after = attributes()
print(json.dumps(sorted(name for name in before if before[name] is not after.get(name))))
"""


def test_no_more_of_streamlit_is_replaced_than_the_table_says():
    """In a process of its own: of all that Streamlit has loaded before, what is another thing once the app is there."""
    done = subprocess.run([sys.executable, "-c", COUNT], cwd=ROOT, capture_output=True, text=True, check=True)
    named = {f"{getattr(owner, '__qualname__', owner.__name__)}.{name}" for owner, name, _ours in REPLACED}
    assert set(json.loads(done.stdout.splitlines()[-1])) == named
    assert len(named) == len(REPLACED) <= 5


def test_runs_are_announced_and_sent_by_methods_of_these_names():
    runner = inspect.getsource(ScriptRunner)
    assert "_enqueue=self._enqueue_forward_msg" in runner
    assert "self._maybe_handle_execution_control_request()" in inspect.getsource(ScriptRunner._enqueue_forward_msg)
    assert "self._scriptrunner.on_event.connect(self._on_scriptrunner_event)" in inspect.getsource(AppSession)
    assert list(inspect.signature(runs.streamlits_tell).parameters)[:4] == ["self", "sender", "event", "forward_msg"]
    assert list(inspect.signature(AppSession._handle_scriptrunner_event_on_event_loop).parameters)[1:4] == [
        "sender", "event", "forward_msg"
    ]  # fmt: skip
    assert "event_loop" in inspect.getsource(AppSession._call_soon_on_event_loop)


def test_streamlits_own_stop_forgets_what_was_asked_for():
    """When this fails, `embedviz.ui.messages.stop` can go."""
    requests = ScriptRequests()
    requests.request_rerun(RerunData(fragment_id="a part"))
    assert "request_stop()" in inspect.getsource(execution_control.stop)
    requests.request_stop()
    assert requests.on_scriptrunner_ready().type is ScriptRequestType.STOP


PAGE = """
import streamlit as st
st.text('first')
if 'again' not in st.session_state:
    st.session_state.again = True
    {then}
@st.fragment
def part():
    st.text('inside')
with st.container():
    part()
"""


@pytest.fixture
def session(tmp_path, monkeypatch):
    """Make a session of this page. It hears of its runs when the loop on which it is made goes on."""
    monkeypatch.setattr(app_session, "ScriptRunner", runs.Runner)
    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", runs.tell_what_differs)
    monkeypatch.setattr(Runtime, "_instance", None)

    def make(page: str) -> AppSession:
        script = tmp_path / "page.py"
        script.write_text(page)
        files, media = MemoryUploadedFileManager("/upload"), MemoryMediaFileStorage("/media")
        Runtime(RuntimeConfig(str(script), None, media, files))
        return AppSession(ScriptData(str(script), is_hello=False), files, ScriptCache(), lambda: None, {})

    return make


def run(session: AppSession, part: str = "") -> None:
    """Run a page or a part of it to its end."""
    session.request_rerun(ClientState(fragment_id=part) if part else None)
    session._scriptrunner._script_thread.join()


async def texts(session: AppSession) -> list[tuple[list[int], str]]:
    """What a browser shows and where, once the session has heard of all its runs."""
    while session._scriptrunner:
        await asyncio.sleep(0)
    screen = Screen()
    for message in session.flush_browser_queue():
        screen.take(message)
    shown = [each for each in screen.messages if each.delta.HasField("new_element")]
    return [(list(each.metadata.delta_path), each.delta.new_element.text.body) for each in shown]


SHOWN = [([0, 0], "first"), ([0, 1, 0, 0], "inside")]


@pytest.mark.parametrize("then", ["st.rerun()", "pass"])
def test_runs_that_a_busy_server_hears_of_late_are_all_shown(session, then):
    async def twice() -> list[tuple[list[int], str]]:
        made = session(PAGE.format(then=then))
        run(made)
        run(made)
        return await texts(made)

    assert asyncio.run(twice()) == SHOWN


def test_after_an_error_that_took_its_place_the_page_is_there_again(session):
    async def page_after_error() -> list[tuple[list[int], str]]:
        made = session(PAGE.format(then="pass"))
        run(made)
        while made._scriptrunner:
            await asyncio.sleep(0)
        made.handle_backmsg_exception(ValueError("The message cannot be read."))
        run(made)
        return await texts(made)

    assert asyncio.run(page_after_error()) == SHOWN


def test_a_page_that_is_asked_for_when_a_part_has_just_run_does_not_go_into_the_part(session, monkeypatch):
    def ask_at_its_end(session: AppSession, sender: object, event: ScriptRunnerEvent, **about: object) -> None:
        runs.tell_what_differs(session, sender, event, **about)
        if event is ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS:
            session.request_rerun(None)

    async def page_after_part() -> list[tuple[list[int], str]]:
        made = session(PAGE.format(then="pass"))
        run(made)
        run(made, *made._fragment_storage._fragments)
        return await texts(made)

    monkeypatch.setattr(AppSession, "_on_scriptrunner_event", ask_at_its_end)
    assert asyncio.run(page_after_part()) == SHOWN


class Button:
    def __init__(self) -> None:
        self.files = MediaFileManager(MemoryMediaFileStorage("/media"))

    def add(self, add, made: str, button: str = "a button") -> str:
        return add(self.files, made.encode, "text/plain", "0.1", element_id=button)

    def made(self, name: str) -> bytes:
        return self.files._deferred_callables[name]["callable"]()


def test_streamlit_gives_a_file_another_name_in_each_run_and_we_do_not():
    button = Button()
    assert button.add(files.streamlits_add, "one") != button.add(files.streamlits_add, "two")
    button = Button()
    names = [button.add(files.add_by_the_same_name, made) for made in ("one", "two", "three")]
    assert len(set(names)) == 1
    assert button.made(names[0]) == b"three"
    other = button.add(files.add_by_the_same_name, "else", "another button")
    assert other not in names
    assert (button.made(names[0]), button.made(other)) == (b"three", b"else")
    assert len(button.files._deferred_callables) == 2
