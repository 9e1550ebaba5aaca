"""How sessions run their scripts, and what they send of it."""

import threading
from collections import deque
from functools import partial
from weakref import WeakKeyDictionary

from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunnerEvent

from embedviz.server.shown import Shown
from embedviz.server.streamlit_inside.address import AddressKept

# One lock for each session; a session is known by its PagesManager, of which it has one.
_running: WeakKeyDictionary[PagesManager, threading.Lock] = WeakKeyDictionary()
_shown: WeakKeyDictionary[PagesManager, Shown] = WeakKeyDictionary()
_ENDS = {ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS}


class Runner(AddressKept):
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
        context_dg_stack.set(get_default_dg_stack_value())  # else the page goes into a part that has run just before
        super()._run_script(run)

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        self._maybe_handle_execution_control_request()  # each element is a place where a run may end
        if not self.shown.is_known(msg):
            for each in self.shown.sent_with(msg):
                self.on_event.send(self, event=ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=each)


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


def own_the_runs() -> None:
    """Let sessions that begin from now on run one script at a time, lose no edit, and send what differs."""
    app_session.ScriptRunner = Runner
    AppSession._on_scriptrunner_event = _tell_what_differs
