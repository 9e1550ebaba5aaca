"""The page "Next word", run without a browser."""

import re
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

import embedviz as ev
from embedviz.base.concurrency.jobs import Progress
from embedviz.layers import model_download
from embedviz.training import queue
from embedviz.training.answers import CHANGES, answers
from embedviz.training.bundled import BUNDLED, SEEDS, bundled, tried
from embedviz.training.next_word import forward, gpt
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run, follow
from embedviz.training.train import TrainingSettings
from embedviz.ui.inputs import training_runs
from embedviz.ui.inputs.options import OPTIONS, label_of
from embedviz.ui.inputs.training_runs import name_of, settings_hash
from pages.next_word import model, next_word, words
from pages.next_word.model import settings_of
from pages.next_word.predictions import Predictions, Question
from tests.models.shelf import ids_of, on_shelf
from tests.pages.site import headlines, messages, programs, shown, visit

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
A, B = f"{CAT} , who sat ?", f"{MAT} , who sat ?"
C = "on the mat the cat sat , who sat ?"  # of a ready question
MODELS = {"learned": "learned", "rope": "rope", "none": "none", "none-2": "none_2_layers"}


def chances(at) -> list[dict[str, float]]:
    """The bars after A, those after B and, of a ready question about who sat, those after C."""
    return [
        {plain(name): float(x) for name, x in zip(trace["text"], trace["x"], strict=True)}
        for trace in shown(at, "next_word")["data"]
    ]


def plain(text: str) -> str:
    """A text as its reader sees it."""
    return text.replace("\\", "").replace("\u2068", "").replace("\u2069", "")


def prompts(at) -> list[str]:
    """What is read, word by word."""
    found = [shown(at, f"chips_{name}") for name in "ABC"]
    return [" ".join(chip["text"] for chip in each["chips"]) for each in found if each]


def titles(at) -> list[str]:
    return [plain(card["title"]) for card in shown(at, "about_next_word")["cards"]]


def headline(at) -> str:
    """What the model answers, or the question before it."""
    (said,) = headlines(at).values()
    return plain(said)


def is_covered(at) -> bool:
    """Whether question marks stand for the bars of all prompts, and no bar and no number is in the page."""
    figure = shown(at, "next_word")
    marks = [each["text"] for each in figure["layout"]["annotations"] if each["text"] == "?"]
    return marks == ["?"] * len(figure["data"]) and all(
        not np.any(trace["x"]) and not trace["texttemplate"].strip() for trace in figure["data"]
    )


def guesses(at) -> list[str]:
    return [plain(button.label) for button in at.button if button.key.startswith("guess_")]


def outcome(at) -> str:
    captions = [plain(each.value) for each in at.caption]
    return [each for each in captions if not each.startswith("After both, ")][-1]


@pytest.mark.parametrize("model", MODELS)
def test_the_bars_are_what_the_run_says(model):
    run = bundled(BUNDLED[MODELS[model]])
    at = visit("next_word", gpt=model)
    assert not at.exception
    for text, found in zip((A, B, C), chances(at), strict=True):
        expected = forward(run, text).next_word
        *words, others = found
        assert words[:2] == ["cat", "mat"]
        assert [found[word] for word in words] == pytest.approx(
            [expected[run.vocabulary.index(word)] for word in words],
            rel=1e-5,
            abs=1e-6,  # float32's rounding
        )
        assert found[others] == pytest.approx(1 - sum(found[word] for word in words), abs=1e-6)


def test_it_opens_before_the_event():
    at = visit("next_word")
    a, b, c = chances(at)
    assert a["cat"] > 0.95
    assert b["mat"] > 0.95
    assert c["cat"] > 0.95
    assert headline(at) == "The model says cat after A, mat after B, cat after C"
    assert outcome(at) == "The same words in another order each."
    assert titles(at)[0] == "576 of 576 right"
    assert guesses(at) == []


@pytest.mark.parametrize("change", CHANGES)
def test_in_a_hall_the_slide_of_a_head_says_where_the_last_word_looks(change):
    at = visit("next_word", positions=change, asked=change, present="1")
    weights = [np.array(trace["z"])[-1] for trace in shown(at, "looks")["data"] if trace["type"] == "heatmap"]
    question = Question("rest", "cat", "sat", "mat", "on")
    outputs = next_word.predict(bundled(BUNDLED["learned"]), question, change, 1.0).outputs
    most = [each.tokens.texts[row.argmax()] for each, row in zip(outputs, weights, strict=True)]
    (said,) = headlines(at, of_slides=True).values()
    where = ", ".join(f"{word} in {name}" for word, name in zip(most, "ABC", strict=False))
    assert re.fullmatch(rf"From “\?” head \d of layer \d looks most at {where}", plain(said))
    assert headlines(visit("next_word", positions=change, asked=change), of_slides=True) == {}


def test_a_change_is_shown_after_the_question():
    at = visit("next_word")
    before = chances(at)
    at.segmented_control(key="positions").set_value("exchanged").run()
    assert guesses(at) == ["cat", "mat", "neither of them"]
    assert headline(at) == "Exchange the nouns’ positions: what will the model answer for A?"
    assert is_covered(at)
    assert shown(at, "about_next_word") is shown(at, "looks") is None
    assert programs(at) == []
    at.button(key="guess_1").click().run()
    assert not at.exception
    assert guesses(at) == []
    assert at.query_params["asked"] in ("exchanged", ["exchanged"])
    a, b, c = chances(at)
    assert a["mat"] == pytest.approx(before[1]["mat"], abs=1e-4)
    assert b["cat"] == pytest.approx(before[0]["cat"], abs=1e-4)
    assert c["mat"] > 0.95
    assert titles(at)[:2] == ["You said: mat", "576 of 576 answers change sides"]
    assert headline(at) == "The model says mat after A, cat after B, mat after C"


