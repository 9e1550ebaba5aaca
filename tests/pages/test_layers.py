"""The page "Layers", run without a browser: a tiny BERT stands for a real model, and a small GPT lies in the data."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import embedviz as ev
from embedviz.layers.copies import alike
from embedviz.layers.probe import minilm
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, WHO, bundled
from embedviz.training.placement import Placement
from embedviz.training.probe import probe
from embedviz.ui.components.plot import plot
from embedviz.ui.inputs.reading import Both, Reader
from pages.layers.copies import _pick as pick_layer
from pages.layers.words import about_copies
from tests.models.shelf import on_shelf
from tests.pages.site import messages, programs, shown
from tests.pages.site import visit as open_page

NAME = "own/model"
A, B = "the cat sat on the mat", "on the mat the cat sat"
QUESTIONS = ("dog bites man , who bites ?", "man bites dog , who bites ?")


def visit(**query):
    at = open_page("layers", **query)
    assert not at.exception
    return at


@pytest.fixture
def real(models_folder):
    """A tiny model of some kind lies on this machine."""

    def put(kind: str = "bert", **more: object) -> str:
        on_shelf(kind, models_folder / NAME, A, **more)
        return NAME

    return put


def lines(at, key="copies"):
    return {trace["name"]: trace["y"] for trace in shown(at, key)["data"]}


def titles(at, key="about_copies"):
    return [card["title"] for card in shown(at, key)["cards"]]


def alike_in(at) -> str:
    """How alike A and B are, as the first card says."""
    return re.match("Likeness: A and B ([^,]*)", titles(at)[0])[1]


def told(at, key="about_copies"):
    return [card["text"] for card in shown(at, key)["cards"]]


def test_it_opens_before_the_event_and_the_switch_makes_the_lines_part(real):
    at = visit(reader=real(), a=A, b=B)
    assert messages(at) == []
    assert alike_in(at) == "1.000"
    (name,) = lines(at)
    assert name.startswith("all ")
    np.testing.assert_allclose(lines(at)[name], 1, atol=1e-5)
    at.segmented_control(key="change").set_value("trained").run()
    found = alike(*(ev.forward(text, ev.Spec(source=NAME)) for text in (A, B)))
    drawn = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(drawn[:-1], found.cosines[:10], atol=1e-6)
    np.testing.assert_allclose(drawn[-1], 1, atol=1e-5)
    assert alike_in(at) == f"{found.sentences:.3f}"


@pytest.mark.parametrize("change", ["off", "trained", "shifted", "swapped"])
def test_each_button_is_one_change_of_the_positions(real, change):
    at = visit(reader=real(), a="the cat sat", b="sat cat the", change=change, measure="distance", n="5")
    ids = [ev.tokenize(text, NAME).ids for text in ("the cat sat", "sat cat the")]
    swap = [k for k in range(len(ids[0])) if ids[0][k] != ids[1][k]]
    swapped = [*range(len(ids[0]))]
    swapped[swap[0]], swapped[swap[-1]] = swap[-1], swap[0]
    given = {
        "off": {"position": "none"}, "trained": {}, "shifted": {"positions": range(5, 5 + len(swapped))},
        "swapped": {"positions": swapped},
    }  # fmt: skip
    of_b = "trained" if change == "swapped" else change
    found = alike(*(
        ev.forward(text, ev.Spec(source=NAME, position=of.pop("position", "learned")), **of)
        for text, of in (("the cat sat", {**given[change]}), ("sat cat the", {**given[of_b]}))
    ))  # fmt: skip
    drawn = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(drawn[0], found.distances[0], atol=1e-5)
    assert alike_in(at) == f"{found.sentences:.3f}"


def test_exchanging_what_tells_a_from_b_makes_them_one_sentence_to_an_encoder(real):
    at = visit(reader=real(), a="the cat sat", b="sat cat the", change="swapped")
    assert alike_in(at) == "1.000"
    assert "Now A is B to the model." in shown(at, "about_copies")["cards"][1]["text"]


def test_without_a_real_model_the_page_says_how_to_get_one_and_a_small_gpt_reads():
    at = visit(change="trained")
    assert messages(at) == [
        "No real model is on this machine. The command `make minilm` brings a small one, MiniLM (91 MB), and the "
        "settings bring others."
    ]
    run = bundled(WHO["who"])
    found = alike(*(next_word.forward(run, text) for text in QUESTIONS))
    assert alike_in(at) == f"{found.sentences:.3f}"
    drawn = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(drawn[:-1], found.cosines, atol=1e-6)


def test_with_rope_copies_are_the_same_at_the_input_and_part_after_layer_1():
    at = visit(reader="small-gpt-rope", change="trained")
    assert "The same at the input, apart after layer 1" in titles(at)
    drawn = np.array([trace["y"] for trace in shown(at, "copies")["data"]])[:-1]
    np.testing.assert_allclose(drawn[:, 0], 1, atol=1e-6)
    assert drawn[:, 1].min() < 0.9


def test_a_causal_model_still_hears_order_with_positions_off():
    card = shown(visit(reader="small-gpt", change="off"), "about_copies")["cards"][1]
    assert "The causal mask still lets order in, since a token sees only itself and those before it." in card["text"]
    run = bundled(WHO["who"])
    off = alike(*(next_word.forward(run, text, Placement(scale=0.0)) for text in QUESTIONS))
    assert off.cosines[:, -1].min() < 0.99


def test_an_encoder_without_positions_has_no_mask_of_which_it_is_told(real):
    said = told(visit(reader=real(), a=A, b=B, change="off"))[1]
    assert "Nothing is added for positions." in said
    assert "mask" not in said
    assert "RoPE turns nothing." in told(visit(reader="small-gpt-rope", change="off"))[1]


UNRELATED = "the stock market fell today"


@pytest.mark.parametrize("change", ["off", "trained"])
@pytest.mark.parametrize(("a", "other"), [(A, UNRELATED), (UNRELATED, "we swim in cold water every morning")])
def test_an_unrelated_sentence_is_the_yardstick_of_two_sentences(real, change, a, other):
    at = visit(reader=real(), a=a, b=B, change=change)
    spec = ev.Spec(source=NAME, position="none" if change == "off" else "learned")
    ends = [ev.forward(text, spec).hidden_states[-1].mean(axis=0) for text in (a, B, other)]
    to_a, to_b = (f"{end @ ends[2] / np.linalg.norm(end) / np.linalg.norm(ends[2]):.2f}" for end in ends[:2])
    said = to_a if to_a == to_b else f"{to_a} to A, {to_b} to B"
    assert titles(at)[0].endswith(f", an unrelated sentence {said}")
    assert f"The unrelated one is “\u2068{other}\u2069”." in told(at)[0]


def test_a_small_gpt_reads_words_of_its_own_that_a_and_b_lack():
    at = visit(reader="small-gpt", change="trained")
    [words] = re.findall("“\u2068(.*)\u2069”", told(at)[0])
    run = bundled(WHO["who"])
    assert {*words.split()} <= {*run.vocabulary} - {*" ".join(QUESTIONS).split()}
    ends = [next_word.forward(run, text).hidden_states[-1].mean(axis=0) for text in (*QUESTIONS, words)]
    to_a, to_b = (f"{end @ ends[2] / np.linalg.norm(end) / np.linalg.norm(ends[2]):.2f}" for end in ends[:2])
    assert titles(at)[0].endswith(f", an unrelated sentence {to_a} to A, {to_b} to B")


def test_where_a_and_b_have_all_words_of_a_model_there_is_no_unrelated_sentence():
    known = [word for word in bundled(WHO["who"]).vocabulary if word.isalpha()]
    assert Reader("small-gpt").unrelated([" ".join(known[:9]), " ".join(known[9:])]) == ""
    read = next_word.forward(bundled(WHO["who"]), "dog")
    both = Both(read, read, ("trained", "trained"), 0, (0, 0))
    card, *_others = about_copies(Reader("small-gpt"), both, alike(read, read), None, 0)
    assert card.title == "Likeness: A and B 1.000"
    assert "cannot tell" not in card.text


@pytest.mark.parametrize(
    ("sentences", "unrelated", "said"),
    [
        (1.0, (0.33, 0.33), "It cannot tell A and B apart"),
        (1.0, (1.0, 1.0), "it can tell nothing apart"),
        (1.0, (0.95, 0.2), None),
        (0.97, (0.1, 0.2), "A search by embeddings of this model that looks for"),
        (0.97, (0.1, 0.95), None),
        (0.8, (0.1, 0.2), None),
    ],
)
def test_what_follows_is_said_beside_the_unrelated_sentence_alone(real, sentences, unrelated, said):
    read = ev.forward(A, ev.Spec(source=real()))
    both = Both(read, read, ("trained", "trained"), 0, (0, 0))
    likeness = replace(alike(read, read, read), sentences=sentences, unrelated=unrelated)
    text = about_copies(Reader(NAME), both, likeness, read, 0)[0].text
    ends = ("tell", "A search")
    assert (said in text) if said else not any(end in text for end in ends)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"small_a": "the zebra bites"}, "zebra"),
        ({"small_a": "  "}, "Write two sentences, for the model to read both."),
        ({"small_a": "dog " * 65}, "65 tokens are too many to draw. Take at most 64."),
        ({"small_a": "dog " * 11}, "Shorten the text."),
        ({"change": "shifted", "n": "0"}, "All + n: by how many places: 0 is out of range. Take 1 to 1,000"),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    assert any(message in each for each in messages(visit(reader="small-gpt", **query)))


@pytest.mark.parametrize(
    "query",
    [
        {"reader": "no/model", "change": "maybe", "measure": "1", "n": "inf"},
        {"view": "heads", "layer": "0", "layer_head": "x", "seen": "?", "place": "9"},
        {"view": "memory", "given": "maybe"},
        {"small_a": "<script>alert(1)</script> **x**", "small_b": "\x00 \u202e 🐈"},
    ],
)
def test_hostile_addresses_are_no_error(query):
    visit(**query)


@pytest.mark.parametrize("at_layer", [0, 1])
def test_the_strips_are_the_vectors_of_the_copies_after_the_picked_layer(real, at_layer):
    at = visit(reader=real(), a=A, b=B, change="trained", at=str(at_layer))
    two = [ev.forward(text, ev.Spec(source=NAME)) for text in (A, B)]
    found, strips = alike(*two), shown(at, "layer_strips")
    rows = np.concatenate([each.hidden_states[at_layer, :, :32] for each in two])
    np.testing.assert_array_equal(np.array(strips["positions"]).reshape(rows.shape), rows)
    assert strips["still"] is True
    n = len(two[0].tokens)
    assert [(i, j - n) for i, j in (pair["places"] for pair in strips["pairs"])] == found.pairs
    np.testing.assert_allclose([pair["distance"] for pair in strips["pairs"]], found.distances[:, at_layer])
    assert strips["unrelated"][1] == pytest.approx(found.other_distances[at_layer])
    # At the input a token with the same position in both, such as [CLS], is the same.
    stay = [at_layer == 0 and i == j for i, j in found.pairs]
    assert [pair["same"] for pair in strips["pairs"]] == stay


def test_with_positions_off_each_pair_of_strips_is_identical_in_an_encoder(real):
    at = visit(reader=real(), a=A, b=B, at="1")
    assert all(pair["same"] for pair in shown(at, "layer_strips")["pairs"])


def test_with_rope_strips_are_identical_at_the_input_and_differ_after_layer_1():
    for layer, is_same in (("0", True), ("1", False)):
        at = visit(reader="small-gpt-rope", change="trained", at=layer)
        assert {pair["same"] for pair in shown(at, "layer_strips")["pairs"] if pair["places"][0] != 1} == {is_same}


def test_another_model_with_fewer_layers_is_no_error(real):
    at = visit(reader=real("gpt2", with_head=True, n_layer=5), a=A, b=B, at="5")
    assert shown(at, "layer_strips")["label"].startswith("After layer 5: pairs of copies, ")
    at.selectbox(key="reader").set_value("small-gpt").run()
    assert not at.exception
    assert shown(at, "layer_strips")["label"].startswith("After layer 1: pairs of copies, ")


def test_a_click_picks_the_layer(monkeypatch):
    """The callback, since AppTest cannot click a figure."""
    state = {}
    monkeypatch.setattr(plot.st, "session_state", state)
    for x, at in ((2, 2), (-1, 0), (9, 6)):
        pick_layer(SimpleNamespace(n_layers=6), 0, x, 0)
        assert state["at"] == at


def test_where_order_is_remembered_opens_without_positions_and_guessing_is_drawn():
    at = visit(view="memory")
    found, without = minilm(), probe(bundled(BUNDLED["no_positions"]))
    drawn = [trace["y"] for trace in shown(at, "memory")["data"]]
    for values, expected in zip(
        drawn, ([found.guess] * 7, found.off, [without.guess] * 2, without.errors), strict=True
    ):
        np.testing.assert_allclose(values, expected, atol=1e-6)
    at.toggle(key="given").set_value(True).run()
    drawn = [trace["y"] for trace in shown(at, "memory")["data"]]
    np.testing.assert_array_equal(drawn[2], found.errors)
    np.testing.assert_array_equal(drawn[5], probe(bundled(BUNDLED["default"])).errors)


def test_every_view_says_what_is_shown_and_brings_its_program():
    at = visit(change="trained")
    assert shown(at, "copies")["alt"].startswith("Lines of the cosine of each token and its copy")
    assert "torch.cosine_similarity" in programs(at)[0]


def test_a_model_with_rope_stands_beside_one_with_a_table():
    at = visit(reader="small-gpt", change="trained", beside="true")
    data = shown(at, "copies")["data"]
    drawn = {axis: np.array([trace["y"] for trace in data if trace["xaxis"] == axis])[:-1] for axis in ("x", "x2")}
    for axis, name in (("x", "who"), ("x2", "who_rope")):
        found = alike(*(next_word.forward(bundled(WHO[name]), text) for text in QUESTIONS))
        np.testing.assert_allclose(drawn[axis], found.cosines, atol=1e-6)
    assert drawn["x"][:, 0].min() < 0.9
    np.testing.assert_allclose(drawn["x2"][:, 0], 1, atol=1e-6)


@pytest.mark.parametrize("measure", ["cosine", "distance"])
def test_sentences_without_a_copy_have_no_line(measure):
    at = visit(reader="small-gpt", small_a="dog bites", small_b="man ,", change="trained", measure=measure)
    assert shown(at, "copies")["alt"] == "No line: no token of A has a copy in B."
    assert re.match(r"0\.|\u2212", alike_in(at))


@pytest.mark.parametrize(("a", "b"), [("dog bites", "man ,"), ("dog", "dog")])
def test_nothing_is_exchanged_where_there_is_no_copy_or_one_word(a, b):
    at = visit(reader="small-gpt", small_a=a, small_b=b, change="swapped")
    assert not any("Now A is B" in each for each in told(at))
    assert any(title.startswith("Exchanged") for title in titles(at)) == (a != b)


def test_only_as_many_lines_are_drawn_as_have_room_for_names(real):
    at = visit(reader=real(), a=f"{A} {A}", b=f"{B} {A}", change="trained")
    assert len(shown(at, "copies")["data"]) == 10 + 1
    assert any("The first 10 of 1" in each.value for each in at.caption)


def test_a_server_that_runs_no_models_says_so(configure):
    configure(forward_mib=0)
    assert messages(visit()) == [
        "This server runs no real models. On a machine of your own, `make run` brings one, MiniLM (91 MB)."
    ]


def test_a_model_whose_table_has_no_room_for_it_reads_no_unrelated_sentence(real):
    assert Reader(real("gpt2", with_head=True)).unrelated([A, B]) == ""  # 20 positions, and almost a token a letter
