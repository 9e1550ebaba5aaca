"""The page "Tour", run without a browser."""

import re

import numpy as np
import pytest

from embedviz.programs.attention import pytorch_attention
from embedviz.programs.next_word import pytorch_next_word
from embedviz.text.samples import pairs
from embedviz.training.bundled import BUNDLED
from embedviz.training.placement import Placement
from pages.tour.facts import N_HEADS, QUESTIONS, facts
from pages.tour.steps import STEPS
from pages.tour.words import unbroken
from tests.pages.site import before_visit, messages, payloads, programs, shown, visit

CAT, MAT = pairs()[0].a, pairs()[0].b
FOUND = facts(CAT, MAT)
KEYS = [step.key for step in STEPS]
NUMBERS = range(1, len(STEPS) + 1)
ASKED = [n for n in NUMBERS if STEPS[n - 1].is_asked(FOUND)]


def panel(at) -> dict:
    return shown(at, "tour_panel")


def is_drawn(at) -> bool:
    return bool(shown(at, "tour_picture") or shown(at, "tour_boxes"))


def at_step(n: int | str, **query):
    at = visit("tour", view=KEYS[n - 1] if isinstance(n, int) else n, **query)
    assert not at.exception
    return at


@pytest.mark.parametrize("n", NUMBERS)
def test_every_step_has_its_picture_and_its_words_or_its_question(n):
    at = at_step(n)
    found, step = panel(at), STEPS[n - 1]
    assert found["names"] == [step.name for step in STEPS]
    assert found["step"] == n
    if n in ASKED:
        asked = step.asked(FOUND)
        assert (found["heading"], found["words"]) == (asked.text, unbroken(asked.before))
        assert found["answers"] == list(asked.answers)
    else:
        title, words = step.words(FOUND)
        assert (found["heading"], found["words"]) == (title, unbroken(words))
        assert found["answers"] == []
    assert is_drawn(at)


@pytest.mark.parametrize("n", ASKED)
def test_nothing_that_is_sent_gives_the_answer_away(n):
    at, step = at_step(n), STEPS[n - 1]
    asked = step.asked(FOUND)
    title, words = step.words(FOUND)
    assert title not in str(payloads(at))
    assert unbroken(words) not in str(payloads(at))
    assert panel(at)["verdict"] is None
    assert asked.answers[asked.right] in panel(at)["answers"]
    assert programs(at) == []


@pytest.mark.parametrize("n", ASKED)
@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_opens_the_picture_and_counts(n, is_right):
    step = STEPS[n - 1]
    asked = step.asked(FOUND)
    choice = asked.right if is_right else (asked.right + 1) % len(asked.answers)
    at = before_visit("tour", view=step.key)
    at.session_state["tour_answers"] = {step.key: (asked.text, asked.answers[choice], is_right)}
    at.run()
    assert not at.exception
    assert is_drawn(at)
    assert panel(at)["words"] == unbroken(step.words(FOUND)[1])
    assert panel(at)["score"] == f"{int(is_right)} of 1 right"
    verdict = panel(at)["verdict"]
    assert verdict["right"] is is_right
    assert asked.answers[asked.right] in verdict["text"]


def test_an_answer_about_other_sentences_keeps_the_picture_and_says_nothing():
    at = visit("tour", view="after")
    at.session_state["tour_answers"] = {"after": ("How many?", "None", True)}
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
        at.session_state["tour_revealed"] = {KEYS[n - 1]}
        at.run()
        assert panel(at)["stops"] == [stop for stop in ASKED if stop != n]
        asked = STEPS[n - 1].asked(FOUND)
        assert panel(at)["verdict"] == {"text": f"Answer: {asked.answers[asked.right]}.", "right": None}


def test_answers_of_a_reader_do_not_open_the_presenters_question():
    at = visit("tour", view="after", present="1")
    at.session_state["tour_answers"] = {"after": ("How many?", "None", True)}
    at.run()
    assert panel(at)["answers"]


@pytest.mark.parametrize("step", ["0", "14", "Tokens", "-1", "1.5", "x", "", "٣", "999999999999", "1e0", " 2"])
def test_a_bad_step_in_the_address_is_the_first(step):
    at = visit("tour", view=step)
    assert not at.exception
    assert panel(at)["step"] == 1


def test_the_sentences_of_the_address_are_used_in_projection_too():
    said = unbroken(STEPS[5].words(facts("dog bites man", "man bites dog"))[1])
    for query in ({}, {"present": "1"}):
        assert panel(at_step("sum", a="dog bites man", b="man bites dog", **query))["words"] == said