@pytest.mark.parametrize(
    ("change", "placement", "of_c"),
    [
        ("off", Placement(scale=0.0), None),
        ("exchanged", Placement(exchanged=(1, 5)), Placement(exchanged=(2, 4))),
        ("shuffled", Placement(order=(8, 7, 6, 5, 4, 3, 2, 1, 0, 9)), None),
        ("moved", Placement(positions=(0, 1, 2, 3, 4, 5, 6, 7, 8, 8)), None),
    ],
)
def test_each_change_is_what_the_run_says_of_it(change, placement, of_c):
    run = bundled(BUNDLED["learned"])
    at = visit("next_word", positions=change, asked=change)
    placements = (placement, placement, of_c or placement)
    for text, placed, found in zip((A, B, C), placements, chances(at), strict=True):
        expected = forward(run, text, placed).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("query", "said", "first"),
    [
        ({"positions": "off"}, "A, B, C get the same bars", "228 of 576 right"),
        (
            {"positions": "exchanged"},
            "No word has moved: only the positions of cat and mat are exchanged.",
            "576 of 576 answers change sides",
        ),
        (
            {"positions": "shuffled"},
            "The list is in another order, and each word has kept its position.",
            "576 of 576 right",
        ),
        ({"positions": "moved"}, "only “?” has position 8, as in questions of", "194 of 576 answers change sides"),
        (
            {"positions": "moved", "asked_for": "active"},
            "only “?” has position 9, as in questions of another length.",
            "194 of 576 answers change sides",
        ),
        (
            {"positions": "moved", "asked_for": "passive"},
            "only “?” has position 8, as in questions of another length.",
            "194 of 576 answers change sides",
        ),
        ({"positions": "off", "gpt": "none-2"}, "This model has no positions that could change.", "572 of 576 right"),
        (
            {"positions": "shuffled", "gpt": "none"},
            "The list is in another order. A, B, C get the same",
            "104 of 576 right",
        ),
        ({"positions": "shuffled", "gpt": "none-2"}, "The list is in another order.", "180 of 576 right"),
        ({"positions": "moved", "gpt": "rope"}, "only “?” has position 8, as in", "353 of 576 answers change sides"),
    ],
)
def test_the_sentences_follow_from_the_numbers(query, said, first):
    at = visit("next_word", asked=query["positions"], **query)
    assert not at.exception
    assert said in outcome(at)
    assert titles(at)[0] == first
    likeliest = [max([*each][:-1], key=each.get) for each in chances(at)]  # the last one is all others together
    after_each = ", ".join(f"{word} after {name}" for word, name in zip(likeliest, "ABC", strict=False))
    is_one = len({*likeliest}) == 1
    assert headline(at) == f"The model says {f'{likeliest[0]} after each prompt' if is_one else after_each}"
    # Which is wrong somewhere, as not all of them ask for the same noun.
    assert ("So the model is wrong for at least one of them." in outcome(at)) == is_one


OWN = {"sentences": "own"}


@pytest.mark.parametrize("change", CHANGES[1:])
def test_no_ready_question_shows_bars_of_another_state_than_the_one_that_is_chosen(change):
    at = visit("next_word", positions=change)
    assert at.segmented_control(key="positions").value == change
    assert is_covered(at)
    assert guesses(at)


@pytest.mark.parametrize("change", ["off", "swapped"])
def test_own_sentences_are_asked_about_as_ready_ones_are(change):
    at = visit("next_word", positions=change, **OWN)
    assert at.segmented_control(key="positions").value == change
    assert is_covered(at)
    assert guesses(at) == ["cat", "mat", "neither of them"]
    assert programs(at) == []
    at.button(key="guess_0").click().run()
    assert not is_covered(at)
    assert titles(at) == ["You said: cat"]
    word = "cat" if change == "off" else "mat"
    likeliest = max(chances(at)[0], key=chances(at)[0].get)
    assert (likeliest == "cat") == (shown(at, "about_next_word")["cards"][0]["tone"] == "same")
    assert change == "off" or likeliest == word


def test_where_one_word_is_expected_after_both_the_guess_is_that_word_or_another_one():
    at = visit("next_word", positions="off", a=A, b=A, **OWN)
    assert guesses(at) == ["cat", "another word"]
    at.button(key="guess_1").click().run()
    assert titles(at) == ["You said: another word"]


def test_a_guess_about_other_sentences_does_not_count():
    at = visit("next_word", positions="off", **OWN)
    at.button(key="guess_0").click().run()
    at.text_input(key="a").set_value(B).run()
    assert [chip["text"] for chip in shown(at, "chips_A")["chips"]] == B.split()
    assert shown(at, "about_next_word") is None


def test_a_word_that_is_markup_is_a_guess_in_its_own_letters():
    at = visit("next_word", positions="off", a="the cat sat , who", b=", , , ,", **OWN)
    said = [button.label for button in at.button if button.key.startswith("guess_")]
    assert not any(mark in plain(each) for each in said for mark in "<$")
    assert not at.exception


