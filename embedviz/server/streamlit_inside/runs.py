"""How sessions run their scripts, and what they send of it."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary

from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import (
    RerunData,
    RerunException,
    ScriptRunContext,
    ScriptRunnerEvent,
    StopException,
    get_script_run_ctx,
)
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from embedviz.base import log
from embedviz.base.concurrency.script_lock import on_wait
from embedviz.base.settings import configured
from embedviz.server.shown import PageState
from embedviz.server.streamlit_inside.address import AddressKept

_ENDS = {ScriptRunnerEvent.SCRIPT_STOPPED_WITH_SUCCESS, ScriptRunnerEvent.FRAGMENT_STOPPED_WITH_SUCCESS}


class Bucket:
    """As many runs of a page as `at_once`, and `rate` more a second, so that others do not notice one visitor's flood.

    With five visitors who send as many edits as they can, an edit of somebody else takes 35 ms (median) and 93 ms (95th
    percentile); without this it took 191 and 221, and 16 alone.
    """

    def __init__(self, rate: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._most, self._clock = rate, at_once, clock
        self._left, self._seen = float(at_once), clock()

    def take(self) -> float:
        """Take one run, and return for how many seconds the next one must wait."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._seen) * self._rate) - 1
        self._seen = now
        return max(-self._left / self._rate, 0.0)

    def offers(self) -> bool:
        """Take one only if there is one, and return whether there was."""
        is_there = self.take() == 0.0
        self._left += not is_there
        return is_there


@dataclass
class _SessionState:
    """What a session keeps from run to run. lock: its runs wait for each other. pace: they may not follow too fast."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    pace: Bucket = field(default_factory=lambda: Bucket(configured().edits_per_second, configured().edits_at_once))
    shown: PageState = field(default_factory=PageState)


_sessions: WeakKeyDictionary[PagesManager, _SessionState] = WeakKeyDictionary()  # a session has one PagesManager


class Runner(AddressKept):
    """Runs a session's scripts one after the other, and sends what differs. `replaced.py` says what this buys.

    Streamlit begins a run in a thread of its own while one that it has told to stop still goes on: after the button
    "Stop", or when a visitor comes back whose connection broke. Both then change the session's state, each behind a
    lock of its own: entries come and go while the other reads them. For edits the option `fastReruns = false` in
    .streamlit/config.toml prevents this.

    After a visitor whose edits come too fast, others have their turn for a moment, and the next run is for all that has
    come meanwhile. No edit ends such a run early, so that the page goes on to be drawn.
    """

    def __init__(self, *about: Any, **kwargs: Any) -> None:
        super().__init__(*about, **kwargs)
        self._kept = _sessions.setdefault(self._pages_manager, _SessionState())
        self.shown = self._kept.shown
        self.gathered: deque[ForwardMsg] = deque()
        self.is_of_the_history = False
        self._rest = 0.0  # seconds

    def _run_script_thread(self) -> None:
        on_wait(self._give_way)
        with self._kept.lock:
            super()._run_script_thread()

    def _run_script(self, rerun_data: RerunData) -> None:
        self.is_of_the_history = rerun_data.is_history_navigation
        context_dg_stack.set(get_default_dg_stack_value())  # else the page goes into a part that has run just before
        super()._run_script(rerun_data)
        if self._rest:
            log.refused("edits")
            time.sleep(self._rest)

    def _on_script_finished(self, *about: Any, **kwargs: Any) -> None:
        super()._on_script_finished(*about, **kwargs)
        self._rest = self._kept.pace.take()

    def _maybe_handle_execution_control_request(self) -> None:
        if not self._rest:
            super()._maybe_handle_execution_control_request()

    def _give_way(self) -> None:
        """End a run that waits, if its visitor has asked for the same part of the page again, or for a whole page."""
        context = cast(ScriptRunContext, get_script_run_ctx())  # a run has one
        waiting, running = self._requests, context.fragment_ids_this_run or ["the whole page"]
        if self._rest and waiting._state is not ScriptRequestType.STOP:
            return
        parts = waiting._rerun_data.fragment_id_queue
        if waiting._state is ScriptRequestType.RERUN and (
            waiting._rerun_data.is_auto_rerun or (parts and not {*running} <= {*parts})
        ):
            return
        if waiting._state is not ScriptRequestType.CONTINUE:
            asked = waiting.on_scriptrunner_ready()
            raise RerunException(asked.rerun_data) if asked.type is ScriptRequestType.RERUN else StopException

    def _enqueue_forward_msg(self, msg: ForwardMsg) -> None:
        self._maybe_handle_execution_control_request()  # each element is a place where a run may end
        if not self.shown.is_known(msg):
            for each in self.shown.sent_with(msg):
                self.on_event.send(self, event=ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=each)


def _connection(session: AppSession) -> object:
    """To the visitor's browser; None while it is broken."""
    found = Runtime.instance()._session_mgr.get_active_session_info(session.id)
    return found and found.client


streamlits_tell = AppSession._on_scriptrunner_event
_GATHERED = 0.015  # seconds; each message by itself would wake the server and make the browser draw the page


def tell_what_differs(self: AppSession, sender: Runner | None, event: ScriptRunnerEvent, **about: Any) -> None:
    """Announce a run only if the browser does not show its page yet."""
    if sender is None:  # what the visitor's browser has asked for could not be read; an error takes the page's place
        _sessions.setdefault(self._pages_manager, _SessionState()).shown = PageState()
        streamlits_tell(self, sender, event, **about)
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

    def tell() -> None:  # in one go: what comes after a message has been sent waits for Streamlit's next round
        _take_all(self, sender, last)
        _take(self, sender, event, **about)

    self._call_soon_on_event_loop(tell)


def _gather(session: AppSession, runner: Runner, message: ForwardMsg) -> None:
    """Send a message together with those that follow it at once."""
    runner.gathered.append(message)
    if len(runner.gathered) == 1:
        take = partial(_take_all, session, runner, runner.gathered)

        def wait() -> None:
            session._event_loop.call_later(_GATHERED, take)

        session._call_soon_on_event_loop(wait)


def _take_all(session: AppSession, runner: Runner, gathered: deque[ForwardMsg]) -> None:
    while gathered:
        _take(session, runner, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG, forward_msg=gathered.popleft())


def _take(session: AppSession, runner: Runner, event: ScriptRunnerEvent, **about: Any) -> None:
    """Let a session take what one of its runners tells.

    When another runner has been made meanwhile, Streamlit ignores what the one before has still to tell, since they
    might run at once. Here they run one after the other, and the next one sends only what differs from all of it.
    """
    current = runner if event is ScriptRunnerEvent.SHUTDOWN else session._scriptrunner
    session._handle_scriptrunner_event_on_event_loop(current, event, **about)
