"""A real server with small limits, and visitors who meet each of them; its log and its metrics tell of it."""

import contextlib
import http.client
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from tests.browser import server
from tests.session import visiting

SETTINGS = {
    "SESSIONS": "2",
    "RETRY_SECONDS": "7",
    "EDITS_PER_SECOND": "2",
    "EDITS_AT_ONCE": "5",
    "TOKENS": "16",
    "DIMENSIONS": "256",
    "TRAINING_STEPS": "300",
    "UPLOAD_MB": "1",
    "ADDRESS_KIB": "4",
    "MESSAGE_KIB": "320",
}
SECRET = "zyxwvut"  # what a visitor types; no word of ours


@dataclass
class Edge:
    port: int
    metrics_port: int
    log: Path

    def ask(self, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> tuple[int, dict, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode()
        connection.close()
        return found

    def lines(self, event: str) -> list[dict]:
        found = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in found if line["event"] == event]

    def count(self, name: str) -> float:
        connection = http.client.HTTPConnection("127.0.0.1", self.metrics_port, timeout=20)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])

    def is_empty(self) -> None:
        until = time.monotonic() + 10
        while self.count("embedviz_sessions"):
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.fixture(scope="module")
def edge(tmp_path_factory) -> Iterator[Edge]:
    found = Edge(server.free_port(), server.free_port(), tmp_path_factory.mktemp("log") / "log.txt")
    variables = SETTINGS | {"METRICS_PORT": str(found.metrics_port)}
    variables = {f"EMBEDVIZ_{name}": value for name, value in variables.items()}
    with server.running(server.streamlit(found.port), found.port, variables, found.log):
        yield found


@pytest.fixture(autouse=True)
def _empty(edge):
    edge.is_empty()


def test_who_finds_no_place_gets_a_page_that_says_so(edge):
    before = edge.count('embedviz_refused_total{limit="sessions"}')
    with visiting(edge.port), visiting(edge.port):
        for method in ("GET", "HEAD"):
            status, headers, page = edge.ask(f"/lookup?a={SECRET}&embed_options=dark_theme", method)
            assert (status, headers["retry-after"], headers["cache-control"]) == (503, "7", "no-store")
            assert "default-src 'self'" in headers["content-security-policy"]
            if method == "GET":
                assert "2 visitors are in. 2 are the most that fit at a time." in page
                assert "every 7 seconds" in page
                assert '<html lang="en" class="dark_theme">' in page
                assert SECRET not in page
        script = re.search(r'<script src="([^"]+)"', edge.ask("/")[2])[1]
        assert edge.ask(f"/{script}")[0] == 200
        assert edge.ask("/readyz")[0] == 200
        with pytest.raises(InvalidStatus) as refused, visiting(edge.port):
            pass
        assert refused.value.response.status_code == 503
        assert edge.count("embedviz_sessions") == 2
    assert edge.count('embedviz_refused_total{limit="sessions"}') == before + 3  # two pages, one connection
    edge.is_empty()
    assert edge.ask("/")[0] == 200


def test_who_was_in_comes_back_into_a_full_server(edge):
    with visiting(edge.port) as first:
        first.run()
    edge.is_empty()
    with visiting(edge.port), visiting(edge.port), visiting(edge.port, session=first.session) as again:
        again.run()
        assert again.session == first.session


def test_a_browser_that_is_in_may_load_the_page_anew(edge):
    cookie = "_streamlit_xsrf=2|abc|def|1"
    with visiting(edge.port, cookie), visiting(edge.port):
        assert edge.ask("/")[0] == 503
        assert edge.ask("/", Cookie=cookie)[0] == 200
        with visiting(edge.port, cookie) as again:
            assert again.run()