def test_there_is_no_switch_of_views_and_own_sentences_are_a_setting():
    at = visit("next_word")
    assert [each.key for each in at.segmented_control] == ["sentences", "asked_for", "positions"]
    at.segmented_control(key="sentences").set_value("own").run()
    assert [each.key for each in at.segmented_control] == ["sentences", "positions"]
    assert at.text_input(key="a").value == CAT
    shows(at, bundled(BUNDLED["learned"]))


def test_own_sentences_begin_as_the_question_in_whose_place_they_come():
    at = visit("next_word", noun="fox", verb="sees", other_noun="child", asked_for="passive")
    at.segmented_control(key="sentences").set_value("own").run()
    assert at.text_input(key="a").value == "the fox sees the child"
    assert at.text_input(key="b").value == "the child sees the fox"
    assert prompts(at) == ["the fox sees the child , who sees ?", "the child sees the fox , who sees ?"]
    at = visit("next_word", noun="fox", rest="lay", where="under", other_noun="child")
    at.segmented_control(key="sentences").set_value("own").run()
    assert at.text_input(key="a").value == "the fox lay under the child"
    assert at.text_input(key="b").value == "the child lay under the fox"
    assert prompts(at) == ["the fox lay under the child , who lay ?", "the child lay under the fox , who lay ?"]


def test_own_sentences_that_the_address_has_stay_when_they_take_the_place_of_a_question():
    at = visit("next_word", b="child sees cat", sentences="ready")
    assert prompts(at) == [A, B, C]
    at.segmented_control(key="sentences").set_value("own").run()
    assert at.text_input(key="b").value == "child sees cat"
    assert prompts(at) == [CAT, "child sees cat"]


@pytest.mark.parametrize("query", [{"a": "the cat"}, {"b": "the cat"}, {"a": MAT, "b": CAT}])
def test_it_opens_on_own_sentences_if_the_address_has_some(query):
    at = visit("next_word", **query)
    assert at.segmented_control(key="sentences").value == "own"
    assert [at.text_input(key=key).value for key in "ab"] == [query.get("a", CAT), query.get("b", MAT)]
    assert visit("next_word", sentences="ready", **query).segmented_control(key="sentences").value == "ready"
    assert visit("next_word", a=CAT, b=MAT).segmented_control(key="sentences").value == "ready"


def test_own_sentences_are_read_by_a_model_of_another_seed(seed_5, monkeypatch):
    monkeypatch.setattr(queue.runs.jobs, "kept", {SEED_5: seed_5[-1]}.get)
    at = visit("next_word", gpt_seed="5", **OWN)
    assert outcome(at).startswith("Nothing is learned yet: ")
    shows(at, seed_5[0])
    at.button(key="train").click().run()
    shows(at, seed_5[-1])


def test_the_slider_moves_the_nouns_into_each_other():
    run, at = bundled(BUNDLED["learned"]), visit("next_word", positions="exchanged", asked="exchanged", way="0.4")
    assert "cat and mat are 40% of the way to each other’s position." in outcome(at)
    for text, nouns, found in zip((A, B, C), ((1, 5), (1, 5), (2, 4)), chances(at), strict=True):
        expected = forward(run, text, Placement(exchanged=nouns, share=0.4)).next_word
        assert found["cat"] == pytest.approx(expected[run.vocabulary.index("cat")], rel=1e-5)
    assert [chip["position"] for chip in shown(at, "chips_A")["chips"]] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    at.slider(key="way").set_value(1.0).run()
    assert [chip["position"] for chip in shown(at, "chips_A")["chips"]] == [0, 5, 2, 3, 4, 1, 6, 7, 8, 9]
    assert [chip["position"] for chip in shown(at, "chips_C")["chips"]] == [0, 1, 4, 3, 2, 5, 6, 7, 8, 9]


def test_a_word_keeps_its_colour_when_the_list_is_shuffled():
    found = [
        shown(visit("next_word", positions="shuffled", asked=asked), "chips_A")["chips"] for asked in ("", "shuffled")
    ]
    before, after = ({chip["text"]: chip["colour"] for chip in chips} for chips in found)
    assert before == after
    assert [chip["text"] for chip in found[1]] == ["sat", "who", ",", "mat", "the", "on", "sat", "cat", "the", "?"]
    assert [chip["position"] for chip in found[1]] == [8, 7, 6, 5, 4, 3, 2, 1, 0, 9]


def test_a_guess_counts_for_what_was_asked_alone():
    at = visit("next_word", positions="off")
    at.button(key="guess_0").click().run()
    assert titles(at)[0] == "You said: cat"
    at.selectbox(key="gpt").set_value("rope").run()
    assert titles(at)[0] == "260 of 576 right"


def test_a_guess_that_is_no_token_is_said_in_its_own_words():
    at = visit("next_word", positions="off")
    at.button(key="guess_2").click().run()
    assert titles(at)[0] == "You said: neither of them"


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_head_does_as_trained_stands_beside_no_other_state(change):
    at = visit("next_word", positions=change, asked=change)
    assert any("matters most" in title for title in titles(at)) == (change == "on")


def test_in_projection_one_button_takes_the_positions_away_after_a_question():
    at = visit("next_word", present="1")
    seen = []
    while at.button:
        seen.append(plain(at.button[0].label))
        at.button[0].click().run()
        assert not at.exception
    assert seen == ["Next: Positions off", "Show the answer"]
    assert at.segmented_control(key="positions").value == "off"


