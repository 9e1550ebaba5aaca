"""What leads through a lesson beside the views: where the visitor is, what to do, the question, and the ways on."""

from urllib.parse import urlencode

import streamlit as st

from embedviz.base.i18n import _
from embedviz.base.pages import Page, page_at
from embedviz.teaching.lessons import Lesson, lessons
from embedviz.ui import presenting
from embedviz.ui.components.cards.links import Link
from embedviz.ui.slides import strip_above

HOME = page_at("lessons")


def current() -> tuple[Lesson, int] | None:
    """The lesson that the address names, and the station, from 1; 0 if it names none of the lesson's."""
    lesson = lessons().get(st.query_params.get("lesson", ""))
    if not lesson:
        return None
    number = st.query_params.get("station", "")
    return lesson, next((n for n in range(1, len(lesson.stations) + 1) if str(n) == number), 0)


def is_on() -> bool:
    """Whether the address names a station."""
    return bool((current() or (None, 0))[1])


def lesson_strip(page: str) -> None:
    """Show the station that the address names: what to do, the question, and the ways back, on and out.

    The last station leads on to the lesson itself.
    """
    lesson, n = current() or (None, 0)
    if not (lesson and n) or page == HOME.name:
        return
    station, where = lesson.stations[n - 1], _("Station {n} of {total}", n=n, total=len(lesson.stations))
    ways = [_to(lesson, n - 1, _("Back"), "prev"), _to(lesson, (n + 1) % (len(lesson.stations) + 1), _("Next"), "next")]
    if not presenting.is_on():  # the view stays
        ways.append({"text": _("Leave"), "address": page_at(page).address, "query": "lesson=&station="})
    text, hints = (
        f"{where} · {lesson.in_language(lesson.title)}",
        [*map(lesson.in_language, (station.task, station.question))],
    )
    with st.container(key="lesson_station"):
        strip_above(text, to=[_to(lesson, n, text)], hints=hints, links=ways, tone="station", key="lesson")


def _to(lesson: Lesson, n: int, text: str, rel: str = "") -> Link:
    page, said = _place(lesson, n)
    return {"text": text, "address": page.address, "query": urlencode(said), "rel": rel}


def _place(lesson: Lesson, n: int) -> tuple[Page, list[tuple[str, str]]]:
    """The page of station n, and what its address says; those of the lesson itself if n is 0."""
    return lesson.address(n) if n else (HOME, [("lesson", lesson.name)])


def link(key: str, label: str, lesson: Lesson | None, n: int = 0, *, icon: str = "") -> None:
    """A link to station n of a lesson; to the lesson itself if n is 0, and to all lessons without one.

    key: of its container, after "lesson_", which `address.js` knows.
    """
    page, said = _place(lesson, n) if lesson else (HOME, [])
    with st.container(key=f"lesson_{key}", width="content"):
        st.page_link(page.script, label=label, icon=icon, query_params=said)
