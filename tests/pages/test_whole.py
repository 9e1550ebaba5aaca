"""Compare's view "The whole way": its numbers against the model by hand, and its words against its numbers."""

from urllib.parse import parse_qsl

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import embedviz as ev
from embedviz.text import grammar
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.whole_way.pair import MOST, Asked, whole_way_of
from embedviz.ui.whole_way.words import state
from pages.compare import whole
from pages.compare.whole import WHOLE
from tests.layers.test_small import by_hand
from tests.pages.site import headlines, messages, programs, shown, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
WHO = " , who sat ?"
OFF = "Without positions, one layer gives two orders one answer"


def picture(**query: str) -> dict:
    at = visit(view="whole", **query)
    assert not at.exception
    return shown(at, "whole")


def numbers(array: object) -> np.ndarray:
    return np.array([np.array(row) for row in array], np.float32)


def test_the_sites_pair_is_asked_who_sat_and_every_number_is_that_of_the_model():
    data = picture()
    assert [row["text"] for row in data["rows"]] == (CAT + WHO).split()
    assert [row["nth"] for row in data["rows"]] == [[i, {1: 5, 5: 1}.get(i, i)] for i in range(10)]
    run = bundled(BUNDLED["learned"])
    for drawn in data["states"]:
        share = drawn["share"] / 100
        for n, text in enumerate((CAT + WHO, MAT + WHO)):
            states, attentions, next_word, _lengths = by_hand(run, text, list(range(10)), share)
            order = [row["nth"][n] for row in data["rows"]]
            weights = numbers(drawn["looks"])[:, n::2]  # (H, R)
            np.testing.assert_allclose(weights, attentions[0, :, -1].numpy()[:, order], atol=1e-5)
            np.testing.assert_allclose(weights.sum(axis=1), 1, atol=1e-5)
            _name, _right, bars = drawn["answers"][n]
            assert [bar[2] for bar in bars[:2]] == pytest.approx(
                [float(next_word[run.vocabulary.index(word)]) for word in ("cat", "mat")], abs=1e-5
            )
            assert sum(bar[2] for bar in bars) == pytest.approx(1, abs=1e-5)
            np.testing.assert_allclose(numbers(drawn["after"])[n], states[-1][-1].numpy(), atol=1e-4)
            places = [row["places"][n] for row in data["rows"]]
            inputs = numbers(data["vectors"]) + share * numbers(data["positions"])[places]
            np.testing.assert_allclose(inputs, states[0].numpy()[order], atol=1e-5)


@pytest.mark.parametrize(
    ("reader", "headlines", "marks"),
    [
        ("small-gpt", (OFF, "With positions, two orders get two answers"),
         (None, "positions")),
        ("small-gpt-rope", (OFF, "With positions inside attention, two orders get two answers"), (None, "attention")),
        ("small-gpt-none", (OFF, OFF), (None, None)),
        ("small-gpt-none-2", ("By the mask alone, 2 layers give two orders two answers",) * 2, ("mask", "mask")),
    ],
)  # fmt: skip
def test_the_headline_and_the_mark_say_what_this_kind_of_model_makes_of_the_pair(reader, headlines, marks):
    data = picture(reader=reader)
    assert (data["states"][0]["headline"], data["states"][-1]["headline"]) == headlines
    assert (data["states"][0]["entry"], data["states"][-1]["entry"]) == marks
    assert data["layers"] == (2 if reader.endswith("2") else 0)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (CAT, CAT, "One sentence twice"),
        ("cat", "dog", "share no token"),
        (CAT, "the cat sat on the box", "differ in their words"),
        ("猫 が", "🐈", "share no token"),
        ("only I love you", "I love only you", "two orders become two vectors"),
        ("only I love you " * 9, "I love only you " * 9, "two orders become two vectors"),
    ],
)
def test_any_two_sentences_have_a_picture_and_a_true_headline(a, b, said):
    data = picture(a=a, b=b)
    assert said in data["states"][-1]["headline"]
    assert 1 <= len(data["rows"]) <= 2 * MOST


def test_what_is_cut_off_is_said():
    at = visit(view="whole", a="only I love you " * 9, b="I love only you " * 9)
    data = shown(at, "whole")
    assert len(data["rows"]) == MOST
    assert "Only the first 16 tokens are drawn." in data["states"][0]["look"]


@pytest.mark.parametrize("texts", [("", MAT), (CAT, " "), ("", "")])
def test_without_a_sentence_the_page_asks_for_one(texts):
    at = visit(view="whole", a=texts[0], b=texts[1])
    assert not at.exception
    assert messages(at) == ["Write two sentences, for the model to read both."]


def test_a_word_that_the_chosen_model_lacks_is_named():
    at = visit(view="whole", reader="small-gpt", a="the zebra sat")
    assert not at.exception
    assert "zebra" in messages(at)[0]


@given(st.permutations(CAT.split()), st.sampled_from(["small-gpt", "small-gpt-rope", "small-gpt-none"]))
@settings(max_examples=25)
def test_off_has_one_answer_for_every_order_and_says_so(words, reader):
    found = whole_way_of(Asked((CAT + " , who", " ".join(words) + " , who"), reader))
    off = state(found, min(found.traces))  # a model without positions has no other state
    assert off.traced.is_one_answer
    assert off.headline.startswith((OFF, "One sentence twice"))