@pytest.mark.parametrize(("sentences", "expected"), [("ready", [A, B, C]), ("own", [A, B])])
def test_a_hall_sees_all_prompts(sentences, expected):
    at = visit("next_word", sentences=sentences, present="1")
    assert not at.exception
    names, read = "ABC"[: len(expected)], expected
    titles = [each["text"] for each in shown(at, "next_word")["layout"]["annotations"]]
    above = [re.sub("<[^>]+>|[\u2068\u2069]", "", title) for title in titles]
    assert above == [f"{name} {prompt}" for name, prompt in zip(names, read, strict=True)]
    assert not [each.value for each in at.caption if plain(each.value).endswith("?")]  # bars have answered it before
    assert headline(at).startswith("The model says cat after A, mat after B")


def test_other_words_of_the_grammar_make_other_prompts():
    at = visit("next_word", noun="fox", verb="sees", other_noun="child", asked_for="passive")
    words = [chip["text"] for chip in shown(at, "chips_B")["chips"]]
    assert words == ["the", "child", "sees", "the", "fox", ",", "who", "is", "seen", "?"]
    assert shown(at, "chips_C") is None
    assert headline(at) == "The model says child after A, fox after B"
    at = visit("next_word", noun="fox", rest="lay", where="under", other_noun="child")
    words = [chip["text"] for chip in shown(at, "chips_C")["chips"]]
    assert words == ["under", "the", "child", "the", "fox", "lay", ",", "who", "lay", "?"]
    assert headline(at) == "The model says fox after A, child after B, fox after C"


def test_two_nouns_that_are_one_get_a_message():
    at = visit("next_word", noun="mat")
    assert messages(at) == ["Both nouns are “mat”. Take two different ones."]
    assert shown(at, "next_word") is None


def test_the_program_is_that_of_the_change():
    (program,) = programs(visit("next_word", positions="off", asked="off"))
    compile(program, "program", "exec")
    assert "no word has a position" in program


@pytest.mark.parametrize(
    ("name", "seed", "expected"),
    [
        *((name, None, BUNDLED[known]) for name, known in MODELS.items()),
        ("learned-2", None, replace(BUNDLED["learned"], n_layers=2)),
        ("rope-2", 4, replace(BUNDLED["rope"], n_layers=2, seed=4)),
        ("none-2", 123, replace(BUNDLED["none"], n_layers=2, seed=123)),
    ],
)
def test_a_model_is_the_recorded_one_unless_its_seed_is_another(name, seed, expected):
    assert settings_of(name, seed) == expected


def shows(at, run, placements=(AS_TRAINED,) * 3) -> None:
    """The bars are what the run says of A, B and C; own sentences are A and B alone."""
    assert not at.exception
    texts = (A, B) if at.segmented_control(key="sentences").value == "own" else (A, B, C)
    for text, placement, found in zip(texts, placements[: len(texts)], chances(at), strict=True):
        expected = forward(run, text, placement).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], abs=1e-6)


SEED_5 = replace(BUNDLED["learned"], seed=5)


@pytest.fixture(scope="module")
def seed_5() -> list[Run]:
    """Seed 5 at its beginning, while it goes on, and when it is finished."""
    several = [*follow(SEED_5)]
    return [several[0], several[500], several[-1]]


def test_a_model_that_nobody_has_trained_opens_at_its_beginning(seed_5):
    at = visit("next_word", gpt_seed="5")
    shows(at, seed_5[0])
    assert headline(at) == "Nothing is learned yet"
    assert outcome(at).startswith("Nothing is learned yet: ")
    assert titles(at) == [f"{answers(seed_5[0]).n_right} of 576 right"]
    assert shown(at, "looks") is None
    assert at.button(key="train").label == "Train"


def test_the_model_of_seed_5_is_trained_shown_and_given_up_again(seed_5, monkeypatch):
    monkeypatch.setattr(queue.runs.jobs, "kept", {SEED_5: seed_5[-1]}.get)  # this server has made it
    at = visit("next_word", gpt_seed="5")
    assert outcome(at).startswith("Nothing is learned yet: ")
    at.button(key="train").click().run()
    shows(at, seed_5[-1])
    assert outcome(at).endswith("Trained on this server, from the first step to the last.")
    assert titles(at)[0] == f"{answers(seed_5[-1]).n_right} of 576 right"
    link = {"gpt_seed": "5", "trained": settings_hash([SEED_5])}
    assert at.query_params["trained"] in (link["trained"], [link["trained"]])
    exchanged = [Placement(exchanged=(1, 5)), Placement(exchanged=(1, 5)), Placement(exchanged=(2, 4))]
    shows(visit("next_word", positions="exchanged", asked="exchanged", **link), seed_5[-1], exchanged)
    at.button(key="again").click().run()
    shows(at, seed_5[0])
    assert "trained" not in at.query_params


def test_the_bars_move_while_it_trains(seed_5, monkeypatch):
    progress = Progress(result=seed_5[1], seconds_left=3.0)
    monkeypatch.setattr(training_runs.runs, "poll", lambda settings, _visitor: progress if settings == SEED_5 else None)
    at = visit("next_word", gpt_seed="5")
    shows(at, seed_5[1])
    assert at.button(key="cancel").label == "Cancel"
    assert [each.proto.text for each in at.get("progress")] == ["Step 500 of 1,000, about 3 s left"]
    assert titles(at) == [f"{answers(seed_5[1]).n_right} of 576 right"]


