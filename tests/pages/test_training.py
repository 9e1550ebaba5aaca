"""The page "Training", run as Streamlit runs it."""

from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.base import disk_cache
from embedviz.training import drift, queue
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import follow, pack
from embedviz.training.train import TrainingSettings
from embedviz.ui.inputs import training_runs
from embedviz.vectors.projection import project
from pages.training import settings
from pages.training.words import about_words
from tests.pages.site import findings, headlines, messages, shown, trained, visit


def open_page(**query: str) -> AppTest:
    at = visit("training", **query)
    assert not at.exception
    return at


def titles(at: AppTest, key: str) -> list[str]:
    return [card["title"] for card in findings(at, key)]


def test_the_page_opens_on_the_record_of_a_run_which_plays_from_its_beginning():
    at = open_page()
    assert messages(at) == []
    assert shown(at, "snapshots")["from"] == 0
    assert len(shown(at, "snapshots")["labels"]) == 25
    assert titles(at, "about_words") == [
        "Training gathers words of a kind",
        "The nearest word is of the same kind for 25 of 30 words, before training for 6",
        "Loss 3.45 → 0.86",
    ]
    assert headlines(at) == {"always": titles(at, "about_words")[0]}
    assert at.button(key="train").label == "Train it yourself"
    assert "trained" not in at.query_params


def test_other_settings_open_before_training_and_say_what_to_do():
    at = open_page(seed="5")
    begin = next(follow(TrainingSettings(seed=5)))
    assert not at.button(key="train").disabled
    assert at.title[0].value == "How vectors learn"
    assert messages(at) == [
        "Press “Train” and watch which words move closer to each other: the vectors of these 31 words "
        "are still random numbers."
    ]
    assert shown(at, "snapshots")["labels"] == [f"step 0 of 1,000, loss {begin.held_out[0]:.2f}"]
    assert "trained" not in at.query_params
    assert shown(at, "about_words") is None
    points = {float(x) for trace in shown(at, "words")["data"] if trace["mode"] == "markers" for x in trace["x"]}
    assert points == {float(x) for x in project(begin.tokens[0]).points[:, 0]}


@pytest.fixture
def made(monkeypatch) -> dict:
    """The runs that this server has made, by their settings. Whoever asks for one of them has it at once."""
    found = {}
    monkeypatch.setattr(training_runs.runs.jobs, "kept", found.get)
    return found


def test_who_trains_it_anew_sees_the_run_of_this_server_and_may_start_over(made):
    own = replace(bundled(BUNDLED["learned"]), held_out=bundled(BUNDLED["learned"]).held_out / 2)
    made[TrainingSettings()] = own
    at = open_page()
    assert titles(at, "about_words")[-1] == "Loss 3.45 → 0.86"
    at.button(key="train").click().run()
    assert not at.exception
    assert titles(at, "about_words")[-1] == "Loss 1.72 → 0.43"
    assert "Trained on this server" in at.caption[-1].value
    assert at.query_params["trained"] == trained()["trained"]
    at.button(key="again").click().run()
    assert titles(at, "about_words")[-1] == "Loss 3.45 → 0.86"
    assert "trained" not in at.query_params


def test_other_settings_are_untrained_and_those_before_are_not_lost(made):
    of = TrainingSettings(seed=5, steps=25)
    *_, made[of] = follow(of)
    at = open_page(seed="5", steps="25", **trained({"seed": 5, "steps": 25}))
    assert shown(at, "about_words")
    at.toggle(key="shuffled").set_value(True).run()
    assert shown(at, "about_words") is None
    assert "trained" not in at.query_params
    at.toggle(key="shuffled").set_value(False).run()
    assert shown(at, "about_words")
    assert at.query_params["trained"] == trained({"seed": 5, "steps": 25})["trained"]
    at.button(key="again").click().run()
    assert shown(at, "about_words") is None
    assert "trained" not in at.query_params


def test_a_link_to_a_run_that_is_no_longer_kept_offers_to_train_it_again():
    at = open_page(seed="77", **trained({"seed": 77}))
    assert "Press “Train”" in at.info[0].value
    assert shown(at, "snapshots")["labels"][0].startswith("step 0 of 1,000")


