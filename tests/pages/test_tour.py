"""The page "Tour", run without a browser."""

import numpy as np
import pytest

from embedviz.text.samples import pairs
from pages.tour.facts import facts
from pages.tour.steps import STEPS
from pages.tour.words import unbroken
from tests.pages.site import before_visit, messages, payloads, programs, shown, visit

CAT, MAT = pairs()[0].a, pairs()[0].b
FOUND = facts(CAT, MAT)
NAMES = [step.name for step in STEPS]
NUMBERS = range(1, len(STEPS) + 1)
ASKED = [n for n in NUMBERS if STEPS[n - 1].asks(FOUND)]


def panel(at) -> dict:
    return shown(at, "tour_panel")


def is_drawn(at) -> bool:
    return bool(shown(at, "tour_picture") or shown(at, "tour_boxes"))


def at_step(n: int, **query):
    at = visit("tour", view=str(n), **query)
    assert not at.exception
    return at


@pytest.mark.parametrize("n", NUMBERS)
def test_every_step_has_its_picture_and_its_words_or_its_question(n):
    at = at_step(n)
    found, step = panel(at), STEPS[n - 1]
    assert found["names"] == NAMES
    assert found["step"] == n
    if n in ASKED:
        asked = step.asked(FOUND)
        assert found["question"] == {"text": asked.text, "answers": list(asked.answers)}
        assert found["words"] == ""
    else:
        title, words = step.words(FOUND)
        assert (found["heading"], found["words"]) == (title, unbroken(words))
        assert found["question"] is None
    assert is_drawn(at)


@pytest.mark.parametrize("n", ASKED)
def test_nothing_that_is_sent_gives_the_answer_away(n):
    at, step = at_step(n), STEPS[n - 1]
    asked = step.asked(FOUND)
    title, words = step.words(FOUND)
    assert title not in str(payloads(at))
    assert unbroken(words) not in str(payloads(at))
    assert "right" not in str(panel(at)["question"])
    assert panel(at)["verdict"] is None
    assert asked.answers[asked.right] in panel(at)["question"]["answers"]
    assert programs(at) == []


@pytest.mark.parametrize("n", ASKED)
@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_opens_the_picture_and_counts(n, is_right):
    step = STEPS[n - 1]
    asked = step.asked(FOUND)
    choice = asked.right if is_right else (asked.right + 1) % len(asked.answers)
    at = before_visit("tour", view=str(n))
    at.session_state["tour_answers"] = {step.name: (asked.text, asked.answers[choice], is_right)}
    at.run()
    assert not at.exception
    assert is_drawn(at)
    assert panel(at)["words"] == unbroken(step.words(FOUND)[1])
    assert panel(at)["score"] == f"{int(is_right)} of 1 right"
    verdict = panel(at)["verdict"]
    assert verdict["right"] is is_right
    assert asked.answers[asked.right] in verdict["text"]


def test_an_answer_about_other_sentences_keeps_the_picture_and_says_nothing():
    at = visit("tour", view="8")
    at.session_state["tour_answers"] = {"After": ("How many?", "None", True)}
    at.run()
    assert is_drawn(at)
    assert panel(at)["verdict"] is None
    assert panel(at)["score"] == "1 of 1 right"


@pytest.mark.parametrize("n", NUMBERS)
def test_in_projection_questions_wait_for_a_show_of_hands(n):
    at = at_step(n, present="1")
    found = panel(at)
    assert found["present"] is True
    assert found["stops"] == ASKED
    assert is_drawn(at)
    assert len(at.text_input) == 0
    assert programs(at) == []
    if n in ASKED:
        at.session_state["tour_revealed"] = {NAMES[n - 1]}
        at.run()
        assert panel(at)["stops"] == [stop for stop in ASKED if stop != n]
        asked = STEPS[n - 1].asked(FOUND)
        assert panel(at)["verdict"] == {"text": f"Answer: {asked.answers[asked.right]}", "right": None}