def test_a_changed_sentence_keeps_the_step():
    at = at_step("sum")
    at.text_input(key="a").set_value("the dog ran").run()
    assert panel(at)["step"] == 6
    assert panel(at)["words"] == unbroken(STEPS[5].words(facts("the dog ran", MAT))[1])


def test_the_end_has_three_ways_on_once_its_question_is_answered():
    def links(at) -> list[str]:
        return [link.proto.label.partition(":")[0] for link in at.get("page_link")]

    assert links(at_step("next_word")) == []
    at = before_visit("tour", view="next_word")
    asked = STEPS[-1].asked(FOUND)
    at.session_state["tour_answers"] = {"next_word": (asked.text, asked.answers[asked.right], True)}
    assert links(at.run()) == ["Compare", "Layers", "Next word"]
    assert links(revealed(10)) == []


def test_the_sentences_of_compare_come_along():
    at = visit(a="dog bites man", b="man bites dog")
    at.switch_page("../../pages/tour/page.py").run()
    assert not at.exception
    assert [field.value for field in at.text_input] == ["dog bites man", "man bites dog"]
    assert panel(at)["step"] == 1


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
    presenter.session_state["tour_revealed"] = set(KEYS)
    for n in NUMBERS:
        at = presenter if n in ASKED else reader
        at.query_params["view"] = KEYS[n - 1]
        at.run()
        assert not at.exception, (n, at.exception)
        assert panel(at)["step"] == n
        assert panel(at)["words"]
        assert is_drawn(at) or not (a or b) or n == len(STEPS)
        sent = sum(len(c.proto.bytes) for c in at.get("bidi_component") if c.proto.bytes)
        assert sent <= 130_000, n  # a picture of 400 frames is the largest; see below for the usual


@pytest.mark.parametrize("n", NUMBERS)
def test_a_usual_step_sends_less_than_an_edit_of_compare_may(n):
    at = revealed(n)
    assert sum(len(c.proto.bytes) for c in at.get("bidi_component") if c.proto.bytes) <= 60_000


def test_cut_sentences_say_so():
    at = at_step("after", a="the cat " * 30)
    assert panel(at)["note"] == "The picture shows the first 40 tokens."
    assert panel(at_step("after"))["note"] == ""
    at = at_step(1, a="the cat " * 700)
    assert any("characters are too many" in each for each in messages(at))


def test_the_pictures_show_the_numbers_of_the_words():
    drawn = shown(at_step(3), "tour_picture")
    table, tokens = drawn["data"]
    a = FOUND.comparison.a
    assert np.array_equal(tokens["z"], a.token_embeddings[:, :3])
    assert {row.tobytes() for row in tokens["z"]} == {row.tobytes() for row in table["z"]}
    row_of = dict(zip(a.tokens.ids, a.token_embeddings[:, :3].tolist(), strict=True))
    ids = [int(re.search(r">(\d+) ", name)[1]) for name in drawn["layout"]["yaxis"]["ticktext"]]
    assert dict(zip(ids, table["z"].tolist(), strict=True)) == row_of
    assert ids == table["meta"]["ids"]
    token, place, total = shown(at_step("sum"), "tour_picture")["data"]
    assert np.array_equal(token["z"] + place["z"], total["z"])
    assert (token["z"] == token["z"][0]).all()
    assert len({row.tobytes() for row in total["z"]}) == 4


def revealed(n: int):
    at = before_visit("tour", view=KEYS[n - 1], present="1")
    at.session_state["tour_revealed"] = set(KEYS)
    return at.run()


def test_words_have_their_spaces_and_ids_once_they_are_tokens():
    before, after = (shown(at_step(name), "tour_boxes")["rows"] for name in ("question", "tokens"))
    assert [box["text"] for box in before[0]["boxes"]] == CAT.split()
    assert [box["text"] for box in after[0]["boxes"]] == [f"␣{word}" for word in CAT.split()]
    assert {box["id"] for row in before for box in row["boxes"]} == {None}
    assert [[box["id"] for box in row["boxes"]] for row in after] == [
        [262, 3797, 3332, 319, 262, 2603], [319, 262, 2603, 262, 3797, 3332],
    ]  # fmt: skip
    colours = [[box["colour"] for row in rows for box in row["boxes"]] for rows in (before, after)]
    assert colours[0] == colours[1]


