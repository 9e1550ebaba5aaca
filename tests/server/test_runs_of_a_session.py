"""No two runs of one session at once, whatever its browser asks for: they would change its state behind each other."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser import server
from tests.session import visiting

pytestmark = pytest.mark.xdist_group("runs")  # in one worker, which starts their server once


@dataclass
class Steps:
    port: int
    log: Path
    _read: int = 0

    def lines(self, n: int) -> list[str]:
        """The next n that the page has written."""
        until = time.monotonic() + 150
        while len(found := self._written()[self._read :]) < n:
            assert time.monotonic() < until, found
            time.sleep(0.02)
        self._read += n
        return found[:n]

    def skip(self) -> None:
        """Leave out what has been written so far."""
        self._read = len(self._written())

    def _written(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if line in ("begins", "ends", "pressed")]


def started(folder: Path, *more: str) -> Iterator[Steps]:
    port = server.free_port()
    command = [sys.executable, "-m", "tests.server.steps", str(port), *more]
    with server.running(command, port, log=folder / "log.txt"):
        yield Steps(port, folder / "log.txt")


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Iterator[Steps]:
    yield from started(tmp_path_factory.mktemp("ours"))


@pytest.fixture(scope="module")
def streamlits(tmp_path_factory) -> Iterator[Steps]:
    yield from started(tmp_path_factory.mktemp("streamlits"), "apart")


def edits(site: Steps, seconds: float) -> list[str]:
    """An edit while the page runs."""
    with visiting(site.port) as session:
        session.send(session.tab.open(query=f"seconds={seconds}"))
        first = site.lines(1)
        session.send(session.tab.open())
        return first + site.lines(3)


def stops(site: Steps, seconds: float) -> list[str]:
    """The button "Stop" while the page runs, and an edit after it."""
    with visiting(site.port) as session:
        session.send(session.tab.open(query=f"seconds={seconds}"))
        first = site.lines(1)
        session.send(BackMsg(stop_script=True))
        session.send(session.tab.open())
        return first + site.lines(3)


def comes_back(site: Steps, seconds: float) -> list[str]:
    """The connection ends while the page runs, and another takes its place."""
    with ExitStack() as stack:
        session = stack.enter_context(visiting(site.port))
        session.run()
        site.lines(2)
        session.send(session.tab.open(query=f"seconds={seconds}"))
        first = site.lines(1)
        stack.close()
        again = stack.enter_context(visiting(site.port, session=session.tab.id))
        again.send(again.tab.open())
        found = first + site.lines(3)
        again.wait()
        assert again.tab.id == session.tab.id
        return found


@pytest.fixture(autouse=True)
def _only_what_follows(request):
    for name in {"ours", "streamlits"} & set(request.fixturenames):
        request.getfixturevalue(name).skip()


BESIDE = 0.3  # seconds in which a run that nothing holds back begins
FOR_EVER = 120.0


@pytest.mark.parametrize("way", [edits, stops, comes_back])
def test_one_run_ends_before_the_next_begins(ours, way):
    assert way(ours, BESIDE) == ["begins", "ends", "begins", "ends"]


def test_edits_do_so_by_streamlits_own_option(streamlits):
    """`fastReruns` in .streamlit/config.toml."""
    assert edits(streamlits, BESIDE) == ["begins", "ends", "begins", "ends"]


def test_a_press_is_not_lost_to_the_edit_that_follows(ours):
    with visiting(ours.port) as session:
        session.run(f"seconds={BESIDE}")
        ours.lines(2)
        session.send(session.tab.open(query=f"seconds={BESIDE}"))
        assert ours.lines(1) == ["begins"]
        session.send(session.tab.edit("press"))
        session.send(session.tab.edit("field", "more"))
        assert ours.lines(4) == ["ends", "begins", "ends", "pressed"]


def test_an_edit_is_not_lost_to_a_part_that_ends_the_page(ours):
    """Such as one that ends with a message, while the visitor types on."""
    with visiting(ours.port) as session:
        session.send(session.tab.open(query=f"seconds={BESIDE}&part="))
        while "inside" not in session.tab.controls:
            session.next()
        session.send(session.tab.edit("inside", "more"))
        assert ours.lines(4) == ["begins", "ends", "begins", "ends"]


def test_a_part_that_waits_ends_when_its_visitor_types_on(ours):
    with visiting(ours.port) as session:
        session.run("waits=")
        assert ours.lines(2) == ["begins", "ends"]
        session.send(session.tab.edit("inside", "wait"))
        assert ours.lines(1) == ["begins"]
        session.send(session.tab.edit("inside", "more"))
        assert ours.lines(2) == ["begins", "ends"]
        session.wait()
        assert 'body: "whole"' in session.screen.text


@pytest.mark.parametrize("way", [edits, stops])
def test_a_part_that_waits_ends_with_its_page(ours, way):
    with visiting(ours.port) as session:
        session.run("waits=")
        ours.lines(2)
        session.send(session.tab.edit("inside", "wait"))
        assert ours.lines(1) == ["begins"]
        if way is stops:
            session.send(BackMsg(stop_script=True))
        session.send(session.tab.open())
        assert ours.lines(2) == ["begins", "ends"]


@pytest.mark.parametrize("way", [stops, comes_back])
def test_streamlit_alone_lets_them_run_side_by_side(streamlits, way):
    """When this fails, the lock in `streamlit_inside.runs.Runner` can go."""
    assert way(streamlits, FOR_EVER) == ["begins", "begins", "ends", "ends"]


@pytest.mark.parametrize(("query", "preferred", "tag"), [("", "ja", "ja"), ("&lang=de", "ja", "de"), ("", "", "en")])
def test_every_place_of_a_page_speaks_its_visitors_language(ours, query, preferred, tag):
    with visiting(ours.port, language=preferred) as session:
        session.run(f"words=1{query}")
        said = {f'body: "{place} {tag}"' for place in ("page", "thread", "part")}
        assert all(each in session.screen.text for each in said)
        session.edit("press_part")
        assert f'body: "press in part {tag}"' in session.screen.text
        session.edit("press_page")
        assert f'body: "press {tag}"' in session.screen.text


def test_one_session_speaks_another_language_once_it_is_asked_to(ours):
    with visiting(ours.port, language="ja") as session:
        for query, tag in (("", "ja"), ("&lang=de", "de"), ("&lang=fr", "fr"), ("", "ja")):
            session.run(f"words=1{query}")
            assert f'body: "page {tag}"' in session.screen.text
            assert f'body: "part {tag}"' in session.screen.text
