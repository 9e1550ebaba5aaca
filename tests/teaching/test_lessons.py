"""Lessons: those that come along, and those that a teacher writes."""

import errno
import os
import tomllib
from pathlib import Path

import pytest
from babel.messages.extract import extract
from hypothesis import given
from hypothesis import strategies as st

from embedviz.base.data_files import DATA
from embedviz.base.errors import SetupError
from embedviz.base.locale import extract as marked
from embedviz.base.pages import PAGES
from embedviz.base.settings import Settings
from embedviz.teaching import lessons as module
from embedviz.teaching.lessons import MOST_BYTES, lessons, parse

FILES = sorted((DATA / "lessons").glob("*.toml"))
OWN = """\
title = "My lesson"
minutes = 10
audience = "My class."
afterwards = "You can say it."

[[stations]]
view = "https://somewhere.example.org/words/attention?view=head&lang=de&present=1"
task = "Look."
question = "What?"
answer = "This."
mistake = "That."

[[stations]]
view = "/"
task = "Look again."
question = "What now?"
answer = "This again."
mistake = "That again."
"""
TEXT = st.text(min_size=1, max_size=60)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that the setting names."""
    monkeypatch.setattr(module, "configured", lambda: Settings(lessons=tmp_path))
    lessons.cache_clear()
    yield tmp_path
    lessons.cache_clear()


def refused(text: str) -> str:
    with pytest.raises(SetupError) as error:
        parse("own", text, "own.toml")
    return str(error.value)


def test_ours_come_along_from_the_shortest_on():
    found = list(lessons().values())
    assert {each.name for each in found} == {file.stem for file in FILES}
    assert [each.minutes for each in found] == sorted(each.minutes for each in found)
    assert all(4 <= len(each.stations) <= 8 and not each.is_own for each in found)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_text_of_ours_is_marked_with_the_lesson_as_a_note(file):
    lesson = lessons()[file.stem]
    with file.open("rb") as opened:
        found = [(text, notes) for _line, text, notes, _context in extract(marked.lesson, opened)]
    about = [lesson.title, lesson.audience, lesson.afterwards]
    of_stations = [
        getattr(each, name) for each in lesson.stations for name in ("task", "question", "answer", "mistake")
    ]
    assert [text for text, _notes in found] == about + of_stations
    assert all(lesson.title in note for _text, (note,) in found)


def test_one_of_ones_own_is_there_first_and_takes_the_place_of_one_of_ours(folder):
    (folder / "zebra.toml").write_text(OWN, "utf-8")
    (folder / f"{FILES[0].stem}.toml").write_text(OWN, "utf-8")
    found = lessons()
    assert list(found)[:2] == [FILES[0].stem, "zebra"]
    assert len(found) == len(FILES) + 1
    assert found["zebra"].is_own
    assert found[FILES[0].stem].title == "My lesson"


def test_a_view_is_taken_from_any_link_without_what_belongs_to_a_visit():
    lesson = parse("own", OWN, "own.toml")
    page, said = lesson.address(1)
    assert (page.name, said) == ("attention", [("view", "head"), ("lesson", "own"), ("station", "1")])
    assert lesson.address(2)[0] is PAGES[0]


@pytest.mark.parametrize(("mark", "cover"), [("", ("attention", "head")), ("cover = true", ("compare", "whole"))])
def test_the_picture_of_a_lesson_is_the_view_of_its_first_station_or_of_the_one_that_says_so(mark, cover):
    station = parse("own", OWN.replace('view = "/"', f'view = "/"\n{mark}'), "own.toml").cover
    assert (station.page.name, station.view_name) == cover


def test_no_two_of_ours_have_one_picture_and_none_gives_an_answer_away():
    covers = [each.cover for each in lessons().values()]
    assert len({(each.page.name, each.view_name) for each in covers}) == len(FILES)
    assert not any(each.covered and each.cover for each in covers)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 10", "minutes = ten", "own.toml: Invalid value (at line 2, column 11)."),
        ("minutes = 10", 'minutes = "10"', "own.toml, line 2: minutes: Input should be a valid integer"),
        ("minutes = 10", "minutes = 0", "own.toml, line 2: minutes: Input should be greater than or equal to 1"),
        ('question = "What now?"\n', "", "own.toml, line 13: stations 2 question: Field required"),
        ('title = "My lesson"\n', "", "own.toml, line 1: title: Field required"),
        (
            'answer = "This again."',
            'answer = ""',
            "own.toml, line 17: stations 2 answer: String should have at least 1",
        ),
        ('answer = "This."', "anwser = 1", "own.toml, line 10: stations 1 anwser: Extra inputs are not permitted"),
        (
            'view = "/"',
            'view = "/nowhere"',
            "own.toml, line 14: stations 2 view: there is no page 'nowhere'; the pages",
        ),
        ('view = "/"', 'view = "/?view=no"', "own.toml, line 14: stations 2 view: the page 'compare' has no view 'no'"),
        ("[[stations]]", "[[station]]", "own.toml, line 1: stations: Field required"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old, new, said):
    assert old in OWN
    assert said in refused(OWN.replace(old, new))


def test_a_file_that_is_none_is_refused_by_its_name(folder):
    for name, content, said in (
        ("My lesson", OWN.encode(), "small letters, digits and hyphens"),
        ("latin", OWN.replace("What", "Wäs").encode("latin-1"), "cannot be read"),
        ("long", b"#" * (MOST_BYTES + 1), "bytes at most"),
    ):
        file = folder / f"{name}.toml"
        file.write_bytes(content)
        with pytest.raises(SetupError, match=said) as error:
            lessons()
        assert str(file) in str(error.value)
        file.unlink()


def test_what_is_no_file_is_refused_by_its_name_and_nobody_waits_for_it(folder):
    file = folder / "own.toml"
    for make in (
        file.mkdir,
        lambda: file.symlink_to(folder / "nothing"),
        lambda: file.symlink_to(file),
        lambda: os.mkfifo(file),
        lambda: file.symlink_to("/dev/zero"),
        lambda: file.write_bytes(bytes(MOST_BYTES * 9)),
        lambda: file.write_text("é" * MOST_BYTES),
        lambda: file.write_bytes(b"title = '\0'"),
    ):
        make()
        lessons.cache_clear()
        with pytest.raises(SetupError) as error:
            lessons()
        assert str(error.value).startswith(str(file))
        file.rmdir() if file.is_dir() else file.unlink()


@pytest.mark.parametrize("name", ["is_dir", "is_file", "open"])
def test_what_may_not_be_read_is_said_so(folder, monkeypatch, name):
    (folder / "own.toml").write_text(OWN)

    before = getattr(Path, name)

    def refuse(path: Path, *how: str) -> object:
        if path.is_relative_to(folder):
            raise PermissionError(errno.EACCES, "Permission denied")
        return before(path, *how)

    monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(SetupError, match=rf"{folder}.* cannot be read: .*Permission denied\.$"):
        lessons()


DIGITS = "9" * 5000
SHAPES = {
    "deep arrays": "a = " + "[" * 5000,
    "deep arrays that end": f"stations = {'[' * 5000}{']' * 5000}",
    "deep tables": "a = " + "{a=" * 5000,
    "deep keys": f"{'a.' * 5000}a = 1",
    "deep headings": f"[{'a.' * 5000}a]",
    "a long number": f"minutes = {DIGITS}",
    "a long number of another kind": f"minutes = 0x{DIGITS}",
    "a long float": f"minutes = 1e{DIGITS}",
    "many keys": "".join(f"key{n} = 1\n" for n in range(5000)),
    "many stations": "".join("[[stations]]\n" for _n in range(4000)),
    "a long key": f"{'k' * 50_000} = 1",
    "a key that writes on the terminal": '"\\u001b[2J\\nSETUP OK" = 1',
    "a long view": OWN.replace('view = "/"', f'view = "/{"x" * 50_000}"'),
    "a view without an end": OWN.replace('view = "/"', 'view = "http://[::1"'),
    "numbers for stations": "stations = [1, 2.5, true, 1979-05-27]",
    "a table for stations": "[stations]\n0 = 1",
    "a list for a text": OWN.replace('title = "My lesson"', "title = [[]]"),
    "nan": OWN.replace("minutes = 10", "minutes = nan"),
    "a date": OWN.replace("minutes = 10", "minutes = 9999-12-31"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_file_of_any_shape_is_refused_in_a_few_sentences_that_name_it(shape):
    said = refused(SHAPES[shape])
    assert said.startswith("own.toml")
    assert said.endswith(".")
    assert len(said) < 2500
    assert said.isprintable()


def test_a_folder_that_is_none_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "configured", lambda: Settings(lessons=tmp_path / "none"))
    lessons.cache_clear()
    with pytest.raises(SetupError, match="EMBEDVIZ_LESSONS"):
        lessons()
    lessons.cache_clear()


def quoted(text: str) -> str:
    """A TOML string."""
    escaped = "".join(f"\\U{ord(sign):08X}" for sign in text)
    return f'"{escaped}"'


@given(TEXT.filter(str.strip), st.integers(-5, 700), st.sampled_from(PAGES), TEXT)
def test_whatever_is_written_is_taken_as_it_is_or_refused_in_a_sentence(text, minutes, page, view):
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    lines = OWN.replace('"Look."', quoted(text)).replace("minutes = 10", f"minutes = {minutes}")
    lines = lines.replace('view = "/"', f"view = {quoted(f'/{page.name}?view={view}')}")
    try:
        lesson, said = parse("own", lines, "own.toml"), ""
    except SetupError as error:
        lesson, said = None, str(error)
    assert (lesson is None) == said.startswith("own.toml, line ")
    if lesson is None:
        return
    assert 1 <= lesson.minutes <= 600
    assert lesson.in_language(lesson.stations[0].task).strip() == tomllib.loads(f"a = {quoted(text)}")["a"].strip()
    assert lesson.stations[1].page is page


@given(st.text(max_size=200))
def test_no_text_is_too_strange_to_be_refused_with_its_files_name(text):
    assert refused(text).startswith("own.toml")