def test_a_link_shows_the_run_that_another_server_of_this_machine_has_finished(tmp_path, monkeypatch):
    monkeypatch.setenv("EMBEDVIZ_CACHE", str(tmp_path))
    of = TrainingSettings(seed=6, steps=25)
    *_, run = follow(of)
    disk_cache.save_bytes(queue.file_name(of), pack(run))
    assert shown(open_page(seed="6", steps="25"), "about_words") is None  # nobody has pressed "Train"
    link = trained({"seed": 6, "steps": 25})
    at = open_page(seed="6", steps="25", **link)
    assert titles(at, "about_words")[-1] == f"Loss {run.held_out[0]:.2f} → {run.held_out[-1]:.2f}"
    assert at.query_params["trained"] == link["trained"]


def test_the_address_of_some_settings_trains_no_others():
    assert "Press “Train”" in open_page(seed="5", **trained({"shuffled": True})).info[0].value
    assert len({trained(*of)["trained"] for of in ([], [{"seed": 2}], [{}, {"seed": 2}])}) == 3
    others = [[{}], *([{"positions": each}] for each in ("none", "rope")), [{"shuffled": True}]]
    assert len({trained(*of)["trained"] for of in others}) == len(others)


def cosines(rows: np.ndarray) -> np.ndarray:
    """Of all pairs of rows, as NumPy computes them."""
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit @ unit.T


def of_others(rows: np.ndarray) -> np.ndarray:
    """The same without those of a row with itself."""
    found = cosines(rows)
    np.fill_diagonal(found, np.nan)
    return found


def board(at: AppTest, n: int) -> np.ndarray:
    """The cells of a board: those that are no neighbours, and those that are."""
    others, neighbours, _mean = shown(at, "positions_drift")["data"][3 * n : 3 * n + 3]
    return np.where(np.isnan(others["z"]), neighbours["z"], others["z"])


def test_positions_show_the_cosines_of_the_run():
    run = bundled(BUNDLED["learned"])
    before = board(open_page(view="Positions", seed="5"), 0)
    np.testing.assert_allclose(before, of_others(next(follow(TrainingSettings(seed=5))).positions[0]), atol=1e-6)
    at = open_page(view="Positions")
    for n, table in enumerate(run.positions[[0, -1]]):
        np.testing.assert_allclose(board(at, n), of_others(table), atol=1e-6)
    assert titles(at, "about_positions")[0] == ("Neighbouring positions have not become alike: cosine 0.04 → −0.09")


def test_the_cards_are_counted_from_the_two_tables_of_the_run():
    run = bundled(BUNDLED["learned"])
    classes = [next(name for name, words in CLASSES.items() if word in words) for word in run.vocabulary]
    counted = [n for n, name in enumerate(classes) if classes.count(name) > 1]
    same = []
    for table in run.tokens[[0, -1]]:
        near = cosines(table)
        np.fill_diagonal(near, -np.inf)
        same.append(sum(classes[near[n].argmax()] == classes[n] for n in counted))
    assert titles(open_page(), "about_words")[1] == (
        f"The nearest word is of the same kind for {same[1]} of {len(counted)} words, before training for {same[0]}"
    )
    near = [f"{np.diagonal(cosines(table), 1).mean():.2f}".replace("-", "−") for table in run.positions[[0, -1]]]
    assert titles(open_page(view="Positions"), "about_positions")[0] == (
        f"Neighbouring positions have not become alike: cosine {near[0]} → {near[1]}"
    )


@pytest.mark.parametrize(
    ("before", "after", "gathers"), [(6, 25, True), (8, 16, True), (0, 15, False), (9, 17, False), (2, 10, False)]
)
def test_words_are_said_to_gather_if_most_have_one_of_their_kind_nearest_and_twice_as_many_as_before(
    before, after, gathers
):
    run = bundled(BUNDLED["learned"])
    found = replace(drift.words(run), same_class=np.array([before, after]))
    counts = f"The nearest word is of the same kind for {after} of 30 words, before training for {before}"
    said = [card.title for card in about_words(run, found)]
    assert said == [*["Training gathers words of a kind"] * gathers, counts, "Loss 3.45 → 0.86"]


CLASSES = {
    "noun": "cat mat dog man bird hat child box fox bed",
    "verb-rest": "sat stood lay slept",
    "verb-act": "bites sees chases hears",
    "participle": "bitten seen chased heard",
    "preposition": "on under behind",
    "determiner": "the",
    "question": "who is",
    "mark": ", ? .",
}
CLASSES = {name: words.split() for name, words in CLASSES.items()}


