"""Lessons: every station is a view that is there, and the way through them stands beside it."""

import re
from urllib.parse import parse_qs, urlencode

import pytest

from embedviz.base.pages import PAGES
from embedviz.base.settings import place
from embedviz.teaching.lessons import lessons
from pages.lessons.lessons import first_sentence
from tests.pages.site import shown, visit
from tests.payload import unpack

STATIONS = [(lesson.name, n) for lesson in lessons().values() for n in range(1, len(lesson.stations) + 1)]
NO_CONTROLS = {"hide", "slide"}  # of what an address says


def come(name: str, n: int, **more: str):
    """Visit a station as its link does."""
    page, said = lessons()[name].address(n)
    query: dict[str, list[str]] = {}
    for key, text in said:
        query.setdefault(key, []).append(text)
    return visit(page.address, **query, **{key: [text] for key, text in more.items()})


def chosen(at) -> dict[str, list[str]]:
    """What each control of the page is set to, as an address says it."""
    kinds = ("text_input", "text_area", "number_input", "selectbox", "slider", "toggle", "segmented_control", "pills")
    found = {}
    for widget in (each for kind in kinds for each in at.get(kind) if each.key):
        values = widget.value if isinstance(widget.value, list) else [widget.value]
        found[widget.key] = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    return found


def line(at) -> dict | None:
    return shown(at, "strip_lesson")


def captions(at) -> list[str]:
    return [each.value.replace("\\", "").strip("*") for each in at.caption]


@pytest.mark.parametrize(("name", "n"), STATIONS)
def test_a_station_opens_its_view_in_the_state_that_it_names(name, n):
    at = come(name, n)
    lesson = lessons()[name]
    assert not at.exception
    assert not at.error
    found, said = chosen(at), lesson.stations[n - 1].settings
    for key in {key for key, _text in said} - NO_CONTROLS:
        assert found[key] == [text for name, text in said if name == key], key
    station = lesson.stations[n - 1]
    assert line(at)["hints"] == [station.task, station.question]
    assert not {station.answer, station.mistake} & set(captions(at))  # these are for the teacher


def ways(at) -> list[str]:
    """Where the links of a lesson lead."""
    found = [each.proto.query_string for each in at.get("page_link") if "lesson=" in each.proto.query_string]
    on = line(at)
    return found + ([link["query"] for link in on["to"] + on["links"]] if on else [])


def test_back_and_next_lead_through_all_stations_and_to_the_lessons_end():
    name = next(iter(lessons()))
    last = len(lessons()[name].stations)
    for n in range(1, last + 1):
        at = come(name, n)
        here, back, onward, leave = ways(at)
        assert [link.get("rel", "") for link in line(at)["links"]] == ["prev", "next", ""]
        assert leave == "lesson=&station=&answered="
        assert here.endswith(f"station={n}")
        assert back.endswith(f"station={n - 1}" if n > 1 else f"lesson={name}")
        assert onward.endswith(f"station={n + 1}" if n < last else f"lesson={name}&station=end")
    end = visit("lessons", lesson=name, station="end")
    assert [each.value.replace("\\", "") for each in end.success] == [lessons()[name].afterwards]


def test_in_a_hall_each_station_asks_then_answers_and_the_lesson_ends_with_what_was_learned():
    name = "dog-bites-man"
    lesson = lessons()[name]
    at, asked, backward = visit("lessons", lesson=name, present="1"), [], []
    while (strip := line(at)) and (onward := [link for link in strip["links"] if link["rel"] == "next"]):
        (link,) = onward
        asked.append(strip["hints"])
        said = parse_qs(link["query"], keep_blank_values=True)
        at = visit(link["address"], **{key: each[0] for key, each in said.items()}, present="1")
        assert not at.exception
        backward.append(next((link["query"] for link in line(at)["links"] if link["rel"] == "prev"), ""))
    expected = [[text] for each in lesson.stations for text in (each.question, each.answer)]
    assert asked == [[lesson.title], *expected]
    learned = [f"{each.question} **{first_sentence(each.answer)}" for each in lesson.stations]
    assert captions(at)[-len(learned) :] == learned
    steps = [(n, is_answered) for n in range(1, len(lesson.stations) + 1) for is_answered in (False, True)]
    addresses = [urlencode(lesson.address(n, is_answered=is_answered)[1]) for n, is_answered in steps]
    assert backward == [f"lesson={name}", *addresses]