@given(st.sampled_from(grammar.HELD_OUT))
@settings(max_examples=20)
def test_unseen_questions_are_marked_right(item):
    text = " ".join(item[:-2])
    found = whole_way_of(Asked((text, text), "small-gpt"))
    (_name, _bars, is_right), _other = state(found, 100).answers
    assert is_right


def test_the_program_prints_the_weights_and_the_chances_that_the_picture_shows(capsys):
    at = visit(view="whole")
    exec(compile(programs(at)[0], "program", "exec"), {"__name__": "program"})  # noqa: S102 it is the page's own
    lines = capsys.readouterr().out.splitlines()
    on, rows = shown(at, "whole")["states"][-1], shown(at, "whole")["rows"]
    looks = [line.split()[4:] for line in lines if line.startswith("layer 1 head 1 ")]
    for n, printed in enumerate(looks):
        weights = numbers(on["looks"])[0, n::2]
        drawn = {row["nth"][n]: weight for row, weight in zip(rows, weights, strict=True)}
        assert [float(each) for each in printed] == pytest.approx([drawn[k] for k in range(10)], abs=1e-4)
    assert len(looks) == 2
    for (_name, _right, bars), word in zip(on["answers"], ("cat", "mat"), strict=True):
        drawn = next(chance for text, _colour, chance in bars if text == word)
        assert f"{word!r} {drawn:.4f}" in lines


@pytest.mark.parametrize(
    ("text", "spans", "after"),
    [
        (MAT, [(4, 7), (19, 22)], CAT),
        (MAT, [(19, 22), (4, 7)], CAT),
        ("cat sat", [(0, 3), (3, 7)], "sat cat"),
        (MAT, [(4, 7), (29, 32)], MAT),  # of the question
        (MAT, [(0, 0), (4, 7)], MAT),  # [CLS]
        (MAT, [(4, 7), (4, 7)], MAT),
    ],
)
def test_two_words_of_b_change_places(text, spans, after):
    assert whole.swapped(text, *spans) == after


def test_the_tables_alone_are_said_to_be_random():
    data = picture(a="only I love you", b="I love only you")
    assert "no model has learned" in data["states"][0]["look"]
    assert data["states"][0]["answers"] == []
    assert data["states"][0]["alike"] == pytest.approx(1)
    assert data["states"][-1]["alike"] == pytest.approx(
        ev.trace("only I love you", "I love only you", ev.Spec()).alike, abs=1e-6
    )


def test_sentences_that_end_in_different_words_need_no_order_for_two_answers():
    data = picture(a="dog bites man", b="man bites dog")
    off, on = data["states"][0], data["states"][-1]
    assert off["headline"] == "Without positions, two orders get two answers, since they end in different words"
    assert (off["entry"], on["entry"]) == (None, "positions")
    assert "which is “man” in A and “dog” in B" in off["look"]


@pytest.mark.parametrize("example", WHOLE.examples, ids=str)
def test_the_record_of_the_view_shows_each_of_its_examples_and_says_its_headline(example):
    asked = Asked((example.get("a", CAT), example.get("b", MAT)), example.get("reader", ""))
    states, way = picture(**example)["states"], WHOLE.compute(asked)
    claimed = [(card.title, card.stage) for card in WHOLE.claims(way)]
    stages = ("before", "after") if len(way.traces) > 1 else ("",)
    assert claimed == [(states[n]["headline"], stage) for n, stage in zip((0, -1)[-len(stages) :], stages, strict=True)]
    assert headlines(visit(view="whole", **example)) == {stage or "always": title for title, stage in claimed}
    assert WHOLE.title == "The whole way"


def test_a_columns_name_leads_to_its_page_with_the_same_sentences_and_model():
    data = picture(reader="small-gpt-rope")
    said = {name: (each["address"], dict(parse_qsl(each["query"]))) for name, each in data["links"].items()}
    assert said["looks"] == ("attention", {"a": CAT, "b": MAT})
    for column, place in (("tokens", "tokenizers"), ("vectors", "lookup"), ("positions", "positions"), ("input", "")):
        address, query = said[column]
        assert address.partition("?")[0] == place
        assert {key: query[key] for key in "ab"} == {"a": CAT, "b": MAT}
    answer = {"gpt": "small-gpt-rope", "a": CAT, "b": MAT}
    assert said["answer"] == ("next_word", answer)
    at = visit("next_word", **answer)
    assert not at.exception
    read = [" ".join(chip["text"] for chip in shown(at, f"chips_{name}")["chips"]) for name in "AB"]
    assert read == [CAT + WHO, MAT + WHO]
    deep = picture(reader="small-gpt-none-2")["links"]["looks"]
    assert deep["address"] == "layers"
    assert dict(parse_qsl(deep["query"]))["reader"] == "small-gpt-none-2"


def test_by_the_mask_copies_part_in_the_first_layer_and_the_last_token_in_the_second():
    data = picture(reader="small-gpt-none-2")
    assert "copies part in layer 1, and later layers read that" in data["states"][0]["look"]
    apart = numbers(data["states"][0]["apart"])  # (R, 3)
    assert (apart[:, 0] == 0).all()
    assert (apart[:, 1] > 0).any()
    assert apart[-1, 1] == 0 < apart[-1, 2]
