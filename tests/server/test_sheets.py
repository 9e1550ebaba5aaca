"""A lesson's sheets and the short addresses of its stations, over a real server and without one."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from embedviz.base.i18n import use_language
from embedviz.server.html.sheets import ROUTES, sheet
from embedviz.teaching.lessons import lessons, parse
from tests.teaching.test_lessons import OWN

NAMES = list(lessons())
BASE = "https://somewhere.example.org/lesson/x"


def words(html: str) -> str:
    """What a reader sees of a page."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", html.partition("<body>")[2])).split())


@pytest.mark.parametrize("reader", ["students", "teacher"])
@pytest.mark.parametrize("name", NAMES)
def test_each_lesson_has_a_sheet_without_scripts(site, name, reader):
    answer = site.ask(f"/lesson/{name}/sheet?for={reader}")
    assert answer.status == 200
    assert "text/html" in answer.headers["Content-Type"]
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    assert "<script" not in answer.text
    lesson, said = lessons()[name], words(answer.text)
    assert answer.text.count("<svg") == len(lesson.stations)
    for n, station in enumerate(lesson.stations, 1):
        assert station.task in said
        assert station.question in said
        assert f"127.0.0.1:{site.port}/lesson/{name}/{n}" in said
        for hidden in (station.answer, station.mistake):
            assert (hidden in said) == (reader == "teacher")


@pytest.mark.parametrize("name", NAMES)
def test_a_short_address_leads_to_its_station(site, name):
    lesson = lessons()[name]
    for n in range(1, len(lesson.stations) + 1):
        answer = site.ask(f"/lesson/{name}/{n}")
        there = urlsplit(answer.headers["Location"])
        page, said = lesson.address(n)
        assert (answer.status, there.path) == (307, f"../../{page.address}")
        assert parse_qsl(there.query) == said


@pytest.mark.parametrize("accept", ["text/html", "*/*", ""])
def test_no_sheet_prints_the_name_of_another_site(site, accept):
    answer = site.ask(f"/lesson/{NAMES[0]}/sheet", Host="evil.example", Accept=accept)
    assert answer.status == 421
    assert "evil.example" not in answer.text


def test_a_name_that_no_code_can_hold_stands_on_the_sheet_alone(site):
    host = "a" * 2400
    answer = site.ask(f"/lesson/{NAMES[0]}/sheet", Host=host)
    assert (answer.status, answer.text.count("<svg")) == (200, 0)
    assert host in answer.text


@pytest.mark.parametrize(
    "path",
    ["none/sheet", "none/1", *(f"{NAMES[0]}/{n}" for n in (0, 9, "01", "1e0", "%C2%B2", "%D9%A1", "+1", "9" * 3000))],
)
def test_what_does_not_exist_is_said_in_a_sentence(site, path):
    answer = site.ask(f"/lesson/{path}")
    assert (answer.status, answer.text) == (404, "There is no such lesson, or no such station.")


def test_a_number_of_more_digits_than_python_reads_is_no_station():
    answer = TestClient(Starlette(routes=ROUTES)).get(f"/lesson/{NAMES[0]}/{'9' * 5000}")
    assert answer.status_code == 404


def test_what_a_teacher_has_written_is_shown_as_it_is():
    hostile = "<img src=x onerror=alert(1)> &amp; $title ${name} {n}"
    own = parse("own", OWN.replace("What?", hostile).replace("My lesson", hostile), "own.toml")
    for is_for_teacher in (True, False):
        html = sheet(own, BASE, is_for_teacher=is_for_teacher)
        assert "<img" not in html
        assert words(html).count(hostile) == 2


def test_a_sheet_is_in_the_language_of_its_address():
    with use_language("de"):
        assert '<html lang="de" dir="ltr">' in sheet(lessons()[NAMES[0]], BASE, is_for_teacher=False)
