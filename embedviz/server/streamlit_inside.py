"""The only place that imports parts of Streamlit that are not public, because it offers no other way.

tests/server/test_streamlit_inside.py fails when one of them is no longer needed.
"""

import logging
import math
import threading
from collections import deque
from functools import partial
from typing import NoReturn
from weakref import WeakKeyDictionary

import streamlit as st
import streamlit.logger
from streamlit import config
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, app_session, media_file_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import (
    RerunData,
    ScriptRunner,
    ScriptRunnerEvent,
    StopException,
    get_script_run_ctx,
)
from streamlit.runtime.state import query_params
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState

from embedviz.base import log
from embedviz.base.i18n import speaking
from embedviz.base.options import AFTER_A_LINK, understood, unescaped
from embedviz.base.settings import configured
from embedviz.server.languages import language_for
from embedviz.server.shown import Shown

# One lock for each session; a session is known by its PagesManager, of which it has one.
_running: WeakKeyDictionary[PagesManager, threading.Lock] = WeakKeyDictionary()
_shown: WeakKeyDictionary[PagesManager, Shown] = WeakKeyDictionary()
_ENDS = {ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS}


class Runner(ScriptRunner):
    """Runs a session's scripts one after the other, and sends what differs.

    Streamlit begins a run in a thread of its own while one that it has told to stop still goes on: after the button
    "Stop", or when a visitor comes back whose connection broke. Both then change the session's state, each behind a
    lock of its own: entries come and go while the other reads them. For edits the option `fastReruns = false` in
    .streamlit/config.toml prevents this.
    """

    def __init__(self, *about: object, **more: object) -> None:
        super().__init__(*about, **more)
        self.shown = _shown.setdefault(self._pages_manager, Shown())
        self.gathered: deque[ForwardMsg] = deque()
        self.is_of_the_history = False

    def _run_script_thread(self) -> None:
        with _running.setdefault(self._pages_manager, threading.Lock()):
            super()._run_script_thread()

    def _run_script(self, run: RerunData) -> None:
        self.is_of_the_history = run.is_history_navigation
        _drop_forged(run)
        context_dg_stack.set(get_default_dg_stack_value())  # else the page goes into a part that has run just before
        super()._run_script(run)

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        self._maybe_handle_execution_control_request()  # each element is a place where a run may end
        if not self.shown.is_known(msg):
            for each in self.shown.sent_with(msg):
                self.on_event.send(self, event=ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=each)


def _drop_forged(run: RerunData) -> None:
    """Drop the values of what is no control, and numbers without end, which no control of a page sends.

    Streamlit would keep the former, and would fail at both in this run and in each later one.
    """
    if states := run.widget_states:
        kept = [each for each in states.widgets if each.id.startswith("$$") and math.isfinite(each.double_value)]
        if len(kept) < len(states.widgets):
            states.CopyFrom(type(states)(widgets=kept))


def _connection(session: AppSession) -> object:
    """To the visitor's browser; None while it is broken."""
    found = Runtime.instance()._session_mgr.get_active_session_info(session.id)
    return found and found.client


_tell = AppSession._on_scriptrunner_event
_GATHERED = 0.015  # seconds; each message by itself would wake the server and make the browser draw the page


def _tell_what_differs(self: AppSession, sender: Runner | None, event: ScriptRunnerEvent, **about: object) -> None:
    """Announce a run only if the browser does not show its page yet."""
    if sender is None:  # what the visitor's browser has asked for could not be read; an error takes the page's place
        _shown.pop(self._pages_manager, None)
        _tell(self, sender, event, **about)
        return
    shown = sender.shown
    if event is ScriptRunnerEvent.SCRIPT_STARTED:
        is_part, must_announce = bool(about.get("fragment_ids_this_run")), sender.is_of_the_history
        shown.begin(_connection(self), about["page_script_hash"], is_part=is_part, must_announce=must_announce)
        if shown.is_quiet:
            return
    if event is ScriptRunnerEvent.ENQUEUE_FORWARD_MSG:
        _gather(self, sender, about["forward_msg"])
        return
    gone = shown.end(sender._pages_manager.current_page_script_hash) if event in _ENDS else []
    if shown.is_quiet and "run_descriptor" in about and not gone:
        about["run_descriptor"] = None  # the end of a run without a name makes the page draw nothing
    last, sender.gathered = sender.gathered, deque()  # what the next run makes must not go before its announcement
    last.extend(gone)
    if last:
        self._call_soon_on_event_loop(partial(_take_all, self, sender, last))
    self._call_soon_on_event_loop(partial(_take, self, sender, event, **about))


def _gather(session: AppSession, runner: Runner, message: ForwardMsg) -> None:
    """Send a message together with those that follow it at once."""
    runner.gathered.append(message)
    if len(runner.gathered) == 1:
        later = partial(session._event_loop.call_later, _GATHERED, _take_all, session, runner, runner.gathered)
        session._call_soon_on_event_loop(later)


