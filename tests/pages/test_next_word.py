"""The page "Next word", run without a browser."""

import re
from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

import embedviz as ev
from embedviz.base.concurrency.jobs import Progress
from embedviz.layers import bring
from embedviz.training import queue
from embedviz.training.answers import CHANGES, answers
from embedviz.training.bundled import WHO, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import Run, follow
from embedviz.training.train import TrainingSettings
from embedviz.ui.inputs import running
from embedviz.ui.inputs.running import mark, name_of
from pages.next_word import model, who
from pages.next_word.model import settings_of
from tests.models.shelf import ids_of, on_shelf
from tests.pages.site import messages, programs, shown, visit

A, B = "dog bites man , who bites ?", "man bites dog , who bites ?"
MODELS = {"learned": "who", "rope": "who_rope", "none": "who_no_positions", "none-2": "who_no_positions_2_layers"}


def chances(at) -> list[dict[str, float]]:
    """The bars after A, and those after B."""
    return [
        {plain(name): float(x) for name, x in zip(trace["text"], trace["x"], strict=True)}
        for trace in shown(at, "next_word")["data"]
    ]


def plain(text: str) -> str:
    """A text as its reader sees it."""
    return text.replace("\\", "").replace("\u2068", "").replace("\u2069", "")


def titles(at) -> list[str]:
    return [plain(card["title"]) for card in shown(at, "about_next_word")["cards"]]


def is_covered(at) -> bool:
    """Whether question marks stand for the bars of A and of B, and no bar and no number is in the page."""
    figure = shown(at, "next_word")
    marks = [each["text"] for each in figure["layout"]["annotations"] if each["text"] == "?"]
    return marks == ["?", "?"] and all(np.isnan(trace["x"]).all() for trace in figure["data"])


def guesses(at) -> list[str]:
    return [plain(button.label) for button in at.button if button.key.startswith("guess_")]


def outcome(at) -> str:
    captions = [plain(each.value) for each in at.caption]
    return [each for each in captions if not each.startswith("Words that ")][-1]


@pytest.mark.parametrize("model", MODELS)
def test_the_bars_are_what_the_run_says(model):
    run = bundled(WHO[MODELS[model]])
    at = visit("next_word", gpt=model)
    assert not at.exception
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text).next_word
        *words, others = found
        assert words[:2] == ["dog", "man"]
        assert [found[word] for word in words] == pytest.approx(
            [expected[run.vocabulary.index(word)] for word in words],
            rel=1e-5,
            abs=1e-6,  # float32's rounding
        )
        assert found[others] == pytest.approx(1 - sum(found[word] for word in words), abs=1e-6)


def test_it_opens_before_the_event():
    at = visit("next_word")
    a, b = chances(at)
    assert a["dog"] > 0.95
    assert b["man"] > 0.95
    assert outcome(at) == "The same words in two orders. The likeliest word is dog after A and man after B."
    assert titles(at)[0] == "388 of 388 right"
    assert guesses(at) == []


def test_a_change_is_shown_after_the_question():
    at = visit("next_word")
    before = chances(at)
    at.segmented_control(key="placed").set_value("exchanged").run()
    assert guesses(at) == ["dog", "man", "neither of them"]
    assert is_covered(at)
    assert shown(at, "about_next_word") is shown(at, "looks") is None
    assert programs(at) == []
    at.button(key="guess_1").click().run()
    assert not at.exception
    assert guesses(at) == []
    assert at.query_params["asked"] in ("exchanged", ["exchanged"])
    a, b = chances(at)
    assert a["man"] == pytest.approx(before[1]["man"], abs=1e-4)
    assert b["dog"] == pytest.approx(before[0]["dog"], abs=1e-4)
    assert titles(at)[:2] == ["You said: man", "388 of 388 answers change sides"]


