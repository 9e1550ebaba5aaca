"""What the server lets browsers do, over a real server."""

import base64
import hashlib
import http.client
import re
from collections.abc import Iterator

import pytest

from tests.browser import server

PARENT = "https://course.example.org"
PATHS = ("/", "/lookup", "/healthz", "/_stcore/health", "/assets/plotly/plotly.min.js", "/favicon.png")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    port = server.free_port()
    with server.running(server.uvicorn(port), port, {"EMBEDVIZ_FRAME_ANCESTORS": PARENT}):
        yield port


def ask(port: int, path: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read().decode("latin-1")
    connection.close()
    return found


def rules(policy: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (rule.split() for rule in policy.split(";"))}


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_them(port, path):
    status, headers, _ = ask(port, path)
    assert status == 200
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    found = rules(headers["content-security-policy"])
    assert found["frame-ancestors"] == ["'self'", PARENT]
    allowed = {source for name, sources in found.items() for source in sources if name != "frame-ancestors"}
    outside = {source for source in allowed if not source.startswith("'") and source not in ("blob:", "data:")}
    assert outside == set()
    assert "'unsafe-eval'" not in allowed
    assert "'unsafe-inline'" not in found["script-src"]


def test_every_script_in_the_page_itself_is_named_by_its_hash(port):
    _, headers, page = ask(port, "/")
    inside = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert inside
    named = rules(headers["content-security-policy"])["script-src"]
    for script in inside:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in named


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics/x"])
def test_streamlits_metrics_are_closed(port, path):
    assert ask(port, path)[0] == 404


def test_alive_and_warm(port):
    assert ask(port, "/healthz")[::2] == (200, "alive")
    assert ask(port, "/readyz")[::2] == (200, "ready")
