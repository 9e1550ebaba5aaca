"""The view "All orders" of the page "Compare", run without a browser."""

import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import embedviz as ev
from embedviz.text.orders import orders
from embedviz.text.visible import in_figure
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.placement import Placement
from embedviz.ui.inputs.model_runs import LanguageModel
from pages.compare.orders import Asked, as_points
from tests.models.shelf import on_shelf
from tests.pages import site
from tests.pages.site import findings, headlines, messages, shown

NAME = "own/model"


def visit(**query: str) -> AppTest:
    at = site.visit(view="orders", **query)
    assert not at.exception
    return at


def titles(at: AppTest) -> list[str]:
    return [card["title"] for card in cards_on(at)]


def cards_on(at: AppTest) -> list[dict]:
    return findings(at, "about_orders")


def _one_point_becomes(n: int) -> list[str]:
    return [
        f"Without positions, all {n} orders are one point",
        f"With positions, each of {n} orders is a point of its own",
    ]


def drawn_points(at: AppTest) -> dict:
    """The map, without what stands below its points."""
    return shown(at, "orders")["data"][-1]


def rings(at: AppTest) -> list[dict]:
    """What stands below the points of the map."""
    return shown(at, "orders")["data"][:-1]


def test_all_orders_of_three_words_are_one_point_that_becomes_six():
    at = visit(a="dog bites man")
    assert titles(at) == _one_point_becomes(6)
    assert [card["stage"] for card in cards_on(at)] == ["before", "after"] == [*headlines(at)]  # of which one is seen
    points = drawn_points(at)
    assert np.ptp(points["meta"]["start"]["x"]) == np.ptp(points["meta"]["start"]["y"]) == 0
    assert len(set(zip(points["x"].tolist(), points["y"].tolist(), strict=True))) == 6
    distances = as_points(Asked(orders("dog bites man"), ev.Spec())).spread
    assert not np.any(distances.before)
    assert np.count_nonzero(distances.after) == 6 * 5
    assert "Random, untrained vectors" in at.caption[-1].value
    assert [name.partition(" ")[2].strip("\u2068\u2069") for name in points["hovertext"]] == orders(
        "dog bites man"
    ).texts


@pytest.mark.parametrize("query", [{}, {"drawn": "causal", "at": "0"}])
def test_a_ring_stays_where_all_sentences_have_been_one_point(query):
    at = visit(a="dog bites man", **query)
    (ring,), start = rings(at), drawn_points(at)["meta"]["start"]
    assert ring["text"] == ["Without positions"]
    assert "start" not in ring["meta"]  # so it does not move
    assert (ring["x"].tolist(), ring["y"].tolist()) == (start["x"][:1].tolist(), start["y"][:1].tolist())


def test_without_one_point_there_is_no_ring():
    assert rings(visit(a="dog bites man", drawn="causal")) == []
    assert rings(visit(a="dog bites man", position="rope")) == []  # it never moves


def test_a_scheme_that_adds_nothing_leaves_one_point_and_no_slider():
    at = visit(a="dog bites man", position="rope")
    assert titles(at) == ["6 sentences, 1 point"]
    assert shown(at, "amount") is None


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (
            "learned",
            [
                "Without positions, all 24 orders are one point",
                "With positions, each of 24 orders is a point of its own",
            ],
        ),
        ("rope", ["24 sentences, 1 point"]),
    ],
)
def test_of_more_orders_a_fair_sample_is_drawn_and_each_state_says_so(position, said):
    at = visit(a="one two three four five six seven", position=position)
    assert [*headlines(at).values()] == said == titles(at)
    assert all("at random from 5,040" in card["text"] for card in cards_on(at) if card["title"] in said)


def test_own_sentences_may_differ_and_equal_ones_are_one_point():
    at = visit(orders_of="lines", lines="dog bites man\n\n man bites dog\ndog bites man\nanother one")
    assert titles(at) == ["Without positions: 4 sentences, 2 points", "With positions: 4 sentences, 3 points"]
    assert "Sentences 1, 3 are the same tokens" in cards_on(at)[1]["text"]