def test_the_list_leads_to_each_lesson_and_to_its_first_station():
    links = ways(visit("lessons"))
    expected = [(f"lesson={name}", urlencode(lesson.address(1)[1])) for name, lesson in lessons().items()]
    assert links == [link for pair in expected for link in pair]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("No. All 3 have a copy.", "No."),
        ("It is 2.38 from its own. Then", "It is 2.38 from its own."),
        ("いいえ。同じです。", "いいえ。"),
        ("Why? So.", "Why?"),
        ("one", "one"),
    ],
)
def test_of_an_answer_the_first_sentence_is_what_was_learned(text, first):
    assert first_sentence(text) == first


@pytest.mark.parametrize(("name", "n"), STATIONS)
def test_with_its_answer_a_station_shows_what_the_answer_says(name, n):
    station = lessons()[name].stations[n - 1]
    page, said = lessons()[name].address(n, is_answered=True)
    query: dict[str, list[str]] = {}
    for key, text in said:
        query.setdefault(key, []).append(text)
    at = visit(page.address, **query, present=["1"])
    assert not at.exception
    assert not at.error
    assert line(at)["hints"] == [station.answer]
    found = chosen(at)
    for key in {key for key, _text in station.settings_answered} - NO_CONTROLS - {"shown", "asked", "held"}:
        assert found[key] == [text for other, text in station.settings_answered if other == key], key


@pytest.mark.parametrize(("name", "n"), STATIONS)
def test_beside_a_question_in_a_hall_nothing_is_said_that_could_answer_it(name, n):
    lesson = lessons()[name]
    at = come(name, n, present="1")
    assert line(at)["hints"] == [lesson.stations[n - 1].question]
    cards = [each.proto for each in come(name, n).get("bidi_component") if "-cards_about_" in each.proto.id]
    titles = [card["title"] for each in cards for card in unpack(each.bytes)["cards"]]
    assert not any(title in said for title in titles for said in captions(at))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_station_is_said_on_every_page_but_that_of_the_lessons(page):
    name = next(iter(lessons()))
    at = visit(page.address, lesson=name, station="2")
    assert not at.exception
    assert (line(at) is None) == (page.name == "lessons")


def test_a_hall_has_no_way_out_of_the_lesson_but_the_keys():
    name = next(iter(lessons()))
    page, _said = lessons()[name].address(1)
    at = visit(page.address, lesson=name, station="1", present="1")
    assert [link["rel"] for link in line(at)["links"]] == ["prev", "next"]


@pytest.mark.parametrize("query", [{}, {"lesson": "none"}, {"station": "1"}, {"lesson": "", "station": "x"}])
def test_without_a_lesson_nothing_is_said(query):
    assert line(visit(**query)) is None


@pytest.mark.parametrize("station", ["0", "9", "-1", "x", "١", "1.0", ""])
def test_a_station_that_does_not_exist_is_none(station):
    assert line(visit(lesson=next(iter(lessons())), station=station)) is None


def test_the_page_lists_all_lessons_and_what_one_can_do_afterwards():
    at = visit("lessons")
    said = captions(at)
    for lesson in lessons().values():
        assert f"lesson={lesson.name}" in ways(at)
        assert f"Afterwards: {lesson.afterwards}" in said
        assert f"{lesson.minutes} minutes · {lesson.audience}" in said


@pytest.mark.parametrize("present", ["", "1"])
def test_each_lesson_of_the_list_has_the_picture_of_a_view_beside_it(present):
    at = visit("lessons", present=present)
    pictures = [re.findall('<img src="(.*?)" alt="" loading="lazy">', each.proto.body) for each in at.get("html")]
    paths = [path.partition("/embedviz/ui/")[2] for found in pictures for path in found]
    covers = [each.cover for each in lessons().values()]
    assert paths == [f"assets/cards/{each.page.name}/{each.view_name or 'page'}.png" for each in covers]
    assert all(place(f"embedviz/ui/{path}").is_file() for path in paths)


@pytest.mark.parametrize("name", lessons())
def test_a_lesson_that_is_opened_lists_its_stations(name):
    at = visit("lessons", lesson=name)
    assert not at.exception
    for n, station in enumerate(lessons()[name].stations, 1):
        assert station.question in captions(at)
        assert any(way.endswith(f"lesson={name}&station={n}") for way in ways(at))
    assert shown(at, "why")


def test_the_lesson_on_adding_says_the_distances_that_its_stations_show():
    lesson = lessons()["why-add"]
    said = "In 4 numbers it is 2.38 from its own token and 4.33 from the other, in 256 numbers 16.6 and 30.3."
    assert any(said in station.answer for station in lesson.stations)
    at = come("why-add", 2)
    for numbers, own, other in (("4", "2.38", "4.33"), ("256", "16.6", "30.3")):
        at.button_group(key="held_numbers").set_value(numbers).run()
        card, *_ = shown(at, "about_adding")["cards"]
        assert card["text"] == f"In {numbers} numbers the input is {own} from its own token and {other} from another."
