"""Challenges, from the link that begins one to the line that says it is solved."""

from urllib.parse import parse_qsl

import pytest

from embedviz.base.pages import PAGES, page_at
from embedviz.teaching.challenges import CHALLENGES
from embedviz.ui import challenges
from tests.pages.controls import BAD
from tests.pages.site import shown, visit

NAMED = {each.name: each for each in CHALLENGES}
PLACES = [each.at.split("/") for each in CHALLENGES]


def way(at, key="why", to=""):
    """Where the first link of a component leads, or that to this challenge: the page, and what the address says."""
    link = next(each for each in shown(at, key)["links"] if f"challenge={to}" in each["query"])
    return link["address"], {name: text for name, text in parse_qsl(link["query"]) if text}


def line(at):
    return shown(at, "strip_challenge")


def sent(at):
    """What each component of the page got."""
    return [each.proto.bytes for each in at.get("bidi_component")]


def is_solved(at):
    return line(at)["text"].startswith("Solved.")


def opened(name):
    """The view of a challenge as its own link opens it."""
    page, view = NAMED[name].at.split("/")
    address, query = way(visit(page, **({"view": view} if view else {})), to=name)
    assert page_at(address).name == page
    at = visit(page, **query)
    assert not at.exception
    assert line(at)["text"] == f"Challenge: {NAMED[name].task}"
    assert line(at)["hints"] == list(NAMED[name].hints)
    assert "solved" not in at.query_params
    return at


def two_stay(at):
    at.text_input(key="a").set_value("the cat sat on the mat").run()
    at.text_input(key="b").set_value("the mat sat on the cat").run()
    assert not is_solved(at)
    at.text_input(key="b").set_value("the sat cat on mat the").run()


def two_cuts(at):
    at.text_area(key="text").set_value("a cat sat on the mat").run()
    assert not is_solved(at)
    at.text_area(key="text").set_value("the cat sat on the mat").run()


def past_the_end(at):
    at.slider(key="length").set_value(66).run()
    assert not is_solved(at)
    at.slider(key="length").set_value(65).run()


def same_answer(at):
    at.text_input(key="b").set_value("the cat sat on mat the").run()
    assert not is_solved(at)
    at.text_input(key="b").set_value("on the cat the sat mat").run()


def say_mat(at):
    at.segmented_control(key="positions").set_value("exchanged").run()
    assert not is_solved(at)  # the reader is asked first
    at.button(key="guess_0").click().run()


@pytest.mark.parametrize("solve", [two_stay, two_cuts, past_the_end, same_answer, say_mat])
def test_a_challenge_from_its_link_to_solved_and_on_to_the_next(solve):
    name = solve.__name__.replace("_", "-")
    at = opened(name)
    solve(at)
    assert not at.exception
    assert line(at) == line(at) | {"text": f"Solved. {NAMED[name].why}", "hints": [], "tone": "done"}
    assert line(at)["kept"] == {"solved": name}
    names = [*NAMED]
    following = names[(names.index(name) + 1) % len(names)]
    assert way(at, "strip_challenge")[1]["challenge"] == following


def test_each_challenge_has_a_test_of_its_way_and_a_view_that_exists():
    assert {name.replace("-", "_") for name in NAMED} <= globals().keys()
    assert len(NAMED) == len(CHALLENGES) >= 5
    for page, view in PLACES:
        assert page in {each.name for each in PAGES}
        assert view in (page_at(page).views or {""})
    assert all(2 <= len(each.hints) <= 3 for each in CHALLENGES)


def test_the_last_one_solved_leads_to_no_other():
    at = visit(view="pairs", challenge="two-stay", solved=".".join(NAMED))
    assert is_solved(at)
    assert [link["text"] for link in line(at)["links"]] == ["Leave"]


def test_a_challenge_is_shown_on_its_view_alone():
    assert line(visit(view="map", challenge="two-stay")) is None
    assert line(visit("tokenizers", challenge="two-stay")) is None


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_what_is_no_name_is_no_challenge_and_none_that_is_solved(value):
    usual, at = visit(view="pairs"), visit(view="pairs", challenge=value, solved=value)
    assert not at.exception
    assert line(at) is None
    assert sent(at) == sent(usual)
    at = visit(view="pairs", challenge="two-stay", solved=value)
    assert not is_solved(at)


def test_without_a_challenge_nothing_is_checked(monkeypatch):
    def fails(*_found):
        raise AssertionError

    checked = [each.__class__(**{**vars(each), "is_solved": fails}) for each in CHALLENGES]
    monkeypatch.setattr(challenges, "CHALLENGES", checked)
    for page, view in PLACES:
        at = visit(page, **({"view": view} if view else {}))
        assert not at.exception
        assert line(at) is None
    assert visit(view="pairs", challenge="two-stay").exception


def test_in_a_lesson_no_link_leads_to_a_challenge_and_one_that_begins_ends_the_lesson():
    lesson, view = {"lesson": "dog-bites-man", "station": "1"}, {"view": "pairs", "challenge": "two-stay"}
    assert "links" in shown(visit(view="pairs"), "why")
    assert "links" in shown(visit(view="pairs", **lesson | {"station": "0"}), "why")
    assert "links" not in shown(visit(view="pairs", **lesson), "why")
    following, _leave = line(visit(**lesson, **view, solved="two-stay"))["links"]
    assert following["query"].endswith("&lesson=&station=&answered=")


@pytest.mark.parametrize("name", NAMED)
def test_in_a_hall_the_task_stands_on_the_slides_and_no_link_leads_to_one(name):
    page, view = NAMED[name].at.split("/")
    query = {"present": "1"} | ({"view": view} if view else {})
    assert "links" not in shown(visit(page, **query), "why")
    assert line(visit(page, challenge=name, **query))["text"] == f"Challenge: {NAMED[name].task}"


def test_the_page_of_lessons_shows_all_challenges_and_says_which_are_solved():
    found = shown(visit("lessons", solved="two-cuts.nobody"), "strip_challenges")
    assert found["text"] == "Challenges that the app checks: 1 of 5 are solved."
    assert [link["text"] for link in found["links"]] == [
        f"{'✓ ' if each.name == 'two-cuts' else ''}{each.title}" for each in CHALLENGES
    ]