@pytest.mark.parametrize(
    ("change", "placement"),
    [
        ("off", Placement(scale=0.0)),
        ("exchanged", Placement(exchanged=(0, 2))),
        ("shuffled", Placement(order=(5, 4, 3, 2, 1, 0, 6))),
        ("moved", Placement(positions=(0, 1, 2, 3, 4, 5, 7))),
    ],
)
def test_each_change_is_what_the_run_says_of_it(change, placement):
    run = bundled(WHO["who"])
    at = visit("next_word", placed=change, asked=change)
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text, placement).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(
    ("query", "said", "first"),
    [
        ({"placed": "off"}, "A and B get the same bars", "84 of 388 right"),
        (
            {"placed": "exchanged"},
            "The likeliest word is man after A and dog after B.",
            "388 of 388 answers change sides",
        ),
        ({"placed": "shuffled"}, "The likeliest word is dog after A and man after B.", "388 of 388 right"),
        (
            {"placed": "moved"},
            "only “?” has position 7, as it has in “who is bitten ?”.",
            "388 of 388 answers change sides",
        ),
        (
            {"placed": "moved", "asked_for": "passive"},
            "only “?” has position 6, as it has in “who bites ?”.",
            "388 of 388 answers change sides",
        ),
        ({"placed": "off", "gpt": "none-2"}, "This model has no positions that could change.", "386 of 388 right"),
        (
            {"placed": "shuffled", "gpt": "none"},
            "The list is in another order. A and B get the same",
            "136 of 388 right",
        ),
        ({"placed": "shuffled", "gpt": "none-2"}, "The list is in another order. The likeliest", "76 of 388 right"),
        ({"placed": "moved", "gpt": "rope"}, "The likeliest word is , after A", "364 of 388 answers change sides"),
    ],
)
def test_the_sentences_follow_from_the_numbers(query, said, first):
    at = visit("next_word", asked=query["placed"], **query)
    assert not at.exception
    assert said in outcome(at)
    assert titles(at)[0] == first


OWN = {"sentences": "own"}


@pytest.mark.parametrize("change", CHANGES[1:])
def test_no_ready_question_shows_bars_of_another_state_than_the_one_that_is_chosen(change):
    at = visit("next_word", placed=change)
    assert at.segmented_control(key="placed").value == change
    assert is_covered(at)
    assert guesses(at)


@pytest.mark.parametrize("change", ["off", "swapped"])
def test_own_sentences_are_asked_about_as_ready_ones_are(change):
    at = visit("next_word", placed=change, **OWN)
    assert at.segmented_control(key="placed").value == change
    assert is_covered(at)
    assert guesses(at) == ["dog", "man", "neither of them"]
    assert programs(at) == []
    at.button(key="guess_0").click().run()
    assert not is_covered(at)
    assert titles(at) == ["You said: dog"]
    word = "dog" if change == "off" else "man"
    likeliest = max(chances(at)[0], key=chances(at)[0].get)
    assert (likeliest == "dog") == (shown(at, "about_next_word")["cards"][0]["tone"] == "same")
    assert change == "off" or likeliest == word


def test_where_one_word_is_expected_after_both_the_guess_is_that_word_or_another_one():
    at = visit("next_word", placed="off", small_a=A, small_b=A, **OWN)
    assert guesses(at) == ["dog", "another word"]
    at.button(key="guess_1").click().run()
    assert titles(at) == ["You said: another word"]


def test_a_guess_about_other_sentences_does_not_count():
    at = visit("next_word", placed="off", **OWN)
    at.button(key="guess_0").click().run()
    at.text_input(key="small_a").set_value("man bites dog , who bites ?").run()
    assert shown(at, "about_next_word") is None


def test_a_word_that_is_markup_is_a_guess_in_its_own_letters():
    at = visit("next_word", placed="off", small_a="dog bites man , who", small_b=", , , ,", **OWN)
    said = [button.label for button in at.button if button.key.startswith("guess_")]
    assert not any(mark in plain(each) for each in said for mark in "<$")
    assert not at.exception


def test_there_is_no_switch_of_views_and_own_sentences_are_a_setting():
    at = visit("next_word")
    assert [each.key for each in at.segmented_control] == ["sentences", "asked_for", "placed"]
    at.segmented_control(key="sentences").set_value("own").run()
    assert [each.key for each in at.segmented_control] == ["sentences", "placed"]
    assert at.text_input(key="small_a").value == A
    shows(at, bundled(WHO["who"]))


def test_own_sentences_begin_as_the_question_in_whose_place_they_come():
    at = visit("next_word", noun="cat", verb="sees", other_noun="boy", asked_for="passive")
    at.segmented_control(key="sentences").set_value("own").run()
    assert at.text_input(key="small_a").value == "cat sees boy , who is seen ?"
    assert at.text_input(key="small_b").value == "boy sees cat , who is seen ?"


def test_own_sentences_that_the_address_has_stay_when_they_take_the_place_of_a_question():
    at = visit("next_word", small_b="boy sees cat")
    at.segmented_control(key="sentences").set_value("own").run()
    assert at.text_input(key="small_b").value == "boy sees cat"


def test_own_sentences_are_read_by_a_model_of_another_seed(seed_5, monkeypatch):
    monkeypatch.setattr(queue.runs.jobs, "_kept", {SEED_5: seed_5[-1]}.get)
    at = visit("next_word", gpt_seed="5", **OWN)
    assert outcome(at).startswith("Nothing is learned yet: ")
    shows(at, seed_5[0])
    at.button(key="train").click().run()
    shows(at, seed_5[-1])