def _take_all(session: AppSession, runner: Runner, gathered: deque[ForwardMsg]) -> None:
    while gathered:
        _take(session, runner, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=gathered.popleft())


def _take(session: AppSession, runner: Runner, event: ScriptRunnerEvent, **about: object) -> None:
    """Let a session take what one of its runners tells.

    When another runner has been made meanwhile, Streamlit ignores what the one before has still to tell, since they
    might run at once. Here they run one after the other, and the next one sends only what differs from all of it.
    """
    current = runner if event is ScriptRunnerEvent.SHUTDOWN else session._scriptrunner
    session._handle_scriptrunner_event_on_event_loop(current, event, **about)


def _stop() -> NoReturn:
    """End a run. What the visitor has changed while it went on runs next; Streamlit's own `st.stop` would forget it."""
    raise StopException


def own_the_runs() -> None:
    """Let sessions that begin from now on run one script at a time, lose no edit, and send what differs."""
    app_session.ScriptRunner = Runner
    AppSession._on_scriptrunner_event = _tell_what_differs
    st.stop = _stop


_run = ScriptRunner._run_script


def speak_the_visitors_language() -> None:
    """Let each run of a script speak its visitor's language: pages, parts of pages, and what a control calls."""
    ScriptRunner._run_script = _run_in_the_visitors_language


def _run_in_the_visitors_language(self: ScriptRunner, run: RerunData) -> None:
    with speaking(language_for(run.query_string, st.context.headers.get("Accept-Language", ""))):
        _run(self, run)


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


def answer_visitors_alone() -> None:
    """Do nothing for two messages that are meant for whoever develops an app, and that any visitor can send.

    For one, Streamlit runs git again and again while everybody waits, and tells the names of files that are in no
    commit. The other empties what is kept for all visitors.
    """
    AppSession._handle_git_information_request = _do_nothing
    AppSession._handle_clear_cache_request = _do_nothing


def _do_nothing(_session: AppSession) -> None:
    """What no visitor needs."""


def own_the_address() -> None:
    """Read options by their names, and keep Streamlit from taking out of the address what the page does not use.

    It takes out what belongs to another page, to a control that is not shown, or has a value that this page does not
    know. All of that belongs to what the visitor made, and the next page or view needs it again.
    """
    query_params._parse_query_string = _parsed
    QueryParams.populate_from_query_string = _read_all
    QueryParams.remove_stale_bindings = _forget_bindings_alone
    QueryParams.discard_param_no_forward_msg = _leave_parameter
    SessionState._clear_url_param = _clear_default
    SessionState._seed_widget_from_url = _take_what_can_be


_parse, _clear = query_params._parse_query_string, SessionState._clear_url_param
_take_from_address = SessionState._seed_widget_from_url
_read, _forget_bindings = QueryParams.populate_from_query_string, QueryParams.remove_stale_bindings


def _parsed(query_string: str) -> dict[str, list[str]]:
    return understood(_parse(unescaped(query_string)))


def _read_all(self: QueryParams, query_string: str, _valid_script_hashes: object = None) -> None:
    _read(self, query_string)


def _forget_bindings_alone(self: QueryParams, *about: object, **more: object) -> None:
    kept, self._query_params = self._query_params, {}
    _forget_bindings(self, *about, **more)
    self._query_params = kept


def _clear_default(self: SessionState, name: str) -> None:
    """Leave only the usual value out of the address. Another page may know a value that this page does not know."""
    control = self._get_widget_metadata(self._key_id_mapper.get_id_from_key(name, None))
    try:
        given = query_params.parse_url_param(self.query_params.get_initial_value(name), control.value_type)
        is_usual = control.deserializer(given) == control.deserializer(None)
    except (ValueError, TypeError, IndexError):  # there is no such value; Streamlit treats this error in the same way
        is_usual = False
    if is_usual:
        _clear(self, name)


def _take_what_can_be(self: SessionState, control: WidgetMetadata, name: str, id_: str, given: str | list[str]) -> bool:
    """Give a control the value in the address, unless it can have no such value: it then keeps its usual one.

    Streamlit would take a choice from a control that always has one ("?show="), and fail at a number without end.
    """
    is_choice = control.value_type == "string_array_value" and control.deserializer([]) is None
    if is_choice and query_params.is_empty_url_value(given):
        return False
    if control.value_type in ("double_value", "bool_value") and isinstance(given, str):
        given = given.rstrip(AFTER_A_LINK)
    try:
        return _take_from_address(self, control, name, id_, given)
    except OverflowError:
        return False


def _leave_parameter(_self: object, _name: str) -> bool:
    return False


def write_into_address(name: str, value: str) -> None:
    """Write the value of a control into the address of the page that runs, from where the control then reads it.

    `st.query_params` refuses names of controls, and Streamlit itself writes only what a visitor or a later run changes.
    """
    if context := get_script_run_ctx():
        with context.session_state.query_params() as address:
            address.set_corrected_value(name, value, "string_value")
            address.set_initial_query_params_from_current()


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
