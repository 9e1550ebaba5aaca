"""Lessons: each leads through some of the views, with a task, a question and its answer at each station.

Ours lie in `data/lessons` and are translated. A teacher's own lie in the folder that EMBEDVIZ_LESSONS names, and are
shown as they are written. `data/lessons/dog-bites-man.toml` shows what a file has.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator, model_validator

from embedviz.base import data_files
from embedviz.base.errors import SetupError
from embedviz.base.i18n import translated
from embedviz.base.pages import PAGES, Page, page_at
from embedviz.base.settings import configured

MOST_BYTES, MOST_STATIONS = 2**16, 8
_MOST_SAID, _MOST_PROBLEMS = 300, 5  # characters of one problem, and problems of one file
_FOLDER = "lessons/"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
# How a page is shown, and where one is in a lesson, is not for a station's view to say.
_OF_THE_VISIT = ("lang", "present", "embed", "embed_options", "lesson", "station", "answered")
_Short = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=400)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Station(_Record):
    """A view, by its address, with what to do there, a question, the answer, and the mistake that most make.

    then: what the address says otherwise once a hall sees the answer, such as the setting that the task asks for.
    covered: whether a hall sees no picture before that, since it would answer the question. cover: whether its view is
    the picture of the lesson, which is that of the first station otherwise.
    """

    view: str
    then: str = ""
    covered: bool = False
    cover: bool = False
    task: _Text
    question: _Text
    answer: _Text
    mistake: _Text

    @field_validator("view")
    @classmethod
    def _exists(cls, address: str) -> str:
        """Check that there is such a page, and that it has such a view."""
        name = urlsplit(address).path.rpartition("/")[2]
        if name and page_at(name).name != name:
            raise ValueError(f"there is no page {name!r}; the pages are {', '.join(page.name for page in PAGES)}")
        _check_view(page_at(name), urlsplit(address).query)
        return address

    @model_validator(mode="after")
    def _goes_on(self) -> "Station":
        """Check that the page has the view that is seen with the answer."""
        _check_view(self.page, self.then)
        return self

    @property
    def page(self) -> Page:
        """The page on which the view is."""
        return page_at(urlsplit(self.view).path.rpartition("/")[2])

    @property
    def view_name(self) -> str:
        """The name of the view; "" if its page has no other."""
        return dict(self.settings).get("view") or next(iter(self.page.views), "")

    @property
    def settings(self) -> list[tuple[str, str]]:
        """What the address says of the view."""
        return _settings_in(urlsplit(self.view).query)

    @property
    def settings_answered(self) -> list[tuple[str, str]]:
        """What the address says of the view once the question is answered."""
        changed = _settings_in(self.then)
        names = {name for name, _text in changed}
        return [*(pair for pair in self.settings if pair[0] not in names), *changed]


def _settings_in(query: str) -> list[tuple[str, str]]:
    return [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] not in _OF_THE_VISIT]


def _check_view(page: Page, query: str) -> None:
    said = dict(parse_qsl(query))
    if page.views and said.get("view", next(iter(page.views))) not in page.views:
        raise ValueError(f"the page {page.name!r} has no view {said['view']!r}; it has {', '.join(page.views)}")


class Lesson(_Record):
    """What a file has, with the file's name. is_own: whether it was written for this server, and is not ours."""

    name: str
    is_own: bool
    title: _Short
    minutes: Annotated[int, Field(ge=1, le=600)]
    audience: _Text
    afterwards: _Text
    stations: Annotated[list[Station], Field(min_length=1, max_length=MOST_STATIONS)]

    @property
    def cover(self) -> Station:
        """The station whose view is the picture of the lesson."""
        return next((each for each in self.stations if each.cover), self.stations[0])

    def in_language(self, text: str) -> str:
        """One of its texts in the visitor's language; that of a lesson of one's own as it was written."""
        return text if self.is_own else translated(text)

    def address(self, n: int, *, is_answered: bool = False) -> tuple[Page, list[tuple[str, str]]]:
        """The page of station n, from 1, and what its address says: of the view, and the place in the lesson.

        is_answered: whether a hall sees the answer there.
        """
        station = self.stations[n - 1]
        settings = station.settings_answered if is_answered else station.settings
        place = [("lesson", self.name), ("station", str(n)), *[("answered", "1")] * is_answered]
        return station.page, [*settings, *place]