def test_a_token_keeps_its_colour_in_every_step():
    boxes = [box for row in shown(at_step("tokens"), "tour_boxes")["rows"] for box in row["boxes"]]
    colours = {box["text"]: f"var(--token-{box['colour']})" for box in boxes}
    for n in (3, 4, 6, 7, 8, 9):
        layout = shown(revealed(n), "tour_picture")["layout"]
        named = [re.search(r'color:(.+?)">.*?(␣\w+)', text) for text in layout["yaxis"]["ticktext"]]
        assert {(found[2], found[1]) for found in named} <= set(colours.items()), n


HIDDEN = {4: (1,), 7: (1,), 8: (0, 1), 9: (1,), 10: (1,)}


@pytest.mark.parametrize("n", HIDDEN)
def test_a_question_shows_its_picture_without_the_numbers_that_answer_it(n):
    masked, whole = (shown(at, "tour_picture") for at in (at_step(n), revealed(n)))
    for k, (asked, told) in enumerate(zip(masked["data"], whole["data"], strict=True)):
        expected = np.full_like(told["z"], np.nan) if k in HIDDEN[n] else told["z"]
        assert np.array_equal(np.array(asked["z"]), expected, equal_nan=True)
    marks = sum(each["text"] == "?" and each["font"]["size"] == 64 for each in masked["layout"]["annotations"])
    assert marks == len(HIDDEN[n])
    assert masked["alt"] != whole["alt"]


def test_the_scale_of_a_masked_picture_knows_nothing_of_what_is_hidden():
    layouts = [shown(at, "tour_picture")["layout"] for at in (at_step("after"), revealed(7))]
    assert layouts[0]["coloraxis"]["cmax"] != layouts[1]["coloraxis"]["cmax"]


def test_the_pictures_behind_the_questions():
    a, b = (trace["z"] for trace in shown(revealed(4), "tour_picture")["data"])
    assert np.array_equal(a, FOUND.comparison.a.token_embeddings[:, :3])
    assert np.array_equal(a, b)
    before, after = (trace["z"] for trace in shown(revealed(7), "tour_picture")["data"])
    assert (before == 0).sum() == 8
    assert (after == 0).sum() == 0
    plain, chosen = (trace["z"] for trace in shown(revealed(8), "tour_picture")["data"])
    assert [(each[FOUND.comparison.shared] < 1e-4).sum() for each in (plain, chosen)] == [8, 0]
    unmasked, masked = (trace["z"] for trace in shown(revealed(9), "tour_picture")["data"])
    assert np.array_equal(unmasked, plain)
    assert (masked[FOUND.comparison.shared] < 1e-4).sum() == 0
    on, off = (trace["z"] for trace in shown(revealed(10), "tour_picture")["data"])
    assert (on[:, :2].round() == np.eye(2)).all()
    assert np.abs(off[0] - off[1]).max() < 1e-6


def test_the_program_of_each_step_is_there_to_read_once_its_question_is_answered():
    for n in NUMBERS:
        assert programs(at_step(n)) == ([] if n in ASKED else [STEPS[n - 1].program(FOUND).strip()])


@pytest.mark.parametrize(("a", "b"), [(CAT, MAT), ("cat", "dog"), ("", "the cat")])
def test_the_program_of_each_step_is_one_of_python(a, b):
    found = facts(a, b)
    for step in STEPS:
        compile(step.program(found), step.key, "exec")


def test_the_programs_of_attention_and_of_the_answers_are_those_of_their_pages():
    attention, mask, answers = (step.program(FOUND) for step in STEPS[-3:])
    a, b = FOUND.comparison.a, FOUND.comparison.b
    assert attention == mask == pytorch_attention(a, b, N_HEADS, causal=False)
    assert answers == pytorch_next_word(BUNDLED["learned"], [(text, Placement(scale=0.0)) for text in QUESTIONS])


def test_in_a_hall_the_sums_of_the_picture_add_up_with_the_decimals_that_they_have():
    token, position, total = shown(at_step("sum", present="1"), "tour_picture")["data"]
    for texts in zip(token["text"], position["text"], total["text"], strict=True):
        ((a,), (b,), (c,)) = ([float(number.replace("−", "-")) for number in row] for row in texts)
        assert a + b == pytest.approx(c, abs=0.011)
    assert len(token["text"]) > 1


def test_chances_have_a_scale_that_begins_at_zero():
    at = before_visit("tour", view="next_word", present="1")
    at.session_state["tour_revealed"] = set(KEYS)
    assert shown(at.run(), "tour_picture")["layout"]["coloraxis"]["cmin"] == 0
    assert shown(at_step("sum"), "tour_picture")["layout"]["coloraxis"]["cmin"] < 0
