"""What the server lets browsers do, over a real server."""

import base64
import gzip
import hashlib
import re

import pytest

from tests.server.conftest import PARENT

PATHS = ("/", "/lookup", "/healthz", "/_stcore/health", "/favicon.png")


def rules(policy: str) -> dict[str, list[str]]:
    return {name: values for name, *values in (rule.split() for rule in policy.split(";"))}


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_them(site, path):
    answer = site.ask(path)
    headers = answer.headers
    assert answer.status == 200
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    found = rules(headers["Content-Security-Policy"])
    assert found["frame-ancestors"] == ["'self'", PARENT]
    allowed = {source for name, sources in found.items() for source in sources if name != "frame-ancestors"}
    outside = {source for source in allowed if not source.startswith("'") and source not in ("blob:", "data:")}
    assert outside == set()
    assert "'unsafe-eval'" not in allowed
    assert "'unsafe-inline'" not in found["script-src"]


def test_a_part_of_a_page_is_what_it_says_and_leaves_the_rest_to_the_page(site):
    page = site.ask("/").text
    parts = [*re.findall(r'<script src="([^"]+)"', page), *re.findall(r'href="([^"]+\.css)"', page)]
    assert len(parts) > 1
    for part in (*parts, "assets/plotly/plotly.min.js"):
        headers = site.ask(f"/{part.removeprefix('./')}").headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "Content-Security-Policy" not in headers
    policy = rules(site.ask("/").headers["Content-Security-Policy"])
    assert policy["worker-src"] == ["blob:"]  # a worker's script from a file would need a policy of its own


def test_a_page_is_sent_compressed_to_whom_takes_it(site):
    plain = site.ask("/lookup")
    small = site.ask("/lookup", Accept_Encoding="gzip")
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.body) == plain.body
    assert "Accept-Encoding" in small.headers["Vary"]


def test_files_can_be_brought_along_in_another_sites_frame_too(site):
    over = {"https": "SameSite=None; Secure; Partitioned", "http": "SameSite=Lax"}
    for scheme, said in over.items():
        cookie = site.ask("/_stcore/health", X_Forwarded_Proto=scheme).headers["Set-Cookie"]
        assert cookie.startswith("_streamlit_xsrf=")
        assert cookie.endswith(said)


def test_every_script_in_the_page_itself_is_named_by_its_hash(site):
    answer = site.ask("/")
    inside = re.findall(r"<script>(.*?)</script>", answer.text, re.DOTALL)
    assert inside
    named = rules(answer.headers["Content-Security-Policy"])["script-src"]
    for script in inside:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in named


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics/x"])
def test_streamlits_metrics_are_closed(site, path):
    assert site.ask(path).status == 404


def test_alive_and_warm(site):
    for path, word in (("/healthz", "alive"), ("/readyz", "ready")):
        answer = site.ask(path)
        assert (answer.status, answer.text) == (200, word)