def test_answers_of_a_reader_do_not_open_the_presenters_question():
    at = visit("tour", view="8", present="1")
    at.session_state["tour_answers"] = {"After": ("How many?", "None", True)}
    at.run()
    assert panel(at)["question"]


@pytest.mark.parametrize("step", ["0", "14", "-1", "1.5", "x", "", "٣", "999999999999", "1e0", " 2"])
def test_a_bad_step_in_the_address_is_the_first(step):
    at = visit("tour", view=step)
    assert not at.exception
    assert panel(at)["step"] == 1


def test_the_sentences_of_the_address_are_used_in_projection_too():
    for query in ({}, {"present": "1"}):
        at = at_step(7, a="dog bites man", b="man bites dog", **query)
        assert panel(at)["words"] == unbroken(STEPS[6].words(facts("dog bites man", "man bites dog"))[1])


def test_a_changed_sentence_keeps_the_step():
    at = at_step(7)
    at.text_input(key="a").set_value("the dog ran").run()
    assert panel(at)["step"] == 7
    assert panel(at)["words"] == unbroken(STEPS[6].words(facts("the dog ran", MAT))[1])


def test_the_sentences_of_compare_come_along():
    at = visit(a="dog bites man", b="man bites dog")
    at.switch_page("../../pages/tour/page.py").run()
    assert not at.exception
    assert [field.value for field in at.text_input] == ["dog bites man", "man bites dog"]
    assert "3 tokens" in panel(at)["words"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("", ""),
        ("the", ""),
        ("", "the cat"),
        ("the", "the"),
        ("the dog", "a cat ran"),
        ("the cat " * 128, "cat the " * 20),  # pictures have 40 tokens of each at most
        ("the cat sat " * 200, "mat"),
        ("<script>alert(1)</script> **x** $x^2$ :red[x] &lt;b&gt;", "\x00 \u202e 🐈 שלום"),
        ("x" * 3000, "-" * 3000),
    ],
)
def test_any_sentences_are_no_error_and_little_is_sent(a, b):
    """A reader goes through the steps that ask nothing, and a presenter through those that are answered."""
    reader, presenter = (before_visit("tour", a=a, b=b, present=present) for present in ("0", "1"))
    presenter.session_state["tour_revealed"] = set(NAMES)
    for n in NUMBERS:
        at = presenter if n in ASKED else reader
        at.query_params["view"] = str(n)
        at.run()
        assert not at.exception, (n, at.exception)
        assert panel(at)["step"] == n
        assert panel(at)["words"]
        assert is_drawn(at) or not (a or b)
        sent = sum(len(c.proto.bytes) for c in at.get("bidi_component") if c.proto.bytes)
        assert sent <= 130_000, n  # a picture of 400 frames is the largest; see below for the usual


@pytest.mark.parametrize("n", NUMBERS)
def test_a_usual_step_sends_less_than_an_edit_of_compare_may(n):
    at = revealed(n)
    assert sum(len(c.proto.bytes) for c in at.get("bidi_component") if c.proto.bytes) <= 60_000


def test_cut_sentences_say_so():
    at = at_step(9, a="the cat " * 30)
    assert panel(at)["note"] == "The picture shows the first 40 tokens."
    assert panel(at_step(9))["note"] == ""
    at = at_step(1, a="the cat " * 700)
    assert any("characters are too many" in each for each in messages(at))


def test_the_pictures_show_the_numbers_of_the_words():
    drawn = shown(at_step(3), "tour_picture")
    table, tokens = drawn["data"]
    a = FOUND.comparison.a
    assert np.array_equal(tokens["z"], a.token_embeddings[:, :4])
    assert {row.tobytes() for row in tokens["z"]} == {row.tobytes() for row in table["z"]}
    row_of = dict(zip(a.tokens.ids, a.token_embeddings[:, :4].tolist(), strict=True))
    ids = [int(name.split()[0]) for name in drawn["layout"]["yaxis"]["ticktext"]]
    assert dict(zip(ids, table["z"].tolist(), strict=True)) == row_of
    assert ids == table["meta"]["ids"]
    token, place, total = shown(at_step(7), "tour_picture")["data"]
    assert np.array_equal(token["z"] + place["z"], total["z"])
    assert (token["z"] == token["z"][0]).all()
    assert len({row.tobytes() for row in total["z"]}) == 4
    rows = shown(at_step(5), "tour_picture")["data"][0]["z"]
    assert np.array_equal(rows[:6], a.token_embeddings)
    before = {row.tobytes() for row in rows[:6]}
    assert before == {row.tobytes() for row in rows[7:]}