def test_orders_that_are_cut_into_other_tokens_are_more_points_without_positions_and_the_page_says_why():
    at = visit(a="狗咬人了")
    distinct = {tuple(sorted(ev.tokenize(text).ids)) for text in orders("狗咬人了").texts}
    before = cards_on(at)[0]
    assert before["title"] == f"Without positions: 24 sentences, {len(distinct)} points"
    assert before["text"].startswith("Not all of them are made of the same tokens")


def test_of_too_many_lines_the_first_are_drawn_and_the_page_says_so():
    at = visit(orders_of="lines", lines="\n".join(f"line {n}" for n in range(15)))
    assert messages(at) == ["15 lines are too many; the first 12 are drawn."]
    assert len(drawn_points(at)["x"]) == 12


@pytest.mark.parametrize("a", ["word", "", "the the the"])
def test_one_word_has_no_other_order(a):
    assert messages(visit(a=a))[-1] == "Write two different words at least."


@pytest.mark.parametrize("lines", [" \n ", "the cat sat"])
def test_one_sentence_is_not_compared(lines):
    assert messages(visit(orders_of="lines", lines=lines))[-1] == "Write two sentences at least."


def test_what_is_too_long_is_said():
    assert "tokens are too many" in messages(visit(a="the cat " * 60))[-1]


@pytest.mark.parametrize("drawn", ["layer", "sentence"])
def test_to_an_encoder_all_orders_are_one_point_without_positions(drawn, models_folder):
    on_shelf("bert", models_folder / NAME, "dog bites man")
    at = visit(a="dog bites man", drawn=drawn, reader=NAME)
    assert titles(at)[:2] == _one_point_becomes(6)
    cards = cards_on(at)
    assert "This model has no mask, so that nothing tells them apart." in cards[0]["text"]
    if drawn == "sentence":
        vectors = [ev.forward(text, ev.Spec(source=NAME)).sentence for text in orders("dog bites man").texts]
        wanted = [[np.linalg.norm(x - y) for y in vectors] for x in vectors]
        found = as_points(Asked(orders("dog bites man"), LanguageModel(NAME))).spread.after
        np.testing.assert_allclose(found, wanted, atol=1e-4)
        assert f"are farthest apart, at a distance of {np.max(wanted):.3g}." in cards[1]["text"]


@pytest.mark.parametrize("reader", ["small-gpt", "small-gpt-rope"])
def test_beside_each_point_stands_the_next_word_of_the_small_gpt(reader):
    at = visit(a="dog bites man", drawn="layer", reader=reader)
    points = drawn_points(at)
    of = LanguageModel(reader)
    for name, text in zip(points["text"], orders("dog bites man").texts, strict=True):
        read = of.read(text, "trained")
        [word] = of.texts([int(read.next_word.argmax())], len(read.next_word))
        assert name.endswith(f"→ {in_figure(word)}")
    cards = cards_on(at)
    without = [of.read(text, "off") for text in orders("dog bites man").texts]
    said = of.texts([int(each.next_word.argmax()) for each in without], len(without[0].next_word))
    [(word, n)] = Counter(said).most_common(1)
    assert f"Without positions that word is “\u2068{word}\u2069” after {n} of the 6 sentences." in cards[-1]["text"]


def distinct(rows: list[np.ndarray]) -> int:
    """How many of these are farther apart than rounding explains."""
    return sum(all(np.abs(row - other).max() > 1e-4 for other in rows[:n]) for n, row in enumerate(rows))


def test_behind_a_causal_mask_one_point_becomes_many_without_any_position():
    """By the choice of what is drawn alone, also where a model lies on this machine."""
    at = visit(a="dog bites man", drawn="causal")
    texts = orders("dog bites man").texts
    read = [next_word.forward(bundled(BUNDLED["learned"]), text, Placement(scale=0.0)) for text in texts]
    entering = [{id_: row.tobytes() for id_, row in zip(each.tokens.ids, each.hidden_states[0], strict=True)}
                for each in read]  # fmt: skip
    assert all(each == entering[0] for each in entering)  # one point
    by_word = [each.hidden_states[1][np.argsort(each.tokens.ids)] for each in read]
    assert distinct(by_word) == 6
    assert distinct([each.hidden_states[1, -1] for each in read]) == 3
    cards = {card["title"]: card["text"] for card in cards_on(at)}
    said = cards["The mask turns 1 point into 6"]
    assert said.startswith("No position was added: each token sees only itself and those before it. After layer 1 the ")
    assert "the last token has 3 vectors, one for each last word" in said
    assert "Without positions: 6 sentences, 6 points" in cards