def test_the_slider_moves_the_nouns_into_each_other():
    run, at = bundled(WHO["who"]), visit("next_word", placed="exchanged", asked="exchanged", way="0.4")
    assert "dog and man are 40% of the way to each other’s position." in outcome(at)
    expected = forward(run, A, Placement(exchanged=(0, 2), share=0.4)).next_word
    assert chances(at)[0]["dog"] == pytest.approx(expected[run.vocabulary.index("dog")], rel=1e-5)
    assert [chip["position"] for chip in shown(at, "chips_A")["chips"]] == [0, 1, 2, 3, 4, 5, 6]
    at.slider(key="way").set_value(1.0).run()
    assert [chip["position"] for chip in shown(at, "chips_A")["chips"]] == [2, 1, 0, 3, 4, 5, 6]


def test_a_word_keeps_its_colour_when_the_list_is_shuffled():
    found = [
        shown(visit("next_word", placed="shuffled", asked=asked), "chips_A")["chips"] for asked in ("", "shuffled")
    ]
    before, after = ({chip["text"]: chip["colour"] for chip in chips} for chips in found)
    assert before == after
    assert [chip["text"] for chip in found[1]] == ["bites", "who", ",", "man", "bites", "dog", "?"]
    assert [chip["position"] for chip in found[1]] == [5, 4, 3, 2, 1, 0, 6]


def test_a_guess_counts_for_what_was_asked_alone():
    at = visit("next_word", placed="off")
    at.button(key="guess_0").click().run()
    assert titles(at)[0] == "You said: dog"
    at.selectbox(key="gpt").set_value("rope").run()
    assert titles(at)[0] == "133 of 388 right"


def test_a_guess_that_is_no_token_is_said_in_its_own_words():
    at = visit("next_word", placed="off")
    at.button(key="guess_2").click().run()
    assert titles(at)[0] == "You said: neither of them"


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_head_does_as_trained_stands_beside_no_other_state(change):
    at = visit("next_word", placed=change, asked=change)
    assert any("matters most" in title for title in titles(at)) == (change == "on")


def test_in_projection_one_button_shows_each_change_after_its_question():
    at = visit("next_word", present="1")
    seen = []
    for _press in range(9):
        seen.append(plain(at.button[0].label))
        at.button[0].click().run()
        assert not at.exception
    changes = ["Positions off", "Exchange the nouns’ positions", "Shuffle the list, keep positions", "Move the “?”"]
    assert seen == [
        *(label for change in changes for label in (f"Next: {change}", "Show the answer")),
        "Next: As trained",
    ]
    assert at.segmented_control(key="placed").value == "on"


@pytest.mark.parametrize("sentences", ["ready", "own"])
def test_a_hall_sees_both_prompts(sentences):
    at = visit("next_word", sentences=sentences, present="1")
    assert not at.exception
    prompts = [" ".join(chip["text"] for chip in shown(at, f"chips_{name}")["chips"]) for name in "AB"]
    assert prompts == ["dog bites man , who bites ?", "man bites dog , who bites ?"]
    titles = [each["text"] for each in shown(at, "next_word")["layout"]["annotations"]]
    above = [re.sub("<[^>]+>|[\u2068\u2069]", "", title) for title in titles]
    assert above == [f"{name} {prompt}" for name, prompt in zip("AB", prompts, strict=True)]
    assert not [each.value for each in at.caption if plain(each.value).endswith("?")]  # bars have answered it before


def test_other_words_of_the_grammar_make_other_prompts():
    at = visit("next_word", noun="cat", verb="sees", other_noun="boy", asked_for="passive")
    words = [chip["text"] for chip in shown(at, "chips_B")["chips"]]
    assert words == ["boy", "sees", "cat", ",", "who", "is", "seen", "?"]
    assert outcome(at).endswith("The likeliest word is boy after A and cat after B.")


def test_two_nouns_that_are_one_get_a_message():
    at = visit("next_word", noun="man")
    assert messages(at) == ["Both nouns are “man”. Take two different ones."]
    assert shown(at, "next_word") is None


def test_the_program_is_that_of_the_change():
    (program,) = programs(visit("next_word", placed="off", asked="off"))
    compile(program, "program", "exec")
    assert "no word has a position" in program


@pytest.mark.parametrize(
    ("name", "seed", "expected"),
    [
        *((name, None, WHO[known]) for name, known in MODELS.items()),
        ("learned-2", None, replace(WHO["who"], n_layers=2)),
        ("rope-2", 4, replace(WHO["who_rope"], n_layers=2, seed=4)),
        ("none-2", 123, replace(WHO["who_no_positions"], n_layers=2)),
    ],
)
def test_a_model_is_the_recorded_one_unless_its_seed_is_another(name, seed, expected):
    assert settings_of(name, seed) == expected


