"""What a visitor of a recording does after a page was opened."""

import time
import urllib.request
from dataclasses import dataclass

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

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
    return _answer(session, message, "backend_operation_response").deferred_file.url


def _brought(session: Session, name: str, data: bytes) -> UploadedFileInfo:
    """Send a file; what the field for it then says of it."""
    asked = {"request_id": "file", "session_id": session.tab.id, "file_names": [name]}
    urls = _answer(session, BackMsg(file_urls_request=asked), "file_urls_response").file_urls[0]
    _put(session.tab.address, urls.upload_url, name, data)
    return UploadedFileInfo(file_id=urls.file_id, name=name, size=len(data), file_urls=urls)


def _answer(session: Session, message: BackMsg, kind: str) -> object:
    """What comes of this kind once this was sent."""
    session.send(message)
    while (answer := session.next()).WhichOneof("type") != kind:
        pass
    return getattr(answer, kind)


def _put(address: str, path: str, name: str, data: bytes) -> None:
    """Send a file to an address, as a form does."""
    with urllib.request.urlopen(f"{address}/_stcore/health") as answer:  # noqa: S310
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
    head = f'--part\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = head.encode() + b"Content-Type: text/plain\r\n\r\n" + data + b"\r\n--part--\r\n"
    headers = {
        "Content-Type": "multipart/form-data; boundary=part",
        "Cookie": cookie,
        "X-Xsrftoken": cookie.partition("=")[2],
    }
    request = urllib.request.Request(address + path, body, headers, method="PUT")  # noqa: S310
    urllib.request.urlopen(request).close()  # noqa: S310