def test_a_refusal_is_said_beside_what_was_before(monkeypatch):
    def refuse(*_):
        raise ev.EmbedvizError("Too many *runs* wait.")

    monkeypatch.setattr(training_runs.runs, "ask", refuse)
    at = visit("next_word")
    at.button(key="train").click().run()
    assert messages(at) == ["Too many *runs* wait."]
    shows(at, bundled(BUNDLED["learned"]))


def test_a_server_that_trains_shorter_runs_alone_has_those_of_the_record(monkeypatch):
    for part in (next_word, model):
        monkeypatch.setattr(part, "TRAINS", False)
    at = visit("next_word", gpt_seed="5", gpt="rope-2")
    assert len(at.selectbox(key="gpt").options) == len(MODELS)
    assert not at.button
    assert not at.number_input
    shows(at, bundled(BUNDLED["learned"]))


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_model_of_this_machine_says_the_next_word(kind, models_folder):
    on_shelf(kind, models_folder / "own/model", "the cat sat", with_head=True)
    real = AutoModelForCausalLM.from_pretrained(models_folder / "own/model").eval()
    texts = ["the cat sat on the mat", "on the mat the cat sat"]
    ids = [torch.tensor([ids_of(kind, text)]) for text in texts]
    for change in ("on", "off"):
        how = {"gpt": "own/model", "positions": change, "asked": change}
        at = visit("next_word", a=texts[0], b=texts[1], **how, **OWN)
        assert not at.exception
        assert messages(at) == []
        places = [None if change == "on" else torch.zeros_like(each) for each in ids]
        masked = [{"attention_mask": torch.ones_like(each)} for each in ids]
        with torch.no_grad():
            if change == "off" and kind == "gpt2":
                real.transformer.wpe.weight.zero_()  # nothing is added; RoPE turns nothing at position 0
            logits = [
                real(each, position_ids=at_, **mask).logits[0, -1]
                for each, at_, mask in zip(ids, places, masked, strict=True)
            ]
        expected = torch.stack(logits).softmax(-1).numpy()
        moved = np.abs(expected[0] - expected[1]).sum() / 2
        assert f"{moved:.0%} of the probability is on other tokens after B than after A." in outcome(at)
        likeliest = (-expected.max(axis=0)).argsort(kind="stable")[:4]
        for row, trace in zip(expected, shown(at, "next_word")["data"], strict=True):
            assert trace["x"] == pytest.approx([*row[likeliest], 1 - row[likeliest].sum()], abs=1e-5)


def test_a_small_gpt_reads_both_and_says_which_question_it_reads_after_them():
    at = visit("next_word", **OWN)
    assert not at.exception
    assert messages(at) == []
    expected = forward(bundled(BUNDLED["learned"]), A).next_word
    assert chances(at)[0]["cat"] == pytest.approx(expected.max(), rel=1e-5)
    assert headline(at) == "The model says cat after A, mat after B"
    assert outcome(at).startswith("100% of the probability is on other tokens after B than after A.")
    assert prompts(at) == [A, B]
    assert [at.text_input(key=key).value for key in "ab"] == [CAT, MAT]
    assert "After both, small GPT reads the question “, who sat ?”." in [plain(each.value) for each in at.caption]


def test_words_of_the_little_language_are_typed_freely():
    run, texts = bundled(BUNDLED["learned"]), ("the fox sees the child , who is seen ?", "who bites dog")
    at = visit("next_word", a=texts[0], b=texts[1], **OWN)
    assert prompts(at) == [*texts]  # neither of which is asked more
    for text, found in zip(texts, chances(at), strict=True):
        expected = forward(run, text).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)
    at.text_input(key="b").set_value("dog bites zebra").run()
    assert not at.exception
    (said,) = map(plain, messages(at))
    assert said.startswith("Not in the vocabulary: zebra. It holds ")
    assert said.endswith(f" small GPT reads {CAT} and {MAT} instead.")
    assert all(f" {word} " in said for word in ("bed", "bird", "bitten", "child", "sat"))
    assert at.text_input(key="b").value == "dog bites zebra"
    shows(at, run)
    (said,) = map(plain, messages(visit("next_word", a=texts[0], b="dog bites zebra", present="1", **OWN)))
    assert said == f"small GPT does not know all of these words. It reads {CAT} and {MAT} instead."


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        ((CAT, MAT), "who sat ?"),
        (("on the mat the cat sat", CAT), "who sat ?"),
        (("the dog bites the man", "the man bites the dog"), "who bites ?"),
        ((" the dog  bites the man ", "the man bites the dog"), "who bites ?"),
        ((CAT, "the dog bites the man"), ""),
        ((CAT, "the mat stood on the cat"), ""),
        ((CAT, "the mat sat"), ""),
        ((CAT, B), ""),
        (("cat sat mat", "mat sat cat"), ""),
    ],
)
def test_the_question_comes_after_both_sentences_or_after_none(texts, question):
    run, at = bundled(BUNDLED["learned"]), visit("next_word", a=texts[0], b=texts[1], **OWN)
    assert messages(at) == []
    read = [" ".join([*text.split(), *([",", *question.split()] if question else [])]) for text in texts]
    assert prompts(at) == read
    for text, found in zip(read, chances(at), strict=True):
        expected = forward(run, text).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)
    said = [plain(each.value) for each in at.caption if each.value.startswith("After both, ")]
    assert said == ([f"After both, small GPT reads the question “, {question}”."] if question else [])
    assert [at.text_input(key=key).value for key in "ab"] == [*texts]


