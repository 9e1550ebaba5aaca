"""A real server with small limits, and visitors who meet each of them; its log and its metrics tell of it."""

import contextlib
import re
import socket
from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from tests.ask import bring
from tests.faults.test_connections import HANDSHAKE
from tests.server.conftest import SETTINGS, Site
from tests.session import visiting

SECRET = "zyxwvut"  # what a visitor types; no word of ours
MOST = int(SETTINGS["SESSIONS"])


@contextlib.contextmanager
def crowd(site: Site, n: int) -> Iterator[None]:
    """So many visitors who only hold their places."""
    with contextlib.ExitStack() as stack:
        for _ in range(n):
            stack.enter_context(visiting(site.port))
        yield


def test_who_finds_no_place_gets_a_page_that_says_so(site):
    before = site.count('embedviz_refused_total{limit="sessions"}')
    with crowd(site, MOST):
        for method in ("GET", "HEAD"):
            answer = site.ask(f"/lookup?a={SECRET}&embed_options=dark_theme", method)
            assert (answer.status, answer.headers["Retry-After"]) == (503, "7")
            assert answer.headers["Cache-Control"] == "no-store"
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
            if method == "GET":
                page = answer.text
                assert f"{MOST} visitors are connected. At most {MOST} fit at a time." in page
                assert "every 7 seconds" in page
                assert '<html lang="en" dir="ltr" class="dark_theme">' in page
                assert SECRET not in page
        script = re.search(r'<script src="([^"]+)"', site.ask("/").text)[1]
        assert site.ask(f"/{script}").status == 200
        assert site.ask("/readyz").status == 200
        with pytest.raises(InvalidStatus) as refused, visiting(site.port):
            pass
        assert refused.value.response.status_code == 503
        assert site.count("embedviz_sessions") == MOST
    assert site.count('embedviz_refused_total{limit="sessions"}') == before + 3  # two pages, one connection
    site.is_empty()
    assert site.ask("/").status == 200


def test_who_was_in_comes_back_into_a_full_server(site):
    with visiting(site.port) as first:
        first.run()
    site.is_empty()
    with crowd(site, MOST), visiting(site.port, session=first.tab.id) as again:
        again.run()
        assert again.tab.id == first.tab.id


def test_who_comes_from_another_address_finds_a_place_though_one_address_has_all(site):
    """All of 127.0.0.0/8 is this machine."""
    with crowd(site, MOST), contextlib.ExitStack() as others:
        came = []
        for _ in range(2):
            other = others.enter_context(socket.create_connection(("127.0.0.1", site.port), 60, ("127.0.0.2", 0)))
            other.sendall(HANDSHAKE.format(port=site.port, more="").encode())
            came.append(other.recv(12))
        assert came == [b"HTTP/1.1 101", b"HTTP/1.1 503"]


def test_a_browser_that_is_in_may_load_the_page_anew(site):
    cookie = "_streamlit_xsrf=2|abc|def|1"
    with visiting(site.port, cookie), crowd(site, MOST - 1):
        assert site.ask("/").status == 503
        assert site.ask("/", Cookie=cookie).status == 200
        with visiting(site.port, cookie) as again:
            assert again.run()


def test_a_flood_of_edits_is_slowed_and_the_last_one_is_shown(site):
    before = site.count('embedviz_refused_total{limit="edits"}')
    with visiting(site.port) as session:
        session.run("view=pairs")
        for n in range(100):
            session.send(session.tab.edit("a", f"dog {n}"))
        session.send(session.tab.edit("a", "cat cat cat"))
        n_runs = 0
        while "cat cat cat" not in session.screen.text:
            session.wait()
            n_runs += 1
        assert 2 < n_runs < 40  # what lies in between is drawn too
    assert site.lines("refused")[-1]["limit"] == "edits"
    assert site.count('embedviz_refused_total{limit="edits"}') > before


def test_a_message_too_large_ends_its_connection_alone(site):
    with visiting(site.port) as other, visiting(site.port) as session:
        session.connection.send(b"x" * (320 * 1024 + 1))
        with pytest.raises(ConnectionClosedError) as closed:
            session.wait()
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1009, "A message may have 320 KiB at most.")
        assert other.run()
    assert site.count('embedviz_refused_total{limit="message"}') == 1


def test_an_address_too_long_gets_a_page_that_says_what_to_do(site):
    answer = site.ask(f"/lookup?a={SECRET}{'x' * 4096}")
    page = answer.text
    assert answer.status == 414
    assert "This address is too long" in page
    assert "at most 4,096 are allowed" in page
    assert SECRET not in page
    assert site.ask(f"/?a={'x' * 4000}").status == 200
    with contextlib.suppress(ConnectionError):  # the server itself reads no further
        assert site.ask(f"/?a={'x' * 200_000}").status == 400
    assert site.ask("/healthz").status == 200


def test_a_file_too_large_is_refused(site):
    with visiting(site.port) as session:
        session.run()
        answer = bring(site.port, session.room_for("a.txt")[0].upload_url, b"x" * (2 * 2**20))
    assert (answer.status, "too large" in answer.text.lower()) == (413, True)


def test_a_value_of_what_is_no_control_does_no_harm(site):
    with visiting(site.port) as session:
        session.run("view=pairs")
        session.ask(session.tab.rerun(WidgetState(id="no-control", string_value="x")))
        session.edit("a", "the page goes on")
        assert session.tab.failed == []
        assert "the page goes on" in session.screen.text


def test_a_longer_sentence_is_cut_and_the_page_says_so(site):
    with visiting(site.port) as session:
        session.run("view=pairs")
        session.edit("a", "dog " * 40)
        assert "the first 16 are" in session.screen.text


def test_the_log_is_json_and_says_nothing_that_a_visitor_has_typed(site):
    with visiting(site.port) as session:
        session.run("view=pairs&a=a")
        session.edit("a", SECRET)
        assert SECRET in session.screen.text
    site.ask(f"/lookup?a={SECRET}")
    site.is_empty()
    assert len(site.lines("starts")) == len(site.lines("ready")) == 1
    assert site.lines("starts")[0]["settings"]["sessions"] == str(MOST)
    assert site.lines("ready")[0]["seconds"] > 0
    assert site.lines("session opened")
    assert site.lines("session closed")
    text = site.log.read_text()
    assert SECRET not in text
    own = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(("You can now", "URL:"))]
    assert all(line.startswith("{") for line in own), own


def test_a_session_moves_the_metrics(site):
    pages = 'embedviz_rerun_seconds_count{page="compare"}'
    with visiting(site.port) as session:
        before = site.count(pages), site.count("embedviz_turn_wait_seconds_count")
        built, n_bytes = site.count("embedviz_tables_built_total"), site.count("embedviz_table_bytes")
        assert site.count("embedviz_sessions") == 1
        session.run("view=pairs&seed=77")
        assert site.count(pages) > before[0]
        assert site.count("embedviz_turn_wait_seconds_count") > before[1]
        assert site.count("embedviz_tables_built_total") == built + 2  # tokens and positions
        assert site.count("embedviz_table_bytes") >= n_bytes + 50_257 * 256 * 4
    assert site.count("embedviz_open_reruns") == 0
    assert site.count('embedviz_queue{of="training"}') == 0
