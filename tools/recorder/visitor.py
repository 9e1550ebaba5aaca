"""What a visitor of a recording does after a page was opened."""

import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.ask import bring
from tests.session import Session


@dataclass(frozen=True)
class Edit:
    """What a visitor does next: gives a control a value, lets a component send an event, or goes to a page.

    key: of the control or component; "page" goes to the page of that name, "wait" runs what wants to be run again
    until nothing does. event: of a component, or the name of a file that is brought along. is_kept: False if what is
    shown then hangs on how fast the server is.
    """

    key: str
    value: object = True
    event: str = ""
    is_kept: bool = True


def carry_out(session: Session, edit: Edit) -> list[ForwardMsg]:
    """Do it, and wait until the script has run."""
    if edit.key == "page":
        return session.ask(session.tab.go(str(edit.value)))
    if edit.key == "wait":
        return _until_still(session)
    if session.tab.controls[edit.key].kind == "file_uploader":
        return session.edit(edit.key, _brought(session, edit.event, str(edit.value).encode()))
    return session.edit(edit.key, edit.value, edit.event)


def _until_still(session: Session) -> list[ForwardMsg]:
    """Run the part that wants it again and again, until a run of the whole page leaves none that does."""
    messages: list[ForwardMsg] = []
    while session.tab.again:
        time.sleep(0.2)
        messages = session.ask(session.tab.look_again())
    session.n_early = 0  # how often it had to look again is chance
    return messages


def url_of(session: Session, deferred_file_id: str) -> str:
    """Let the server make a file that it makes only when it is asked for. Returns its path."""
    asked = {"request_id": deferred_file_id, "session_id": session.tab.id}
    message = BackMsg(backend_operation_request=asked | {"deferred_file": {"file_id": deferred_file_id}})
    return session.answer(message, "backend_operation_response").deferred_file.url


def _brought(session: Session, name: str, data: bytes) -> UploadedFileInfo:
    """Send a file; what the field for it then says of it."""
    urls = session.room_for(name)[0]
    answer = bring(urlsplit(session.tab.address).port, urls.upload_url, data, name)
    assert answer.status == 204, answer
    return UploadedFileInfo(file_id=urls.file_id, name=name, size=len(data), file_urls=urls)