@pytest.mark.parametrize(
    ("settings", "texts"),
    [
        (TrainingSettings(steps=3, seed=5), [CAT, MAT]),
        (TrainingSettings(steps=3, text="the cat sat . the mat sat on . " * 20), [CAT, MAT]),
        (TrainingSettings(steps=3, text="b a c d . d c b a ? " * 20), ["a b c d", "d c b a"]),
    ],
)
def test_a_run_that_a_visitor_has_trained_is_a_model(settings, texts, monkeypatch):
    *_, run = follow(settings)
    monkeypatch.setitem(queue.runs.finished_runs, settings, run)
    name = name_of(settings)
    assert name not in visit("next_word", **OWN).selectbox(key="gpt").options  # another visitor has not trained it
    assert name not in visit("next_word", gpt=name).selectbox(key="gpt").options  # it has not learned the questions
    at = visit("next_word", gpt=name, **OWN)
    assert [at.text_input(key=key).value for key in "ab"] == texts
    assert prompts(at) == (texts if settings.text else [A, B])  # questions are of the site's own language
    assert messages(at) == []
    assert "optimizer.step()" in programs(at)[0]
    for text, found in zip(prompts(at), chances(at), strict=True):
        expected = forward(run, text).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], abs=1e-6)


@pytest.mark.parametrize("gpt", ["learned", "rope"])
@pytest.mark.parametrize(
    ("query", "placement"),
    [
        ({"positions": "off"}, Placement(scale=0.0)),
        ({"positions": "swapped"}, Placement(exchanged=(1, 5))),
        ({"positions": "swapped", "way": "0.4"}, Placement(exchanged=(1, 5), share=0.4)),
        ({"positions": "swapped", "swap": "1", "swap_with": "6"}, Placement(exchanged=(1, 6))),
    ],
)
def test_own_sentences_change_their_positions_too(gpt, query, placement):
    run = bundled(BUNDLED[MODELS[gpt]])
    at = visit("next_word", gpt=gpt, asked=query["positions"], **query, **OWN)
    assert not at.exception
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text, placement).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("change", "is_said"), [("on", False), ("off", True), ("swapped", False)])
def test_what_the_mask_lets_in_is_said_once_own_sentences_have_no_positions(change, is_said):
    said = "The causal mask still lets order in, since a token sees only itself and those before it."
    assert (said in outcome(visit("next_word", positions=change, asked=change, **OWN))) == is_said
    assert said not in outcome(visit("next_word", positions=change, **OWN))  # while a guess is asked


@pytest.mark.parametrize("how", [{"positions": "exchanged"}, {"positions": "swapped"} | OWN])
def test_the_answer_changes_sides_on_the_slider_s_way(how):
    sides = []
    for way in ("0.0", "0.25", "0.75", "1.0"):
        a, b, *_c = chances(visit("next_word", way=way, asked=how["positions"], **how))
        sides.append((a["cat"] > a["mat"], b["cat"] > b["mat"]))
    assert sides == [(True, False), (True, False), (False, True), (False, True)]


@pytest.mark.parametrize("gpt", ["none", "none-2"])
def test_a_small_gpt_without_positions_reads_own_sentences_and_has_none_to_change(gpt):
    at = visit("next_word", gpt=gpt, positions="off", **OWN)
    shows(at, bundled(BUNDLED[MODELS[gpt]]))
    assert at.segmented_control(key="positions").options == ["Positions off"]
    assert outcome(at).endswith("This model has no positions that could change.")


def test_a_real_model_is_offered_for_own_sentences_alone(models_folder):
    on_shelf("gpt2", models_folder / "own/model", "the cat sat", with_head=True)
    assert "own/model" not in visit("next_word", gpt="own/model").selectbox(key="gpt").options
    at = visit("next_word", gpt="own/model", **OWN)
    assert at.selectbox(key="gpt").value == "own/model"
    assert not [button for button in at.button if button.key == "train"]
    at.segmented_control(key="sentences").set_value("ready").run()
    assert not at.exception
    assert at.selectbox(key="gpt").value == "learned"
    shows(at, bundled(BUNDLED["learned"]))


def test_the_program_of_own_sentences_is_that_of_the_change():
    (program,) = programs(visit("next_word", positions="swapped", asked="swapped", way="0.25", **OWN))
    compile(program, "program", "exec")
    assert "0.75 * places[[1, 5]] + 0.25 * places[[5, 1]]" in program


def test_a_model_is_brought_by_a_button_that_says_how_large_it_is(hub_server, models_folder, tmp_path):
    folder = tmp_path / "served"
    on_shelf("gpt2", folder, "the cat sat", with_head=True)
    hub_server.files["own/model"] = folder
    at = visit("next_word", bring="own/model", **OWN)
    assert not at.exception
    (button,) = [each for each in at.button if each.key == "bring_it"]
    size = sum((folder / file).stat().st_size for file in ("config.json", "tokenizer.json", "model.safetensors"))
    assert plain(button.label) == f"Download own/model: {size / 1e6:,.1f} MB"
    assert "own/model" not in at.selectbox(key="gpt").options
    model_download.download(
        model_download.parcel("own/model"), lambda *_progress: None
    )  # AppTest cannot press with a value of one's own
    at = visit("next_word", bring="own/model", **OWN)
    assert at.selectbox(key="gpt").options[-1] == "own/model"
    assert not [each for each in at.button if each.key == "bring_it"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"bring": "no/model"}, "no/model cannot be brought onto this machine: "),
        ({"bring": "nothing"}, "owner, slash, name. nothing is no such name."),
        ({"bring": "<b>/x"}, "owner, slash, name. <b>/x is no such name."),
    ],
)
def test_a_model_that_cannot_be_had_gets_a_message(hub_server, models_folder, query, said):
    at = visit("next_word", **query, **OWN)
    assert not at.exception
    assert any(said in each for each in messages(at))


