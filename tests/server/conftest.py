"""One real server for all tests here that only ask it, with small limits, metrics, and a page that may frame it."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from embedviz.base.locale.catalogues import languages
from tests.ask import Answer, ask
from tests.browser import server

PARENT = "https://course.example.org"
SETTINGS = {
    "SESSIONS": str(len(languages())),  # a visitor of each language
    "RETRY_SECONDS": "7",
    "EDITS_PER_SECOND": "1",  # so few that a slow machine runs into it too
    "EDITS_AT_ONCE": "5",
    "TOKENS": "16",
    "DIMENSIONS": "256",
    "TRAINING_STEPS": "300",
    "UPLOAD_MB": "1",
    "VECTORS_MIB": "1",
    "ADDRESS_KIB": "4",
    "MESSAGE_KIB": "320",
    "FRAME_ANCESTORS": PARENT,
}


@dataclass
class Site:
    port: int
    metrics_port: int
    log: Path

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        return ask(self.port, path, method, body, **headers)

    def lines(self, event: str) -> list[dict]:
        found = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in found if line["event"] == event]

    def count(self, name: str) -> float:
        text = ask(self.metrics_port, "/metrics").text
        return float(re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])

    def is_empty(self) -> None:
        until = time.monotonic() + 120
        while self.count("embedviz_sessions"):
            assert time.monotonic() < until
            time.sleep(0.02)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put all tests of the one server into one worker, which starts it once."""
    for item in items:
        if "_started" in item.fixturenames:
            item.add_marker(pytest.mark.xdist_group("site"))


@pytest.fixture(scope="session")
def _started(tmp_path_factory) -> Iterator[Site]:
    found = Site(server.free_port(), server.free_port(), tmp_path_factory.mktemp("log") / "log.txt")
    variables = SETTINGS | {"METRICS_PORT": str(found.metrics_port)}
    variables = {f"EMBEDVIZ_{name}": value for name, value in variables.items()}
    with server.running(server.uvicorn(found.port), found.port, variables, found.log):
        yield found


@pytest.fixture
def site(_started: Site) -> Site:
    """The server, with nobody in it."""
    _started.is_empty()
    return _started
