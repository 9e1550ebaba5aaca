"""All that is replaced of Streamlit. `docs/streamlit.md` asks for a public way instead of each.

Numbers are of Streamlit 1.67 on two cores: a letter is typed on Compare, and the main thread of its page is measured.
"""

from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.state.session_state import SessionState

from embedviz.server.streamlit_inside import address, files, runs

REPLACED = (
    # Why: a session runs one script at a time, and sends no element that the browser has already. It buys, with the
    # next one: a letter takes 89 and 106 ms of the browser's main thread instead of 219 and 309, and on a phone 1,469
    # instead of 2,419. It can go when Streamlit sends only what differs, and begins no run beside another.
    (app_session, "ScriptRunner", runs.Runner),
    # Why: a run of a page that the browser shows is not announced, since the browser draws all elements anew at each
    # announcement. It buys: see above. It can go when a run may begin without one.
    (AppSession, "_on_scriptrunner_event", runs.tell_what_differs),
    # Why: a value that a control cannot have leaves the control as it is, and is an error nowhere. It buys: 6 controls
    # in 10 views that an address with an empty value would break. It can go when Streamlit does the same.
    (SessionState, "_seed_widget_from_url", address.take_what_can_be),
    # Why: the usual value of a control stays in the address, since another page may have another usual value. It buys:
    # links that lead to what was on the screen. It can go when Streamlit leaves alone what the address says.
    (QueryParams, "discard_param_no_forward_msg", address.leave_parameter),
    # Why: a file that is made on demand keeps its name from run to run, so that its button is equal and not sent again.
    # It buys: up to three buttons less in each edit, and the focus stays. It can go when Streamlit keeps such names.
    (MediaFileManager, "add_deferred", files.add_by_the_same_name),
)


def replace() -> None:
    """Replace all of it, for sessions that begin from now on."""
    for owner, name, ours in REPLACED:
        setattr(owner, name, ours)
