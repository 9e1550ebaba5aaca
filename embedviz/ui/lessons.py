"""What leads through a lesson beside the views: where the visitor is, what to do, the question, and the ways on."""

from collections.abc import Sequence
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from embedviz.base.i18n import _
from embedviz.base.pages import Page, page_at
from embedviz.teaching.lessons import Lesson, lessons
from embedviz.ui import presenting
from embedviz.ui.components.cards.links import Link
from embedviz.ui.components.strip.strip import strip
from embedviz.ui.slides import on_every_slide

HOME = page_at("lessons")
_END = "end"  # instead of a station's number


def current() -> tuple[Lesson, int] | None:
    """The lesson that the address names, and the station, from 1; 0 before the first, and one more after the last."""
    lesson = lessons().get(st.query_params.get("lesson", ""))
    if not lesson:
        return None
    number, n_stations = st.query_params.get("station", ""), len(lesson.stations)
    if number == _END:
        return lesson, n_stations + 1
    return lesson, next((n for n in range(1, n_stations + 1) if str(n) == number), 0)


def is_on() -> bool:
    """Whether the address names a station."""
    lesson, n = current() or (None, 0)
    return bool(lesson and 1 <= n <= len(lesson.stations))


def lesson_strip(page: str) -> None:
    """Show the station that the address names: what to do, the question, and the ways back, on and out.

    In a hall a key first shows the answer, with what the task has changed. The last station leads on to the end.
    """
    lesson, n = current() or (None, 0)
    if lesson is None or not is_on() or page == HOME.name:
        return
    station, where = lesson.stations[n - 1], _("Station {n} of {total}", n=n, total=len(lesson.stations))
    text = f"{where} · {lesson.in_language(lesson.title)}"
    here, back, onward = [_to(lesson, n, text)], _("Back"), _("Next")
    if not presenting.is_on():
        hints = [*map(lesson.in_language, (station.task, station.question))]
        leave: Link = {"text": _("Leave"), "address": page_at(page).address, "query": "lesson=&station=&answered="}
        _strip(text, hints, [_to(lesson, n - 1, back, "prev"), _to(lesson, n + 1, onward, "next"), leave], here)
    elif st.query_params.get("answered") == "1":
        ways = [_to(lesson, n, back, "prev"), _to(lesson, n + 1, onward, "next")]
        _strip(text, [lesson.in_language(station.answer)], ways, here, "answer")
    else:
        before = _to(lesson, n - 1, back, "prev", is_answered=True)
        ways = [before, _to(lesson, n, _("Answer"), "next", is_answered=True)]
        _strip(text, [lesson.in_language(station.question)], ways, here)
        if station.covered:
            st.container(key="lesson_covered").empty()


def lesson_begins(lesson: Lesson, about: str) -> None:
    """In a hall: the lesson's title, from which a key leads to its first station. about: what stands above it."""
    _strip(about, [lesson.in_language(lesson.title)], [_to(lesson, 1, _("Begin"), "next")])


def lesson_ends(lesson: Lesson) -> None:
    """In a hall: the line above what was learned, from which a key leads back to the last station."""
    back = _to(lesson, len(lesson.stations), _("Back"), "prev", is_answered=True)
    _strip(lesson.in_language(lesson.title), [_("What was learned")], [back])


def lessons_begin(about: str) -> None:
    """In a hall: a key leads from the list of lessons to the first of them. about: what stands above the list."""
    first = next(iter(lessons().values()))
    _strip(about, [], [_to(first, 0, first.in_language(first.title), "next")])


def _strip(
    text: str,
    hints: Sequence[str],
    links: Sequence[Link],
    to: Sequence[Link] = (),
    tone: Literal["station", "answer"] = "station",
) -> None:
    """The line above a view; in a hall it stands on every slide."""
    with st.container(key="lesson_station"):
        place = on_every_slide("lesson") if presenting.is_on() else st.container()
        with place:
            strip(text, to=to, hints=hints, links=links, tone=tone, key="lesson")


def _to(lesson: Lesson, n: int, text: str, rel: str = "", *, is_answered: bool = False) -> Link:
    page, said = _place(lesson, n, is_answered=is_answered)
    return {"text": text, "address": page.address, "query": urlencode(said), "rel": rel}


def _place(lesson: Lesson, n: int, *, is_answered: bool = False) -> tuple[Page, list[tuple[str, str]]]:
    """The page of station n, and what its address says; those of the lesson itself before the first and at the end."""
    if 1 <= n <= len(lesson.stations):
        return lesson.address(n, is_answered=is_answered)
    return HOME, [("lesson", lesson.name), *[("station", _END)] * (n > 0)]


def link(key: str, label: str, lesson: Lesson | None, n: int = 0, *, icon: str = "") -> None:
    """A link to station n of a lesson; to the lesson itself if n is 0, and to all lessons without one.

    key: of its container, after "lesson_", which `address.js` knows.
    """
    page, said = _place(lesson, n) if lesson else (HOME, [])
    with st.container(key=f"lesson_{key}", width="content"):
        st.page_link(page.script, label=label, icon=icon, query_params=said)