def shows(at, run, placement=AS_TRAINED) -> None:
    """The bars are what the run says."""
    assert not at.exception
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text, placement).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], abs=1e-6)


SEED_5 = replace(WHO["who"], seed=5)


@pytest.fixture(scope="module")
def seed_5() -> list[Run]:
    """Seed 5 at its beginning, while it goes on, and when it is finished."""
    several = [*follow(SEED_5)]
    return [several[0], several[500], several[-1]]


def test_a_model_that_nobody_has_trained_opens_at_its_beginning(seed_5):
    at = visit("next_word", gpt_seed="5")
    shows(at, seed_5[0])
    assert outcome(at).startswith("Nothing is learned yet: ")
    assert titles(at) == [f"{answers(seed_5[0]).n_right} of 388 right"]
    assert shown(at, "looks") is None
    assert at.button(key="train").label == "Train"


def test_the_model_of_seed_5_is_trained_shown_and_given_up_again(seed_5, monkeypatch):
    monkeypatch.setattr(queue.runs.jobs, "_kept", {SEED_5: seed_5[-1]}.get)  # this server has made it
    at = visit("next_word", gpt_seed="5")
    assert outcome(at).startswith("Nothing is learned yet: ")
    at.button(key="train").click().run()
    shows(at, seed_5[-1])
    assert outcome(at).endswith("Trained on this server, from the first step to the last.")
    assert titles(at)[0] == f"{answers(seed_5[-1]).n_right} of 388 right"
    link = {"gpt_seed": "5", "trained": mark([SEED_5])}
    assert at.query_params["trained"] in (link["trained"], [link["trained"]])
    exchanged = Placement(exchanged=(0, 2))
    shows(visit("next_word", placed="exchanged", asked="exchanged", **link), seed_5[-1], exchanged)
    at.button(key="again").click().run()
    shows(at, seed_5[0])
    assert "trained" not in at.query_params


def test_the_bars_move_while_it_trains(seed_5, monkeypatch):
    progress = Progress(result=seed_5[1], seconds_left=3.0)
    monkeypatch.setattr(running.runs, "look", lambda settings, _visitor: progress if settings == SEED_5 else None)
    at = visit("next_word", gpt_seed="5")
    shows(at, seed_5[1])
    assert at.button(key="cancel").label == "Cancel"
    assert [each.proto.text for each in at.get("progress")] == ["Step 500 of 1,000, about 3 s left"]
    assert titles(at) == [f"{answers(seed_5[1]).n_right} of 388 right"]


def test_a_refusal_is_said_beside_what_was_before(monkeypatch):
    def refuse(*_):
        raise ev.EmbedvizError("Too many *runs* wait.")

    monkeypatch.setattr(running.runs, "ask", refuse)
    at = visit("next_word")
    at.button(key="train").click().run()
    assert messages(at) == ["Too many *runs* wait."]
    shows(at, bundled(WHO["who"]))


def test_a_server_that_trains_shorter_runs_alone_has_those_of_the_record(monkeypatch):
    for part in (who, model):
        monkeypatch.setattr(part, "TRAINS", False)
    at = visit("next_word", gpt_seed="5", gpt="rope-2")
    assert len(at.selectbox(key="gpt").options) == len(WHO)
    assert not at.button
    assert not at.number_input
    shows(at, bundled(WHO["who"]))


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_model_of_this_machine_says_the_next_word(kind, models_folder):
    on_shelf(kind, models_folder / "own/model", "the cat sat", with_head=True)
    real = AutoModelForCausalLM.from_pretrained(models_folder / "own/model").eval()
    texts = ["the cat sat on the mat", "on the mat the cat sat"]
    ids = [torch.tensor([ids_of(kind, text)]) for text in texts]
    for change in ("on", "off"):
        how = {"gpt": "own/model", "placed": change, "asked": change}
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


def test_a_small_gpt_reads_and_says_which_words_it_knows():
    at = visit("next_word", **OWN)
    assert not at.exception
    assert messages(at) == []
    expected = forward(bundled(WHO["who"]), A).next_word
    assert chances(at)[0]["dog"] == pytest.approx(expected.max(), rel=1e-5)
    assert outcome(at).startswith("The likeliest token is dog after A and man after B.")
    known = plain(next(each.value for each in at.caption if "Words that small GPT knows" in each.value))
    assert all(word in known for word in ("bird", "bitten", "woman", "who"))