def test_a_flood_of_edits_is_slowed_and_the_last_one_is_shown(edge):
    with visiting(edge.port) as session:
        session.run()
        field = session.widget("a")
        for n in range(100):
            session.send(**{field: f"dog {n}"})
        session.send(**{field: "cat cat cat"})
        until = time.monotonic() + 30
        n_runs = 0
        while "cat cat cat" not in session.shown:
            assert time.monotonic() < until
            session.wait()
            n_runs += 1
        assert n_runs < 40
        assert "More than 2 changes a second" in session.shown
    assert edge.lines("refused")[-1]["limit"] == "edits"
    assert edge.count('embedviz_refused_total{limit="edits"}') == 1


def test_a_message_too_large_ends_its_connection_alone(edge):
    with visiting(edge.port) as other, visiting(edge.port) as session:
        session.connection.send(b"x" * (320 * 1024 + 1))
        with pytest.raises(ConnectionClosedError) as closed:
            session.wait()
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1009, "A message may have 320 KiB at most.")
        assert other.run()
    assert edge.count('embedviz_refused_total{limit="message"}') == 1


def test_an_address_too_long_gets_a_page_that_says_what_to_do(edge):
    status, _, page = edge.ask(f"/lookup?a={SECRET}{'x' * 4096}")
    assert status == 414
    assert "This address is too long" in page
    assert "4,096 are the most" in page
    assert SECRET not in page
    assert edge.ask(f"/?a={'x' * 4000}")[0] == 200
    with contextlib.suppress(ConnectionError):  # the server itself reads no further
        assert edge.ask(f"/?a={'x' * 200_000}")[0] == 400
    assert edge.ask("/healthz")[0] == 200


def test_a_file_too_large_is_refused(edge):
    body = b"x" * (2 * 2**20)
    with visiting(edge.port) as session:
        session.run()
        path = f"/_stcore/upload_file/{session.session}/11111111-1111-1111-1111-111111111111"
        token = "2|00000000|00000000|1"
        status, _, text = edge.ask(path, "PUT", body, **{"X-Xsrftoken": token, "Cookie": f"_streamlit_xsrf={token}"})
    assert (status, "too large" in text.lower()) == (413, True)


def test_a_longer_sentence_is_cut_and_the_page_says_so(edge):
    with visiting(edge.port) as session:
        session.run()
        session.run(**{session.widget("a"): "dog " * 40})
        assert "the first 16 are" in session.shown


def test_the_log_is_json_and_says_nothing_that_a_visitor_has_typed(edge):
    with visiting(edge.port) as session:
        session.run(f"a={SECRET}")
        session.run(**{session.widget("a"): SECRET})
        assert SECRET in session.shown
    edge.ask(f"/lookup?a={SECRET}")
    edge.is_empty()
    assert len(edge.lines("starts")) == len(edge.lines("ready")) == 1
    assert edge.lines("starts")[0]["settings"]["sessions"] == "2"
    assert edge.lines("ready")[0]["seconds"] > 0
    assert len(edge.lines("session opened")) == len(edge.lines("session closed")) > 0
    text = edge.log.read_text()
    assert SECRET not in text
    own = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(("You can now", "URL:"))]
    assert all(line.startswith("{") for line in own), own


def test_a_session_moves_the_metrics(edge):
    pages = 'embedviz_rerun_seconds_count{page="compare"}'
    with visiting(edge.port) as session:
        before = edge.count(pages), edge.count("embedviz_turn_wait_seconds_count")
        built, n_bytes = edge.count("embedviz_tables_built_total"), edge.count("embedviz_table_bytes")
        assert edge.count("embedviz_sessions") == 1
        session.run("seed=77")
        assert edge.count(pages) > before[0]
        assert edge.count("embedviz_turn_wait_seconds_count") > before[1]
        assert edge.count("embedviz_tables_built_total") == built + 2  # tokens and positions
        assert edge.count("embedviz_table_bytes") >= n_bytes + 50_257 * 256 * 4
    assert edge.count("embedviz_open_reruns") == 0
    assert edge.count('embedviz_queue{of="training"}') == edge.count('embedviz_queue{of="projection"}') == 0
