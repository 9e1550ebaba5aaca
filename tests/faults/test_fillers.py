"""What would fill the server: files, and what visitors leave behind."""

import contextlib
import io
import socket
import time

import numpy as np
import pytest
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.ask import ask, bring
from tests.faults.conftest import GROWTH, Target
from tests.session import Session, visiting
from tests.vectors.worst_files import WORST

LARGEST = b"x" * 5_000_000
PUT = "PUT {path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=part\r\n{more}\r\n\r\n"
LEFT = 75.0  # seconds after which what a visitor left is gone


def stays_small(target: Target, before: int, seconds: float = 20.0) -> None:
    """The server soon has no more memory than before."""
    until = time.monotonic() + seconds
    while (grown := target.memory() - before) > GROWTH:
        assert time.monotonic() < until, f"{grown / 2**20:.0f} MiB more than before"
        time.sleep(0.5)


def test_300_files_in_one_session(target):
    with visiting(target.port) as session:
        session.run(page="batches", query="sample=file")
        before = target.memory()
        for _ in range(300):
            assert bring(target.port, session.room_for("a.txt")[0].upload_url, LARGEST).status == 204
        stays_small(target, before)


def test_files_under_names_that_nobody_gave(target):
    with visiting(target.port) as session:
        session.run()
        before = target.memory()
        path = f"/_stcore/upload_file/{session.tab.id}"
        for n in range(60):
            assert bring(target.port, f"{path}/{n}", LARGEST).status == 404
        stays_small(target, before)


def test_nobody_puts_or_takes_away_another_s_file(target):
    with visiting(target.port) as session, visiting(target.port) as other:
        session.run(page="batches", query="sample=file")
        other.run()
        urls = session.room_for("a.txt")[0]
        assert bring(target.port, urls.upload_url.replace(session.tab.id, other.tab.id), b"x").status == 404
        assert bring(target.port, urls.upload_url, b"the cat sat on the mat and the dog").status == 204
        assert bring(target.port, urls.upload_url, b"the dog ran").status == 404
        assert ask(target.port, f"/_stcore/upload_file/{other.tab.id}/{urls.file_id}", "DELETE").status == 403
        session.edit("upload", UploadedFileInfo(file_id=urls.file_id, name="a.txt", size=34, file_urls=urls))
        assert "no longer has your file" not in session.screen.text


@pytest.mark.parametrize("more", ["Content-Length: 5000000", "Transfer-Encoding: chunked"])
def test_files_that_never_end(target, more):
    """Each from a visitor of its own, who then leaves: the server does not wait for the rest."""
    part = b'--part\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + LARGEST[:4_000_000]
    cookie = ask(target.port, "/_stcore/health").headers["Set-Cookie"].partition(";")[0]
    more += f"\r\nCookie: {cookie}\r\nX-Xsrftoken: {cookie.partition('=')[2]}"
    with contextlib.ExitStack() as plugs, contextlib.ExitStack() as visitors:
        for _ in range(30):
            session = visitors.enter_context(visiting(target.port))
            session.run()
            plug = plugs.enter_context(socket.create_connection(("127.0.0.1", target.port), 30))
            plug.sendall(PUT.format(path=session.room_for("a.txt")[0].upload_url, more=more).encode())
            plug.sendall(part if "Length" in more else b"%x\r\n%b" % (len(part), part))
        open_plugs = plugs.pop_all()
        visitors.close()
        with open_plugs:
            for plug in open_plugs._exit_callbacks:
                answer = plug[1].__self__.recv(20)
                assert answer.startswith(b"HTTP/1.1 408"), answer


def test_what_visitors_leave_is_freed_though_nobody_else_leaves(target):
    before = target.memory()
    for _ in range(20):  # a network may have no more
        with visiting(target.port) as session:
            session.run(page="batches", query="sample=file")
            urls = session.room_for("a.txt")[0]
            assert bring(target.port, urls.upload_url, LARGEST).status == 204
    assert target.memory() - before > 75_000_000
    stays_small(target, before, LEFT)


def test_who_comes_back_after_a_while_is_asked_for_the_file_again(target):
    with visiting(target.port) as session:
        session.run(page="batches", query="sample=file")
        urls = session.room_for("a.txt")[0]
        name = UploadedFileInfo(file_id=urls.file_id, name="a.txt", size=22, file_urls=urls)
        assert bring(target.port, urls.upload_url, b"the cat sat on the mat").status == 204
        session.edit("upload", name)
        assert "no longer has your file" not in session.screen.text
    time.sleep(LEFT)
    with visiting(target.port, session=session.tab.id) as again:
        again.run(page="batches", query="sample=file")
        assert again.tab.id != session.tab.id
        again.edit("upload", name)
        assert "The server no longer has your file" in again.screen.text


def bring_vectors(target: Target, session: Session, name: str, data: bytes) -> str:
    """Bring a file of vectors as a browser does, and return what the page says then."""
    urls = session.room_for(name)[0]
    answer = bring(target.port, urls.upload_url, data, name)
    if answer.status == 204:
        session.edit("own_file", UploadedFileInfo(file_id=urls.file_id, name=name, size=len(data), file_urls=urls))
    return session.screen.text if answer.status == 204 else str(answer.status)


def test_files_of_vectors_that_are_more_than_they_say(target):
    """Each comes three times from a visitor of its own, who stays. None is kept in memory, nor what refused it."""
    before = target.memory()
    with contextlib.ExitStack() as visitors:
        for name, make in list(WORST.items()) * 3:
            session = visitors.enter_context(visiting(target.port))
            session.run(query="source=own")
            said = bring_vectors(target, session, name, make())
            assert "Choose a file" in said, name
        assert len(visitors._exit_callbacks) > 40
        stays_small(target, before)


def test_large_files_that_are_refused(target):
    """Nothing of them stays, though their visitors stay and do nothing more."""
    before, file = target.memory(), WORST["complex.npy"]()
    with contextlib.ExitStack() as visitors:
        for _ in range(10):
            session = visitors.enter_context(visiting(target.port))
            session.run(query="source=own")
            assert "has no table of numbers" in bring_vectors(target, session, "complex.npy", file)
        stays_small(target, before)


def test_one_network_leaves_room_for_the_vectors_of_others(target):
    """Whoever has brought as much as one network may is told so, and nobody else is."""
    before, file = target.memory(), io.BytesIO()
    np.save(file, np.ones((500_000, 40), np.int8))
    with contextlib.ExitStack() as visitors:
        said = []
        for _ in range(9):
            session = visitors.enter_context(visiting(target.port))
            session.run(query="source=own")
            said.append(bring_vectors(target, session, "ones.npy", file.getvalue()))
        assert "In use" in said[0]
        assert "Visitors from your network" in said[-1]
    stays_small(target, before, LEFT)


def test_controls_that_no_page_has(target):
    """Their values are not kept, and the page goes on as if they had not been sent."""
    with visiting(target.port) as session:
        session.run()
        before = target.memory()
        for n in range(150):
            name = ("$$ID-", "")[n % 2] + f"unknown-{n}"
            session.ask(session.tab.rerun(WidgetState(id=name, string_value="x" * 900_000)))
        assert session.tab.failed == []
        stays_small(target, before)


def test_addresses_for_half_a_million_files(target):
    """One message names them all; the witness is served meanwhile."""
    with visiting(target.port) as session:
        session.run()
        for _ in range(20):
            assert len(session.room_for(*[""] * 500_000)) == 1
