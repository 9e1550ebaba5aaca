"""No visitor's text in the log, whoever writes it."""

import io
import json
import logging
import os
import subprocess
import sys

import pytest

from embedviz.base import log
from tests.browser import server
from tests.session import visiting

SECRET = "zyxwvut"


@pytest.fixture
def lines():
    """Write with a logger, and read the lines."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log.LineFormatter("{levelname}{message}", style="{"))
    made = []

    def logger(name: str) -> logging.Logger:
        found = logging.getLogger(name)
        found.addHandler(handler)
        made.append((found, found.level))
        found.setLevel(logging.DEBUG)  # whatever a server that ran in this process has set
        return found

    def read() -> list[dict]:
        assert SECRET not in stream.getvalue()
        return [json.loads(line) for line in stream.getvalue().splitlines()]

    yield logger, read
    for each, level in made:
        each.removeHandler(handler)
        each.setLevel(level)


@pytest.mark.parametrize("name", ["streamlit.some", "asyncio", "uvicorn.error", "some.library"])
def test_a_librarys_line_is_its_pattern_and_its_place(lines, name):
    logger, read = lines
    logger(name).warning("cannot read %s", SECRET)
    try:
        raise KeyError(SECRET)
    except KeyError:
        logger(name).exception("failed with %s", SECRET)
    first, second = read()[:2]
    assert (first["message"], first["by"]) == ("cannot read %s", name)
    assert (second["message"], second["kind"]) == ("failed with %s", "KeyError")
    assert second["place"].startswith("test_log.py:")
    assert first["where"].startswith("test_log:")


def test_a_line_that_was_put_together_says_only_where(lines):
    logger, read = lines
    logger("streamlit.some").warning(f"cannot read {SECRET}")
    logger("asyncio").error(ValueError(SECRET))
    assert [(line["message"], line.get("kind")) for line in read()] == [("message", None), ("message", "ValueError")]


PAGE = """
import streamlit as st
from embedviz.ui.turns import turn
with turn():
    st.write("it ran")
    {"a": 1}[st.query_params["a"]]
"""
APP = """
import streamlit as st
from embedviz.base import log
from embedviz.server import streamlit_inside
streamlit_inside.take_settings()
log.set_up()
app = st.App(__file__.replace("broken", "page"), on_script_error=log.failed)
"""


def test_a_page_that_raises_is_logged_by_kind_and_place_alone(tmp_path):
    """A page of its own, since none of ours raises."""
    (tmp_path / "page.py").write_text(PAGE)
    (tmp_path / "broken.py").write_text(APP)
    port = server.free_port()
    command = [sys.executable, "-m", "uvicorn", "broken:app", "--port", str(port)]
    environment = os.environ | {"PYTHONPATH": str(server.ROOT)}
    with (tmp_path / "log.txt").open("wb") as output:
        process = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=output, stderr=output)
    try:
        server.wait_for(port, process)
        with visiting(port) as session:
            session.run(f"a={SECRET}")
    finally:
        process.terminate()
        process.wait(server.PATIENCE)
    text = (tmp_path / "log.txt").read_text()
    assert SECRET not in text
    assert "Traceback" not in text
    errors = [json.loads(line) for line in text.splitlines() if '"error"' in line]
    assert [(line["kind"], line["place"]) for line in errors] == [("KeyError", "page.py:6")]


def record(name: str, text: object, place: int = 1, **values: object) -> logging.LogRecord:
    found = logging.LogRecord(name, logging.ERROR, "file.py", place, text, None, None)
    vars(found).update(values)
    return found


def test_the_same_line_is_written_once_a_second_and_says_how_many_are_missing():
    now = 0.0
    seldom = log.Seldom(lambda: now)
    written = []
    for n in range(100):  # a hundred a second, for ten seconds
        for each in range(10):
            now = n / 10 + each / 100
            line = record("asyncio", f"quoted {n} {each}")
            written += [getattr(line, "left_out", 0)] if seldom.filter(line) else []
    assert written == [0] + [99] * 9
    assert len(seldom.last_written) == 1  # whatever a text quotes


def test_lines_that_say_something_else_are_all_written():
    seldom = log.Seldom(lambda: 0.0)
    lines = [record("asyncio", "a", place) for place in (1, 2)]
    lines += [record("embedviz", "refused", limit=limit) for limit in ("message", "address")]
    lines += [record("embedviz", "session opened", sessions=n) for n in (1, 2)]
    lines += [record("embedviz", "error", kind="KeyError", place=place) for place in ("a:1", "b:2")]
    assert all(seldom.filter(line) for line in lines)
    assert not seldom.filter(record("embedviz", "refused", limit="message", bytes=7))  # a visitor chooses how many


def test_a_librarys_line_too_says_how_many_are_missing():
    assert log.discreet(record("asyncio", "text", left_out=7)).left_out == 7
