"""The page "Training", run as Streamlit runs it."""

import pytest
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.training.bundled import BUNDLED, bundled
from pages.training import views, waiting
from tests.pages.site import messages, programs, shown, visit


def open_page(**query: str) -> AppTest:
    at = visit("training", **query)
    assert not at.exception
    return at


def titles(at: AppTest, key: str) -> list[str]:
    return [card["title"] for card in shown(at, key)["cards"]]


def test_the_finished_run_is_there_at_once():
    at = open_page()
    assert titles(at, "about_words") == [
        "Loss 3.64 → 1.83",
        "Same-class neighbour: 3 → 36 of 36",
        "Mean length 0.11 → 0.77",
    ]
    assert len(shown(at, "snapshots")["labels"]) == 25
    assert "gpt = GPT(" in programs(at)[0]


def test_positions_show_the_tables_of_the_run():
    at = open_page(part="Positions")
    run = bundled(BUNDLED["default"])
    tables = shown(at, "positions_drift")["data"]
    assert (tables[0]["z"] == run.positions[0]).all()
    assert (tables[1]["z"] == run.positions[-1]).all()
    assert titles(at, "about_positions")[0] == "Neighbours: cosine 0.06 → 0.29"


def test_what_order_is_worth():
    at = open_page(part="Order")
    assert titles(at, "about_order") == [
        "Shuffling costs 0.99 nats a word",
        "No positions cost 0.04",
        "Without positions, not without order",
    ]
    assert [len(curve["y"]) for curve in shown(at, "order")["data"]] == [25] * 3


def test_the_run_that_is_picked_is_taken_along(monkeypatch):
    taken = []
    monkeypatch.setattr(views, "take_along", lambda *_, rows: taken.append(rows))
    at = open_page(part="Order")
    at.segmented_control(key="program").set_value(views.ORDER[1]).run()
    assert not at.exception
    first, second = (rows.args[0].settings for rows in taken)
    assert (first.positions, second.positions) == (True, False)


def test_a_refusal_is_said_once(monkeypatch):
    def refuse(*_):
        raise ev.EmbedvizError("Too many *runs* wait.")

    monkeypatch.setattr(waiting.runs, "ask", refuse)
    at = open_page(steps="7")
    at.button(key="train").click().run()
    assert messages(at) == ["Too many *runs* wait.", at.info[0].value]
    assert messages(at.run()) == [at.info[0].value]


def test_a_run_that_nobody_made_is_offered():
    at = open_page()
    at.number_input(key="seed").set_value(987654).run()
    assert "not been trained yet" in at.info[0].value
    assert not at.button(key="train").disabled


@pytest.mark.parametrize(
    ("own", "message"),
    [("the cat", "needs at least 35"), ("cat " * 60, "one word again and again"), ("", "Paste a text to train on")],
)
def test_a_text_that_does_not_fit_says_what_would(own, message):
    at = open_page(text="My own", own=own)
    assert message in messages(at)[0]


@pytest.mark.parametrize(
    "query", [{"steps": "7"}, {"seed": "5"}, {"dims": "16"}, {"n_layers": "3"}, {"tied": "false"}, {"context": "8"}]
)
def test_good_settings_are_taken_from_the_address(query):
    assert "not been trained yet" in open_page(**query).info[0].value


@pytest.mark.parametrize("query", [{"steps": "0"}, {"seed": "x"}, {"part": "No"}, {"dims": "7"}, {"n_layers": "99"}])
def test_bad_settings_fall_back(query):
    assert titles(open_page(**query), "about_words")[0] == "Loss 3.64 → 1.83"


def test_every_edit_stays_small():
    for part in ("Words", "Positions", "Order"):
        at = open_page(part=part)
        assert sum(len(c.proto.bytes) for c in at.get("bidi_component")) < 100_000


def test_the_compare_page_takes_the_trained_tables():
    at = visit(source="trained")
    assert not at.exception
    assert [card["title"] for card in shown(at, "order")["counts"]] == ["6 of 6", "0 of 6"]
    at.text_input(key="a").set_value("the zebra sat").run()
    assert "Not in the vocabulary: zebra" in at.error[0].value.replace("\\", "")
