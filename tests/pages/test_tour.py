"""The page "Tour", run without a browser."""

import pytest

from embedviz.text.samples import usual_pair
from embedviz.ui.components.way.picture import COLUMNS
from embedviz.ui.whole_way.pair import Asked, program
from pages.tour.steps import STEPS
from pages.tour.story import Story
from tests.pages.site import before_visit, messages, payloads, programs, shown, visit

CAT, MAT = usual_pair().a, usual_pair().b
STORY = Story(Asked((CAT, MAT)))
KEYS = [step.key for step in STEPS]
NUMBERS = range(1, len(STEPS) + 1)
ASKED = [n for n in NUMBERS if STEPS[n - 1].asked(STORY)]
LATER = {  # what a column needs, so that it must not be sent before
    "vectors": "vectors",
    "positions": "positions",
    "looks": "looks",
    "after": "after",
    "answer": "answers",
}


def panel(at) -> dict:
    return shown(at, "tour_panel")


def picture(at) -> dict:
    return shown(at, "tour_picture")


def at_step(n: int | str, **query):
    at = visit("tour", view=KEYS[n - 1] if isinstance(n, int) else n, **query)
    assert not at.exception
    return at


def revealed(n: int):
    at = before_visit("tour", view=KEYS[n - 1], present="1")
    at.session_state["tour_revealed"] = set(KEYS)
    return at.run()


def sent(data: dict) -> set[str]:
    return {*data, *data["states"][0]}


@pytest.mark.parametrize("n", NUMBERS)
def test_every_step_has_its_part_of_the_picture_and_its_words_or_its_question(n):
    at = at_step(n)
    found, step = panel(at), STEPS[n - 1]
    assert found["names"] == [step.name for step in STEPS]
    assert found["step"] == n
    if n in ASKED:
        asked = step.asked(STORY)
        assert (found["heading"], found["words"]) == (asked.text, asked.before)
        assert found["answers"] == list(asked.answers)
        assert picture(at)["told"]["asked"] == list(step.lit)
    else:
        assert (found["heading"], found["words"]) == step.words(STORY)
        assert found["answers"] == []
        assert picture(at)["told"]["until"] == step.until
        assert picture(at)["told"]["asked"] == []


@pytest.mark.parametrize("n", NUMBERS)
def test_what_a_step_sends_holds_nothing_of_the_columns_that_come_later(n):
    for at in (at_step(n), revealed(n)):
        data = picture(at)
        until = COLUMNS.index(data["told"]["until"])
        for name, key in LATER.items():
            assert (key in sent(data)) == (COLUMNS.index(name) <= until), (name, data["told"])


@pytest.mark.parametrize("n", ASKED)
def test_nothing_that_is_sent_gives_the_answer_away(n):
    at, step = at_step(n), STEPS[n - 1]
    asked = step.asked(STORY)
    title, words = step.words(STORY)
    assert title not in str(payloads(at))
    assert words not in str(payloads(at))
    assert panel(at)["verdict"] is None
    assert asked.answers[asked.right] in panel(at)["answers"]
    assert programs(at) == []
    first_asked = min(COLUMNS.index(name) for name in picture(at)["told"]["asked"])
    assert COLUMNS.index(picture(at)["told"]["until"]) < first_asked


@pytest.mark.parametrize("n", ASKED)
@pytest.mark.parametrize("is_right", [True, False])
def test_an_answer_opens_the_picture_and_counts(n, is_right):
    step = STEPS[n - 1]
    asked = step.asked(STORY)
    choice = asked.right if is_right else (asked.right + 1) % len(asked.answers)
    at = before_visit("tour", view=step.key)
    at.session_state["tour_answers"] = {step.key: (asked.text, asked.answers[choice], is_right)}
    at.run()
    assert not at.exception
    assert picture(at)["told"]["until"] == step.until
    assert panel(at)["words"] == step.words(STORY)[1]
    assert panel(at)["score"] == f"{int(is_right)} of 1 right"
    verdict = panel(at)["verdict"]
    assert verdict["right"] is is_right
    assert asked.answers[asked.right] in verdict["text"]