def test_words_of_the_little_language_are_typed_freely():
    run, texts = bundled(WHO["who"]), ("fox sees girl , who is seen ?", "who bites dog")
    at = visit("next_word", small_a=texts[0], small_b=texts[1], **OWN)
    for text, found in zip(texts, chances(at), strict=True):
        expected = forward(run, text).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)
    at.text_input(key="small_b").set_value("dog bites zebra").run()
    assert not at.exception
    assert any("zebra" in each for each in messages(at))
    assert at.text_input(key="small_b").value == "dog bites zebra"
    assert any("It holds" in each and "woman" in each for each in messages(at))


@pytest.mark.parametrize(
    ("settings", "texts"),
    [
        (TrainingSettings(steps=3, seed=5), ["the dog bites the man", "the man bites the dog"]),
        (TrainingSettings(steps=3, text="b a c d . d c b a ? " * 20), None),
    ],
)
def test_a_run_that_a_visitor_has_trained_is_a_model(settings, texts, monkeypatch):
    *_, run = follow(settings)
    monkeypatch.setitem(queue.runs._finished, settings, run)
    name = name_of(settings)
    assert name not in visit("next_word", **OWN).selectbox(key="gpt").options  # another visitor has not trained it
    assert name not in visit("next_word", gpt=name).selectbox(key="gpt").options  # it has not learned the questions
    at = visit("next_word", gpt=name, **OWN)
    typed = [at.text_input(key=f"run_{each}").value for each in "ab"]
    assert typed == texts or (texts is None and typed[0].split() == typed[1].split()[::-1])
    assert messages(at) == []
    assert "optimizer.step()" in programs(at)[0]
    for text, found in zip(typed, chances(at), strict=True):
        expected = forward(run, text).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], abs=1e-6)


@pytest.mark.parametrize("gpt", ["learned", "rope"])
@pytest.mark.parametrize(
    ("query", "placement"),
    [
        ({"placed": "off"}, Placement(scale=0.0)),
        ({"placed": "swapped"}, Placement(exchanged=(0, 2))),
        ({"placed": "swapped", "way": "0.4"}, Placement(exchanged=(0, 2), share=0.4)),
        ({"placed": "swapped", "swap": "1", "swap_with": "6"}, Placement(exchanged=(1, 6))),
    ],
)
def test_own_sentences_change_their_positions_too(gpt, query, placement):
    run = bundled(WHO[MODELS[gpt]])
    at = visit("next_word", gpt=gpt, asked=query["placed"], **query, **OWN)
    assert not at.exception
    for text, found in zip((A, B), chances(at), strict=True):
        expected = forward(run, text, placement).next_word
        for word in [*found][:-1]:
            assert found[word] == pytest.approx(expected[run.vocabulary.index(word)], rel=1e-5, abs=1e-6)


@pytest.mark.parametrize(("change", "is_said"), [("on", False), ("off", True), ("swapped", False)])
def test_what_the_mask_lets_in_is_said_once_own_sentences_have_no_positions(change, is_said):
    said = "The causal mask still lets order in, since a token sees only itself and those before it."
    assert (said in outcome(visit("next_word", placed=change, asked=change, **OWN))) == is_said
    assert said not in outcome(visit("next_word", placed=change, **OWN))  # while a guess is asked


@pytest.mark.parametrize("how", [{"placed": "exchanged"}, {"placed": "swapped"} | OWN])
def test_the_answer_changes_sides_on_the_slider_s_way(how):
    sides = []
    for way in ("0.0", "0.25", "0.75", "1.0"):
        a, b = chances(visit("next_word", way=way, asked=how["placed"], **how))
        sides.append((a["dog"] > a["man"], b["dog"] > b["man"]))
    assert sides == [(True, False), (True, False), (False, True), (False, True)]


@pytest.mark.parametrize("gpt", ["none", "none-2"])
def test_a_small_gpt_without_positions_reads_own_sentences_and_has_none_to_change(gpt):
    at = visit("next_word", gpt=gpt, placed="off", **OWN)
    shows(at, bundled(WHO[MODELS[gpt]]))
    assert at.segmented_control(key="placed").options == ["As trained"]
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
    shows(at, bundled(WHO["who"]))


def test_the_program_of_own_sentences_is_that_of_the_change():
    (program,) = programs(visit("next_word", placed="swapped", asked="swapped", way="0.25", **OWN))
    compile(program, "program", "exec")
    assert "0.75 * places[[0, 2]] + 0.25 * places[[2, 0]]" in program


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
    bring.bring(bring.parcel("own/model"), lambda *_progress: None)  # AppTest cannot press with a value of one's own
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