@cache
def lessons() -> Mapping[str, Lesson]:
    """All lessons by their names, those of one's own first. Raises SetupError, which names the file and the line."""
    own = {name: parse(name, text, file) for name, text, file in _own(configured().lessons)}
    files = [name for name in data_files.sums() if name.startswith(_FOLDER)]
    ours = [parse(Path(each).stem, data_files.read(each).decode(), f"data/{each}", is_own=False) for each in files]
    ours.sort(key=lambda each: (each.minutes, each.title))
    return own | {each.name: each for each in ours if each.name not in own}


def parse(name: str, text: str, file: str, *, is_own: bool = True) -> Lesson:
    """The lesson that a text describes. Raises SetupError as `lessons` does. file: what the error calls it."""
    try:
        return Lesson.model_validate(tomllib.loads(text) | {"name": name, "is_own": is_own})
    except ValidationError as error:
        problems = error.errors()
        said = [f"{file}, line {_line(text, each['loc'])}: {_in_language(each)}." for each in problems[:_MOST_PROBLEMS]]
        more = len(problems) - _MOST_PROBLEMS
        raise SetupError(" ".join([*said, *[f"{file} has {more:,} more problems."] * (more > 0)])) from error
    except ValueError as error:  # it is no TOML, or has a number of more digits than Python reads
        raise SetupError(f"{file}: {_short(str(error))}.") from error
    except RecursionError as error:
        raise SetupError(f"{file}: its brackets are nested too deep.") from error


def _own(folder: Path | None) -> Iterator[tuple[str, str, str]]:
    """The name, the text and the path of each file of a folder. Raises SetupError if one cannot be a lesson."""
    if folder is None:
        return
    try:
        if not folder.is_dir():
            raise SetupError(f"EMBEDVIZ_LESSONS: {folder} is no folder.")
        files = sorted(folder.glob("*.toml"))
    except OSError as error:
        raise SetupError(f"EMBEDVIZ_LESSONS: {folder} cannot be read: {error.strerror}.") from error
    for file in files:
        if not _NAME.fullmatch(file.stem):
            raise SetupError(f"{file}: the name of a lesson's file has small letters, digits and hyphens.")
        try:
            if not file.is_file():  # to open a pipe would wait for somebody who writes
                raise SetupError(f"{file} is no file.")
            with file.open("rb") as opened:
                content = opened.read(MOST_BYTES + 1)
            if len(content) > MOST_BYTES:
                raise SetupError(f"{file}: a lesson has {MOST_BYTES:,} bytes at most.")
            text = content.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"{file} cannot be read: {error}.") from error
        yield file.stem, text, str(file)


def _in_language(problem: Mapping) -> str:
    """What is wrong with which field."""
    where = " ".join(str(part + 1) if isinstance(part, int) else part for part in problem["loc"])
    return _short(f"{where}: {problem['msg'].removeprefix('Value error, ')}")


def _short(text: str) -> str:
    """A text of a file on one line of the terminal, cut where it is long."""
    printed = "".join(sign if sign.isprintable() else " " for sign in text)
    return printed if len(printed) <= _MOST_SAID else f"{printed[:_MOST_SAID]} …"


def _line(text: str, where: Sequence[str | int]) -> int:
    """The line of a field, from 1; of a field that is missing, that of the station that lacks it, or the first one."""
    lines = text.splitlines()
    heads = [n for n, line in enumerate(lines) if re.match(r"\s*\[\[\s*stations\s*\]\]", line)]
    number = where[1] if len(where) > 1 else None
    first = heads[number] if isinstance(number, int) and number < len(heads) else 0
    end = next((n for n in heads if n > first), len(lines))
    named = re.compile(rf"\s*[\"']?{re.escape(str(where[-1]))}[\"']?\s*=")
    return 1 + next((n for n in range(first, end) if named.match(lines[n])), first)