def test_an_answer_about_other_sentences_keeps_the_picture_and_says_nothing():
    at = visit("tour", view="after")
    at.session_state["tour_answers"] = {"after": ("How many?", "None", True)}
    at.run()
    assert picture(at)["told"]["until"] == "input"
    assert panel(at)["verdict"] is None
    assert panel(at)["score"] == "1 of 1 right"


@pytest.mark.parametrize("n", NUMBERS)
def test_in_projection_questions_wait_for_a_show_of_hands(n):
    at = at_step(n, present="1")
    found = panel(at)
    assert found["present"] is True
    assert found["stops"] == ASKED
    assert picture(at)
    assert len(at.text_input) == 0
    assert programs(at) == []
    if n in ASKED:
        at.session_state["tour_revealed"] = {KEYS[n - 1]}
        at.run()
        assert panel(at)["stops"] == [stop for stop in ASKED if stop != n]
        asked = STEPS[n - 1].asked(STORY)
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
    said = STEPS[4].words(Story(Asked(("dog bites man", "man bites dog"))))[1]
    for query in ({}, {"present": "1"}):
        assert panel(at_step("positions", a="dog bites man", b="man bites dog", **query))["words"] == said


def test_a_changed_sentence_keeps_the_step():
    at = at_step("positions")
    at.text_input(key="a").set_value("the dog ran").run()
    assert panel(at)["step"] == 5
    assert panel(at)["words"] == STEPS[4].words(Story(Asked(("the dog ran", MAT))))[1]


def test_the_end_has_three_ways_on_once_its_question_is_answered():
    def links(at) -> list[str]:
        return [link.proto.label.partition(":")[0] for link in at.get("page_link")]

    step = STEPS[-1]
    assert links(at_step(step.key)) == []
    at = before_visit("tour", view=step.key)
    asked = step.asked(STORY)
    at.session_state["tour_answers"] = {step.key: (asked.text, asked.answers[asked.right], True)}
    assert links(at.run()) == ["Compare", "Layers", "Next word"]
    assert links(revealed(len(STEPS))) == []


def test_the_sentences_of_compare_come_along():
    at = visit(a="dog bites man", b="man bites dog")
    at.switch_page("../../pages/tour/page.py").run()
    assert not at.exception
    assert [field.value for field in at.text_input] == ["dog bites man", "man bites dog"]
    assert panel(at)["step"] == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the", "the"),
        ("the dog", "a cat ran"),
        ("the cat " * 128, "cat the " * 20),
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
        assert panel(at)["heading"]
        assert picture(at)
        assert sum(len(c.proto.bytes) for c in at.get("bidi_component") if c.proto.bytes) <= 60_000, n


@pytest.mark.parametrize("texts", [("", MAT), (CAT, " "), ("", "")])
def test_without_a_sentence_the_tour_asks_for_one(texts):
    at = visit("tour", a=texts[0], b=texts[1])
    assert not at.exception
    assert messages(at) == ["Write two sentences, for the model to read both."]


def test_cut_sentences_say_so():
    assert "The tour follows the first 16." in panel(at_step("tokens", a="a cat " * 30, b="cat a " * 30))["words"]
    at = at_step(1, a="the cat " * 700)
    assert any("characters are too many" in each for each in messages(at))


def test_the_small_models_say_where_they_cannot_read_ones_own_words():
    own = {"a": "only I love you", "b": "I love only you"}
    for step in ("rope", "mask"):
        assert panel(at_step(step, **own))["note"].startswith("This small model lacks words of yours")
        assert panel(at_step(step))["note"] == ""
        assert [row["text"] for row in picture(at_step(step, **own))["rows"]][1] == "cat"


def test_positions_are_off_until_they_are_told_and_each_step_lights_what_is_new():
    shares = [picture(revealed(n))["told"]["share"] for n in NUMBERS]
    assert shares == sorted(shares)
    assert {0, 100} == set(shares)
    for n in NUMBERS[1:]:
        told = picture(revealed(n))["told"]
        assert told["until"] in told["lit"]


def test_the_program_of_each_step_is_that_of_its_model_once_its_question_is_answered():
    for n in NUMBERS:
        written = program(STEPS[n - 1].way(STORY)).strip()
        assert programs(at_step(n)) == ([] if n in ASKED else [written])
        compile(written, STEPS[n - 1].key, "exec")
