"""What leads through a lesson beside the views: where the visitor is, what to do, the question, and the ways on."""

import streamlit as st

from embedviz.base.i18n import _
from embedviz.base.lessons import Lesson, lessons
from embedviz.base.pages import page_at
from embedviz.ui import presenting
from embedviz.ui.fields import literal
from embedviz.ui.slides import slide

HOME = page_at("lessons")


def here() -> tuple[Lesson, int] | None:
    """The lesson that the address names, and the station, from 1; 0 if it names none of the lesson's."""
    lesson = lessons().get(st.query_params.get("lesson", ""))
    if not lesson:
        return None
    number = st.query_params.get("station", "")
    return lesson, next((n for n in range(1, len(lesson.stations) + 1) if str(n) == number), 0)


def is_on() -> bool:
    """Whether the address names a station."""
    return bool((here() or (None, 0))[1])


def station_line(page: str) -> None:
    """Show the station beside its view, in a hall on a slide before it, if the address names one.

    page: its address. The tour has slides of its own.
    """
    lesson, n = here() or (None, 0)
    if not n or page == HOME.address or (page == "tour" and presenting.is_on()):
        return
    if presenting.is_on():
        with slide("alone_lesson"), st.container(key="lesson_slide"):
            st.caption(_where(lesson, n))
            _station(lesson, n)
    else:
        with st.container(key="lesson", gap=None):
            _station(lesson, n)


def _where(lesson: Lesson, n: int) -> str:
    where = _("Station {n} of {total}", n=n, total=len(lesson.stations))
    return f"**{where}** · {literal(lesson.said(lesson.title))}"


def _station(lesson: Lesson, n: int) -> None:
    """Where one is, the ways back, on and out, what to do, and the question. The last one leads back to the lesson."""
    with st.container(key="lesson_ways", horizontal=True, vertical_alignment="center", gap="small"):
        link("lesson_at", _where(lesson, n), lesson, n)
        link("lesson_back", _("Back"), lesson, n - 1, icon=":material/arrow_back:")
        link("lesson_next", _("Next"), lesson, (n + 1) % (len(lesson.stations) + 1), icon=":material/arrow_forward:")
        if not presenting.is_on():  # where keys lead on
            st.button(_("Leave the lesson"), key="leave_lesson", on_click=_leave)
    station = lesson.stations[n - 1]
    st.caption(literal(lesson.said(station.task)))
    st.caption(f"**{literal(lesson.said(station.question))}**")


def link(key: str, label: str, lesson: Lesson | None, n: int = 0, *, icon: str = "") -> None:
    """A link to station n of a lesson; to the lesson itself if n is 0, and to all lessons without one.

    key: begins with "lesson", see `address.js`.
    """
    page, said = lesson.address(n) if lesson and n else (HOME, [("lesson", lesson.name)] if lesson else [])
    with st.container(key=key, width="content"):
        st.page_link(page.script, label=label, icon=icon, query_params=said)


def _leave() -> None:
    for name in ("lesson", "station"):
        st.query_params.pop(name, None)