def test_a_server_that_runs_no_models_offers_none(configure):
    configure(forward_mib=0)
    assert not [each for each in visit("next_word", **OWN).selectbox if each.key == "bring"]


def card(at, title: str) -> str:
    """The text of the card whose title contains this."""
    return next(plain(each["text"]) for each in shown(at, "about_next_word")["cards"] if title in plain(each["title"]))


SAID_NOUNS = ["cat", "mat", "dog", "man", "bird", "hat", "child", "box", "fox", "bed"]
VERBS = {"bites": "bitten", "sees": "seen", "chases": "chased", "hears": "heard"}


def answered(prompt: list[str], change: str, run: Run) -> str:
    """The likeliest word after a prompt, by the model itself and places that are written here anew."""
    length, last = run.settings.context_length, len(prompt) - 1
    places = torch.eye(length)[: len(prompt)]
    if change == "off":
        places = torch.zeros_like(places)
    elif change == "exchanged":
        (i, j), nouns = [n for n, word in enumerate(prompt) if word in SAID_NOUNS], places.clone()
        places[i], places[j] = nouns[j], nouns[i]
    elif change == "moved":
        places[last] = torch.eye(length)[8 if last == 9 else 9]
    ids = torch.tensor([[run.vocabulary.index(word) for word in prompt]])
    with torch.no_grad():
        return run.vocabulary[int(gpt(run)(ids, places)[0, -1].argmax())]


def unseen() -> list[tuple[str, list[str], str, str]]:
    """All questions that are held out, written anew: what they ask, their words, the right noun and the other one."""
    found = []
    for one, other in pairwise(SAID_NOUNS):
        for n, m in ((one, other), (other, one)):
            for verb, place in product(("sat", "stood", "lay", "slept"), ("on", "under", "behind")):
                found.append(("who sat", f"the {n} {verb} {place} the {m} , who {verb} ?".split(), n, m))
                found.append(("who sat", f"{place} the {m} the {n} {verb} , who {verb} ?".split(), n, m))
            for verb, participle in VERBS.items():
                found.append(("who bites", f"the {n} {verb} the {m} , who {verb} ?".split(), n, m))
                found.append(("who is bitten", f"the {n} {verb} the {m} , who is {participle} ?".split(), m, n))
    return found


@pytest.mark.parametrize("name", ["learned", "rope"])
def test_what_the_place_of_the_question_mark_decides_is_counted(name):
    run, counts = bundled(BUNDLED[name]), {"who sat": [0, 0, 0], "bites or bitten": [0, 0, 0]}
    for asks, prompt, right, other in unseen():
        word = answered(prompt, "moved", run)
        of = counts["who sat" if asks == "who sat" else "bites or bitten"]
        for n, is_so in enumerate((word == right, word == other, True)):
            of[n] += is_so
    at = visit("next_word", gpt=name, positions="moved", asked="moved")
    (right, other, total), (_right, turned, of_two) = counts["who sat"], counts["bites or bitten"]
    assert titles(at)[0] == f"{other + turned} of 576 answers change sides"
    said = card(at, "What the place of “?” decides")
    assert turned > of_two / 2
    assert f"{turned} of {of_two} answers to these two are the other noun then" in said
    assert said.endswith(f"To “who sat ?”, {right} of {total} answers stay right.")


def test_answers_that_do_not_follow_the_place_of_the_question_mark_are_not_said_to():
    found = answers(bundled(BUNDLED["learned"]))  # as if nothing had changed
    said = plain(words.about_place(found).text)
    assert said == (
        "Of 144 answers to “who bites ?” and “who is bitten ?” only 0 are the other noun then: the model does not tell "
        "these two apart by the place of “?” alone. To “who sat ?”, 432 of 432 answers stay right."
    )


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("change", CHANGES)
def test_what_all_seeds_answer_is_said_in_every_state(name, change):
    at = visit("next_word", gpt=name, positions=change, asked=change)
    turned = change in ("exchanged", "moved") and not name.startswith("none")
    counts = [each[turned] for each in tried()[MODELS[name]][change]]
    first = shown(at, "about_next_word")["cards"][0]
    assert titles(at)[0].startswith(f"{counts[0]} of 576 ")
    said = ", ".join(map(str, counts))
    assert plain(first["text"]).endswith(f"trained with seeds 1 to {len(SEEDS)}: {said}. No run was left out.")


def test_the_seeds_are_said_beside_another_one_too_and_not_beside_a_model_that_was_not_recorded(seed_5, monkeypatch):
    monkeypatch.setattr(queue.runs.jobs, "kept", {SEED_5: seed_5[-1]}.get)
    at = visit("next_word", gpt_seed="5", positions="off", asked="off", trained=settings_hash([SEED_5]))
    assert titles(at)[0] == f"{tried()['learned']['off'][4][0]} of 576 right"
    assert "seeds 1 to 5" in card(at, "right")
    assert "seeds" not in card(visit("next_word", gpt="rope-2"), "right")