def test_at_the_input_of_a_causal_model_the_page_says_where_the_mask_is():
    at = visit(a="dog bites man", drawn="causal", at="0")
    assert titles(at)[:3] == [*_one_point_becomes(6), "A causal mask lets order in"]
    assert "no mask" not in cards_on(at)[0]["text"]


def test_of_sums_the_page_says_for_which_models_one_point_is_one_sentence():
    said = cards_on(visit(a="dog bites man"))[0]["text"]
    assert "A model without a mask cannot tell them apart; a causal mask lets order in even so." in said


@pytest.mark.parametrize(("drawn", "reader"), [("sentence", NAME), ("layer", NAME), ("causal", "")])
def test_an_unrelated_sentence_is_the_yardstick_where_a_model_reads(drawn, reader, models_folder):
    on_shelf("bert", models_folder / NAME, "dog bites man")
    at = visit(a="dog bites man", drawn=drawn, reader=reader)
    card = next(each for each in cards_on(at) if "unrelated" in each["title"])
    [text] = re.findall("“\u2068(.*)\u2069”", card["text"])
    of = LanguageModel(reader or "small-gpt")
    means = []
    for change in ("trained", "off"):
        other = of.read(text, change)
        read = [of.read(each, change) for each in orders("dog bites man").texts]
        means.append(np.mean([apart(each, other, is_mean=drawn == "sentence") for each in read]))
    assert card["title"] == f"An unrelated sentence, for comparison: {means[0]:.3g} away"
    assert f"Without positions it is {means[1]:.3g} away, and they are " in card["text"]


def apart(one: ev.Forward, other: ev.Forward, *, is_mean: bool) -> float:
    """The distance of two sentence vectors; or of all vectors after layer 1, with zeros for what is lacking."""
    if is_mean:
        return float(np.linalg.norm(one.sentence - other.sentence))
    vectors = []
    for each in (one, other):
        copies = [(id_, each.tokens.ids[:n].count(id_)) for n, id_ in enumerate(each.tokens.ids)]
        vectors.append(dict(zip(copies, each.hidden_states[1], strict=True)))
    squares = [
        np.square(vectors[0].get(copy, 0) - vectors[1].get(copy, 0)).sum() for copy in {*vectors[0], *vectors[1]}
    ]
    return float(sum(squares)) ** 0.5


@pytest.mark.parametrize("reader", ["small-gpt-none", "small-gpt-none-2"])
def test_a_small_gpt_without_positions_has_no_slider_and_is_said_to_hear_order_from_those_before(reader):
    at = visit(a="the cat sat", drawn="layer", reader=reader)
    assert shown(at, "amount") is None
    first, mask, *others = cards_on(at)
    states = [LanguageModel(reader).read(text, "trained").hidden_states[1] for text in orders("the cat sat").texts]
    assert len(states) == 6
    lines = [sorted(map(tuple, np.round(each, 4).tolist())) for each in states]  # whatever the order of the tokens
    n_points = len({tuple(each) for each in lines})
    assert first["title"] == f"6 sentences, {n_points} points"
    assert n_points > 1
    assert first["text"].startswith("No positions are added here.")
    assert mask["title"] == f"The mask turns 1 point into {n_points}"
    assert mask["text"].startswith("No position was added: each token sees only itself and those before it.")
    assert not any("Without positions" in each["text"] for each in others)
    assert not any("positions off" in each.value for each in at.caption)  # it was read once


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30), st.sampled_from(["words", "lines"]))
def test_any_text_is_drawn_or_answered(text, kind):
    at = visit(a=text, lines=text, orders_of=kind)
    assert shown(at, "orders") or messages(at)
