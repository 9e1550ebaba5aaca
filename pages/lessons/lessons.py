"""The page's view: every lesson, or the stations of one."""

import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from embedviz import ui
from embedviz.base.i18n import N_, _, language, ngettext, translated
from embedviz.teaching.lessons import Lesson, Station
from embedviz.teaching.lessons import lessons as all_lessons
from embedviz.ui import Guide, LiveView, challenges, literal, presenting
from embedviz.ui.components.cards.links import picture_of
from embedviz.ui.lessons import current, lesson_begins, lesson_ends, lessons_begin, link


def lessons(frame: ui.Frame) -> None:
    """Show the lesson that the address names, or all of them."""
    lesson, n = current() or (None, 0)
    if lesson and presenting.is_on():
        _slide(lesson, n)
        return
    if lesson:
        _one(lesson, n)
        return
    if presenting.is_on():
        lessons_begin(translated(frame.guide.look))
        with ui.slide("lessons"):
            for each in all_lessons().values():
                with _beside_picture(each), st.container():
                    st.caption(f"**{literal(each.in_language(each.title))}** · {_minutes(each)}")
        return
    _all([*all_lessons().values()])
    challenges.cards()


def _all(every: list[Lesson]) -> None:
    """A card for each lesson."""
    for lesson in every:
        with _beside_picture(lesson):
            with st.container(gap="xsmall"):
                link(lesson.name, f"**{literal(lesson.in_language(lesson.title))}**", lesson)  # where its sheets are
                _about(lesson)
            link(f"begin_{lesson.name}", _("Begin"), lesson, 1, icon=":material/play_arrow:")


def _beside_picture(lesson: Lesson) -> DeltaGenerator:
    """Return the row, for `with`, in which the lesson's picture stands first."""
    cover = lesson.cover
    row = st.container(
        key=f"entry_{lesson.name}", border=not presenting.is_on(), horizontal=True, vertical_alignment="center"
    )
    row.html(f'<img src="{picture_of(cover.page, cover.view_name)}" alt="" loading="lazy">', width="content")
    return row


def _minutes(lesson: Lesson) -> str:
    return ngettext("{n} minute", "{n} minutes", lesson.minutes)


def _about(lesson: Lesson) -> None:
    """How long it takes, for whom it is, and what one can do afterwards."""
    st.caption(literal(_for_whom(lesson)))
    st.caption(literal(_afterwards(lesson)))


def _for_whom(lesson: Lesson) -> str:
    return f"{_minutes(lesson)} · {lesson.in_language(lesson.audience)}"


def _afterwards(lesson: Lesson) -> str:
    return _("Afterwards: {said}", said=lesson.in_language(lesson.afterwards))


def _slide(lesson: Lesson, at: int) -> None:
    """What a hall sees before the first station: what the lesson is for. At its end it sees what was learned."""
    is_over = at > len(lesson.stations)
    if is_over:
        lesson_ends(lesson)
    else:
        lesson_begins(lesson, _for_whom(lesson))
    with ui.slide("learned" if is_over else "lesson"):
        if not is_over:
            st.caption(literal(_afterwards(lesson)))
            return
        for station in lesson.stations:
            question, answer = map(lesson.in_language, (station.question, station.answer))
            st.caption(f"{literal(question)} **{literal(first_sentence(answer))}**")


def first_sentence(text: str) -> str:
    """The text up to its first full stop, which no digit follows."""
    return re.split(r"(?<=[.。!?])(?=\s|$)|(?<=。)", text, maxsplit=1)[0]


def _one(lesson: Lesson, at: int) -> None:
    """A lesson with its stations. at: the station at which the visitor was, as `current` has it."""
    is_over = at > len(lesson.stations)
    st.header(literal(lesson.in_language(lesson.title)), anchor=False)
    if is_over:
        st.success(literal(lesson.in_language(lesson.afterwards)), icon=":material/check_circle:")
    else:
        _about(lesson)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if not is_over:
            link("next", _("Go on") if at else _("Begin"), lesson, at or 1, icon=":material/play_arrow:")
        for reader, label in (("students", _("Sheet for students")), ("teacher", _("Sheet for the teacher"))):
            address = f"lesson/{lesson.name}/sheet?for={reader}&lang={language()}"
            st.link_button(label, address, icon=":material/print:")
        link("all", _("All lessons"), None, icon=":material/school:")
    for n, station in enumerate(lesson.stations, 1):
        link(str(n), f"**{n}. {literal(_view_of(station))}**", lesson, n)
        st.caption(literal(lesson.in_language(station.question)))


def _view_of(station: Station) -> str:
    """The names of a station's page and of its view."""
    views = station.page.views
    return " · ".join(filter(None, map(translated, (station.page.title, views.get(station.view_name, "")))))


LESSONS = LiveView(
    page="lessons",
    name="",
    guide=Guide(
        N_("Choose a lesson. Each of its stations opens a view, with something to do and a question to answer first."),
        N_("Who has written down a guess looks at a picture with other eyes, whether the guess was right or wrong."),
        "token position positional rope base",
    ),
    draw=lessons,
    examples=({}, {"lesson": "dog-bites-man"}),
)