def revealed(n: int):
    at = before_visit("tour", view=str(n), present="1")
    at.session_state["tour_revealed"] = set(NAMES)
    return at.run()


def test_the_box_that_is_asked_for_is_not_sent():
    at = at_step(2)
    *sentences, asked = shown(at, "tour_boxes")["rows"]
    assert asked["boxes"] == [{"text": "?", "id": "?", "colour": None}]
    assert sentences == shown(revealed(2), "tour_boxes")["rows"][:2]
    assert "1169" not in str(payloads(at))


B_ROWS = [2, 3, 5, 7, 9, 11]  # of the matrix of A0, A4, B1, B3, A1, B4 and so on


@pytest.mark.parametrize(
    ("n", "hidden"),
    [(4, {0: B_ROWS}), (8, {1: slice(None)}), (10, {2: slice(None)}), (11, {1: slice(None), 3: slice(None)}),
     (12, {1: slice(None), 2: slice(None)})],
)  # fmt: skip
def test_a_question_shows_its_picture_without_the_numbers_that_answer_it(n, hidden):
    masked, whole = (shown(at, "tour_picture") for at in (at_step(n), revealed(n)))
    for k, (asked, told) in enumerate(zip(masked["data"], whole["data"], strict=True)):
        expected = np.array(told["z"], np.float32)
        expected[hidden.get(k, [])] = np.nan
        assert np.array_equal(np.array(asked["z"]), expected, equal_nan=True)
    assert "hidden until you answer" in masked["alt"]
    assert sum(each["text"] == "?" for each in masked["layout"]["annotations"]) == sum(
        len(rows) if isinstance(rows, list) else 1 for rows in hidden.values()
    )


def test_the_scale_of_a_masked_picture_knows_nothing_of_what_is_hidden():
    for n, axis in ((8, "coloraxis"), (10, "coloraxis2")):
        layouts = [shown(at, "tour_picture")["layout"] for at in (at_step(n), revealed(n))]
        assert layouts[0][axis]["cmax"] != layouts[1][axis]["cmax"]


def test_the_pictures_behind_the_questions():
    boxes = shown(revealed(2), "tour_boxes")["rows"]
    assert [[box["id"] for box in row["boxes"]] for row in boxes] == [
        [262, 3797, 3332, 319, 262, 2603], [319, 262, 2603, 262, 3797, 3332], [1169],
    ]  # fmt: skip
    assert len(np.unique(shown(revealed(4), "tour_picture")["data"][0]["z"], axis=0)) == 5
    before, after = (trace["z"] for trace in shown(revealed(8), "tour_picture")["data"])
    assert (before == 0).sum() == 8
    assert (after == 0).sum() == 0
    weights = shown(revealed(10), "tour_picture")["data"][0]["z"]
    assert np.array_equal(np.isnan(weights), ~np.tri(6, dtype=bool))
    here, there, turned, moved = (trace["z"] for trace in shown(revealed(11), "tour_picture")["data"])
    assert np.abs(here - there).max() == pytest.approx(FOUND.learned.change)
    assert np.abs(turned - moved).max() == pytest.approx(FOUND.rope.change, abs=1e-6)
    positional = shown(revealed(12), "tour_picture")["data"][1]["z"]
    assert np.array_equal(positional[:6], positional[6:])


def test_the_program_of_each_step_is_there_to_read():
    for n in NUMBERS:
        at = at_step(n)
        found = programs(at)
        assert len(found) == (0 if n in ASKED else 1)
        for program in found:
            compile(program, f"step {n}", "exec")
