"""Many who come and go at once, and what is left of them."""

import contextlib
import random
import threading
import time

import psutil

from embedviz.server.lifecycle import GONE_FOR
from tests.browser import server
from tests.faults.conftest import with_few_files
from tests.session import visiting

CROWD = 100
FEW = 300  # open files: with four a session, fewer than a crowd needs
SPARE = 10  # threads that come and go: of files, of the event loop's helpers
KEPT = 4 * 128  # files of the sessions that Streamlit keeps for those who may come back


def test_a_hundred_come_and_leave_within_two_seconds(target):
    """Each in the midst of a run, a third without a word; of no one a thread stays, and no file for long."""
    chance = random.Random(7)  # noqa: S311 no secret
    threads, files = target.process.num_threads(), target.process.num_fds()

    def visit(number: int, seconds: float) -> None:
        with visiting(target.port) as session:
            session.send(session.tab.open(query=f"a=cat+{number}"))
            time.sleep(seconds)
            if number % 3 == 0:
                session.connection.socket.close()

    crowd = [threading.Thread(target=visit, args=(n, chance.uniform(0, 2))) for n in range(CROWD)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join(60)
    until = time.monotonic() + 30
    while target.process.num_threads() > threads + SPARE:
        assert time.monotonic() < until, f"{target.process.num_threads()} threads, {threads} before"
        time.sleep(0.2)
    assert target.process.num_fds() < files + KEPT + SPARE
    until = time.monotonic() + 2 * GONE_FOR
    while target.process.num_fds() > files + SPARE:  # an event loop of each session is kept as long as the session
        assert time.monotonic() < until, f"{target.process.num_fds()} files, {files} before"
        time.sleep(1)


def test_a_page_that_is_loaded_anew_again_and_again(target):
    """Twenty times, each before the page has run."""
    for n in range(20):
        with visiting(target.port) as session:
            session.send(session.tab.open(query=f"a=cat+{n}"))
            time.sleep(0.05)
    with visiting(target.port) as session:
        session.run("view=pairs&a=cat+that+stays")
        assert "cat that stays" in session.screen.text


def test_a_crowd_fits_where_a_process_may_open_few_files_at_first(tmp_path):
    """As most systems start it; there is a limit that the process itself may raise."""
    port, log = server.free_port(), tmp_path / "log.txt"
    few = with_few_files(server.uvicorn(port), FEW)
    with server.running(few, port, {"EMBEDVIZ_CACHE": str(tmp_path)}, log), contextlib.ExitStack() as crowd:
        for _ in range(CROWD):
            crowd.enter_context(visiting(port))
        with visiting(port) as session:
            session.run("view=pairs&a=the+last+of+many")
            assert "the last of many" in session.screen.text
            process = next(each for each in psutil.Process().children(recursive=True) if str(port) in each.cmdline())
            assert process.num_fds() > FEW
    assert "few files" not in log.read_text()
    assert '"ERROR"' not in log.read_text()