@pytest.mark.parametrize(("name", "change"), [("none", "on"), ("learned", "off"), ("rope", "off")])
def test_a_model_that_cannot_tell_the_order_is_said_to_have_read_the_words_alone(name, change):
    run = bundled(BUNDLED[name])
    word_of = [(answered(prompt, change, run), right, other) for _asks, prompt, right, other in unseen()]
    n_right, n_other = (sum(word == each[n] for word, *each in word_of) for n in (0, 1))
    assert n_right == n_other > 0
    said = card(visit("next_word", gpt=name, positions=change, asked=change), f"{n_right} of 576 right")
    assert f"In {n_other} more the likeliest word is the other noun of the sentence: the model has read which" in said


def test_a_model_that_can_tell_the_order_is_not_said_to_have_read_the_words_alone():
    said = card(visit("next_word", gpt="none-2", positions="shuffled", asked="shuffled"), "180 of 576 right")
    assert "In 154 more the likeliest word is the other noun of the sentence. Always" in said


MEANT = "Another meaning, another answer; the same meaning, the same answer"


@pytest.mark.parametrize(
    ("query", "is_said"),
    [
        ({}, True),
        ({"gpt": "rope", "noun": "fox", "rest": "lay", "where": "behind", "other_noun": "bird"}, True),
        ({"gpt": "none-2"}, True),  # it can tell the order from the mask
        ({"gpt": "none"}, False),
        ({"positions": "off"}, False),
        ({"positions": "exchanged"}, False),
        ({"positions": "shuffled"}, False),  # all are right, but this is about the order of the list
        ({"asked_for": "active"}, False),
        ({"asked_for": "passive"}, False),
        ({"gpt_seed": "77"}, False),  # it has not begun
    ],
    ids=str,
)
def test_that_answers_go_with_the_meaning_is_said_of_three_right_ones_alone(query, is_said):
    at = visit("next_word", asked=query.get("positions", ""), **query)
    assert not at.exception
    assert (MEANT in titles(at)) == is_said
    if is_said:
        prompts = [[chip["text"] for chip in shown(at, f"chips_{name}")["chips"]] for name in "ABC"]
        assert len({tuple(sorted(prompt)) for prompt in prompts}) == 1
        assert len({tuple(prompt) for prompt in prompts}) == 3
        first, second = query.get("noun", "cat"), query.get("other_noun", "mat")
        assert [max(each, key=each.get) for each in chances(at)] == [first, second, first]


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_one_wrong_answer_of_three_takes_the_sentence_about_their_meaning_away(wrong):
    run, question = bundled(BUNDLED["learned"]), Question("rest", "cat", "sat", "mat", "on")
    prompts = [A, B, C]
    read = [forward(run, text) for text in prompts]
    state = Predictions(run, question, "on", [AS_TRAINED] * 3, read)
    assert question.texts == prompts
    assert [plain(each.title) for each in words.about_meaning(state)] == [MEANT]
    other = forward(run, B if wrong != 1 else A)
    changed = [other if n == wrong else each for n, each in enumerate(read)]
    assert words.about_meaning(replace(state, outputs=changed)) == []


@pytest.mark.parametrize("own", [{}, OWN], ids=["ready", "own"])
@pytest.mark.parametrize("gpt", OPTIONS["gpt"])
def test_every_change_of_every_model_makes_a_page_and_a_hall_before_its_question_and_after_it(gpt, own):
    start = visit("next_word", gpt=gpt, **own)
    offered = start.segmented_control(key="positions").options
    for change in (each for each in OPTIONS["positions"] if label_of("positions")(each) in offered):
        for asked, present in product(("", change), ("", "1")):
            at = visit("next_word", gpt=gpt, positions=change, asked=asked, present=present, **own)
            assert not at.exception
            assert messages(at) == []
            assert is_covered(at) == (change != "on" and not asked and len(offered) > 1)


@pytest.mark.parametrize("gpt", MODELS)
def test_every_word_of_every_control_makes_prompts_with_it(gpt):
    at = visit("next_word", gpt=gpt)
    for form, keys in {"rest": ("rest", "where"), "active": ("verb",), "passive": ("verb",)}.items():
        at.segmented_control(key="asked_for").set_value(form).run()
        for key in ("noun", *keys, "other_noun"):
            usual = at.selectbox(key=key).value
            for word in at.selectbox(key=key).options:
                at.selectbox(key=key).set_value(word).run()
                assert not at.exception
                if at.selectbox(key="noun").value == at.selectbox(key="other_noun").value:
                    assert messages(at) == [f"Both nouns are “{word}”. Take two different ones."]
                    continue
                assert messages(at) == []
                names = "ABC" if form == "rest" else "AB"
                assert all(word in [c["text"] for c in shown(at, f"chips_{name}")["chips"]] for name in names)
            at.selectbox(key=key).set_value(usual).run()


@pytest.mark.parametrize("placed", CHANGES)
def test_what_a_mask_lets_in_is_said_where_positions_are_off_and_only_there(placed):
    at = visit("next_word", gpt="learned", positions=placed, asked=placed)
    cards = {plain(card["title"]): card["text"] for card in shown(at, "about_next_word")["cards"]}
    assert ("A causal mask lets order in" in cards) == (placed == "off")
    if placed == "off":
        assert "but not in what order; two layers can tell more." in cards["A causal mask lets order in"]