@pytest.mark.parametrize(
    ("of", "query", "is_named"),
    [
        ({}, {}, False),  # a model of the menu of Next word, where it has no name of its own
        ({"seed": 6, "positions": "none", "n_layers": 2}, {"seed": "6", "positions": "false", "n_layers": "2"}, False),
        ({"steps": 25}, {"steps": "25"}, True),
        ({"n_layers": 3}, {"n_layers": "3"}, True),  # the menu has two layers at most
        ({"shuffled": True}, {"shuffled": "true"}, True),
        ({"tied": False}, {"tied": "false"}, True),
    ],
    ids=str,
)
def test_a_run_is_said_to_be_a_model_of_next_word_if_it_has_a_name_there(made, monkeypatch, of, query, is_named):
    named = TrainingSettings(**of)
    *_, run = follow(replace(named, steps=1))
    made[named] = replace(run, settings=named, losses=np.ones(named.steps, np.float32))
    start, captions = "Trained on this server, from the first step", open_page(**query, **trained(of)).caption
    [said] = [each.value.replace("\\", "") for each in captions if each.value.startswith(start)]
    assert ("On Next word, it is the model " in said) == is_named
    monkeypatch.setitem(queue.runs.finished_runs, named, made[named])
    name = training_runs.name_of(named)
    assert (name in said) == is_named
    at = visit("next_word", gpt=name, sentences="own")
    assert not at.exception
    assert (name in at.selectbox(key="gpt").options) == is_named


def test_a_refusal_is_said_once(monkeypatch):
    def refuse(*_):
        raise ev.EmbedvizError("Too many *runs* wait.")

    monkeypatch.setattr(training_runs.runs, "ask", refuse)
    at = open_page(steps="7")
    at.button(key="train").click().run()
    assert messages(at) == ["Too many *runs* wait.", at.info[0].value]
    assert messages(at.run()) == [at.info[0].value]


def test_a_server_that_trains_shorter_runs_alone_offers_its_longest(monkeypatch):
    monkeypatch.setattr(settings, "MAX_STEPS", 300)
    at = open_page()
    assert at.number_input(key="steps").value == 300
    assert [each.value for each in at.error] == []
    assert shown(at, "snapshots")["labels"][0].startswith("step 0 of 300, loss 3.45")
    assert not at.button(key="train").disabled


def test_a_run_that_nobody_made_is_offered():
    at = open_page()
    at.number_input(key="seed").set_value(987654).run()
    assert "Press “Train”" in at.info[0].value
    assert not at.button(key="train").disabled


@pytest.mark.parametrize(
    ("own", "message"),
    [("the cat", "needs at least 25"), ("cat " * 60, "one word again and again"), ("", "Paste a text to train on")],
)
def test_a_text_that_does_not_fit_says_what_would(own, message):
    at = open_page(corpus="own", own=own)
    assert message in messages(at)[0]


@pytest.mark.parametrize(
    "query", [{"steps": "7"}, {"seed": "5"}, {"dims": "16"}, {"n_layers": "3"}, {"tied": "false"}, {"context": "8"}]
)
def test_good_settings_are_taken_from_the_address(query):
    assert "Press “Train”" in open_page(**query).info[0].value


@pytest.mark.parametrize("query", [{"steps": "0"}, {"seed": "x"}, {"view": "No"}, {"dims": "7"}, {"n_layers": "99"}])
def test_bad_settings_fall_back(query):
    at = open_page(**query, **trained())
    assert titles(at, "about_words")[-1] == "Loss 3.45 → 0.86"


def test_every_edit_stays_small():
    for part in ("Words", "Positions"):
        at = open_page(view=part, **trained())
        assert sum(len(c.proto.bytes) for c in at.get("bidi_component")) < 100_000


def test_the_compare_page_takes_the_trained_tables():
    at = visit(source="trained")
    assert not at.exception
    assert headlines(at) == {
        "before": "6 of 6 token vectors of A are in B too, bit for bit",
        "after": "With positions, 2 of 6 vectors of A are no longer in B",
    }
    at.text_input(key="a").set_value("the zebra sat").run()
    assert "Not in the vocabulary: zebra" in at.error[0].value.replace("\\", "")
