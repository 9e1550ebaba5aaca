"""The page "Layers", run without a browser: a tiny BERT stands for a real model, and a small GPT lies in the data."""

import re
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace

import numpy as np
import pytest

import embedviz as ev
from embedviz.layers.copies import CopySimilarity, copy_similarity
from embedviz.layers.probe import Pair, probes
from embedviz.layers.triples import Likeness, triples
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.placement import Placement
from embedviz.ui import View
from embedviz.ui.components.plot import plot
from embedviz.ui.inputs.model_fields import of_another_kind
from embedviz.ui.inputs.model_runs import RUNS, LanguageModel, PairOutput
from embedviz.vectors.probing import Errors, Probe
from pages.layers import meaning
from pages.layers.copies import COPIES, Asked, Copies, pick_layer
from pages.layers.meaning import MEANING, Meaning, about_meaning
from pages.layers.memory import about_memory
from pages.layers.words import about_copies, claim
from tests.models.shelf import on_shelf
from tests.pages.site import findings, messages, programs, shown
from tests.pages.site import visit as open_page

NAME = "own/model"
A, B = "the cat sat on the mat", "on the mat the cat sat"
QUESTIONS = ("the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?")


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


def copies(a: str = QUESTIONS[0], b: str = QUESTIONS[1], *, model: str = "small-gpt", **asked: object) -> Copies:
    """What the view "copies" makes of these two sentences."""
    usual = {"beside": None, "change": "on", "shift": 0, "layer": 1, "measure": "cosine"}
    return COPIES.compute(Asked(model=LanguageModel(model), texts=[a, b], **usual | asked))


def heard(*, is_on: bool = True, picked: int = 0) -> Meaning:
    """What the view "meaning" makes of all triples in the model of this machine."""
    return MEANING.compute(meaning.Asked(LanguageModel(NAME), is_on, picked))


def view_of(result: Copies | Meaning) -> View:
    return COPIES if isinstance(result, Copies) else MEANING


def drawn(result: Copies | Meaning) -> list[dict]:
    """The traces of the first picture."""
    return view_of(result).pictures(result)[0].draw.args[0].data


def alternative(result: Copies) -> str:
    return COPIES.pictures(result)[0].draw.keywords["alt"]


def titles(result: Copies | Meaning) -> list[str]:
    return [card.title for card in view_of(result).findings(result)]


def told(result: Copies | Meaning) -> list[str]:
    return [card.text for card in view_of(result).findings(result)]


def alike_in(result: Copies) -> str:
    """How alike A and B are, as the first card says."""
    return re.match("Likeness: A and B ([^,]*)", titles(result)[0])[1]


def titles_on(at, key: str = "about_copies") -> list[str]:
    return [card["title"] for card in findings(at, key)]


def alike_on(at) -> str:
    [said] = [title for title in titles_on(at) if title.startswith("Likeness: ")]
    return re.match("Likeness: A and B ([^,]*)", said)[1]


def test_it_opens_before_the_event_in_a_hall_and_a_reader_sees_both(real):
    hall = visit(reader=real(), a=A, b=B, present="1")
    assert hall.segmented_control(key="positions").value == "off"
    assert len(lines(hall)) == 1
    at = visit(reader=NAME, a=A, b=B)
    assert at.segmented_control(key="positions").value == "on"
    at.segmented_control(key="positions").set_value("off").run()
    assert messages(at) == []
    assert titles_on(at)[0] == "Without positions, each token is the same in both orders after every layer"
    assert alike_on(at) == "1.000"
    (name,) = lines(at)
    assert name.startswith("all ")
    np.testing.assert_allclose(lines(at)[name], 1, atol=1e-5)
    at.segmented_control(key="positions").set_value("on").run()
    found = copy_similarity(*(ev.forward(text, ev.Spec(source=NAME)) for text in (A, B)))
    values = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(values[:-1], found.cosines[:10], atol=1e-6)
    np.testing.assert_allclose(values[-1], 1, atol=1e-5)
    assert alike_on(at) == f"{found.sentences:.3f}"
    low = f"{min(map(min, found.cosines)):.3f}"
    assert titles_on(at)[0] == f"With positions, tokens part from their copies, down to a cosine of {low}"
    at.segmented_control(key="measure").set_value("distance").run()
    far = f"{max(map(max, found.distances)):.3f}"
    assert titles_on(at)[0] == f"With positions, tokens part from their copies, up to a distance of {far}"


@pytest.mark.parametrize("change", ["off", "trained", "shifted", "swapped"])
def test_each_button_is_one_change_of_the_positions(real, change):
    result = copies("the cat sat", "sat cat the", model=real(), change=change, measure="distance", shift=5)
    ids = [ev.tokenize(text, NAME).ids for text in ("the cat sat", "sat cat the")]
    swap = [k for k in range(len(ids[0])) if ids[0][k] != ids[1][k]]
    swapped = [*range(len(ids[0]))]
    swapped[swap[0]], swapped[swap[-1]] = swap[-1], swap[0]
    given = {
        "off": {"position": "none"}, "trained": {}, "shifted": {"positions": range(5, 5 + len(swapped))},
        "swapped": {"positions": swapped},
    }  # fmt: skip
    of_b = "trained" if change == "swapped" else change
    found = copy_similarity(*(
        ev.forward(text, ev.Spec(source=NAME, position=of.pop("position", "learned")), **of)
        for text, of in (("the cat sat", {**given[change]}), ("sat cat the", {**given[of_b]}))
    ))  # fmt: skip
    np.testing.assert_allclose(drawn(result)[0]["y"], found.distances[0], atol=1e-5)
    assert alike_in(result) == f"{found.sentences:.3f}"


def test_exchanging_what_tells_a_from_b_makes_them_one_sentence_to_an_encoder(real):
    result = copies("the cat sat", "sat cat the", model=real(), change="swapped")
    assert alike_in(result) == "1.000"
    assert "Now A is B to the model." in told(result)[1]


def test_without_a_real_model_the_page_says_how_to_get_one_and_a_small_gpt_reads():
    at = visit(positions="on")
    assert messages(at) == [
        "No real model is on this machine. The command `make minilm` brings a small one, MiniLM (91 MB), and the "
        "settings bring others."
    ]
    run = bundled(BUNDLED["learned"])
    found = copy_similarity(*(next_word.forward(run, text) for text in QUESTIONS))
    assert alike_on(at) == f"{found.sentences:.3f}"
    values = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(values[:-1], found.cosines, atol=1e-6)


def test_with_rope_copies_are_the_same_at_the_input_and_part_after_layer_1():
    result = copies(model="small-gpt-rope")
    assert "The same at the input, apart after layer 1" in titles(result)
    values = np.array([trace["y"] for trace in drawn(result)])[:-1]
    np.testing.assert_allclose(values[:, 0], 1, atol=1e-6)
    assert values[:, 1].min() < 0.9


def test_a_causal_model_still_hears_order_with_positions_off():
    text = told(copies(change="off"))[1]
    assert "The causal mask still lets order in, since a token sees only itself and those before it." in text
    run = bundled(BUNDLED["learned"])
    off = copy_similarity(*(next_word.forward(run, text, Placement(scale=0.0)) for text in QUESTIONS))
    assert off.cosines[:, -1].min() < 0.99


def test_an_encoder_without_positions_has_no_mask_of_which_it_is_told(real):
    said = told(copies(A, B, model=real(), change="off"))[1]
    assert "Nothing is added for positions." in said
    assert "mask" not in said
    assert "RoPE turns nothing." in told(copies(model="small-gpt-rope", change="off"))[1]


UNRELATED = "the stock market fell today"


@pytest.mark.parametrize("change", ["off", "trained"])
@pytest.mark.parametrize(("a", "other"), [(A, UNRELATED), (UNRELATED, "we swim in cold water every morning")])
def test_an_unrelated_sentence_is_the_yardstick_of_two_sentences(real, change, a, other):
    result = copies(a, B, model=real(), change=change)
    spec = ev.Spec(source=NAME, position="none" if change == "off" else "learned")
    ends = [ev.forward(text, spec).hidden_states[-1].mean(axis=0) for text in (a, B, other)]
    to_a, to_b = (f"{end @ ends[2] / np.linalg.norm(end) / np.linalg.norm(ends[2]):.2f}" for end in ends[:2])
    said = to_a if to_a == to_b else f"{to_a} to A, {to_b} to B"
    assert titles(result)[0].endswith(f", an unrelated sentence {said}")
    assert f"The unrelated one is “\u2068{other}\u2069”." in told(result)[0]


def test_a_small_gpt_reads_words_of_its_own_that_a_and_b_lack():
    result = copies()
    [words] = re.findall("“\u2068(.*)\u2069”", told(result)[0])
    run = bundled(BUNDLED["learned"])
    assert {*words.split()} <= {*run.vocabulary} - {*" ".join(QUESTIONS).split()}
    ends = [next_word.forward(run, text).hidden_states[-1].mean(axis=0) for text in (*QUESTIONS, words)]
    to_a, to_b = (f"{end @ ends[2] / np.linalg.norm(end) / np.linalg.norm(ends[2]):.2f}" for end in ends[:2])
    assert titles(result)[0].endswith(f", an unrelated sentence {to_a} to A, {to_b} to B".replace("-", "−"))


def test_where_a_and_b_have_all_words_of_a_model_there_is_no_unrelated_sentence():
    known = [word for word in bundled(BUNDLED["learned"]).vocabulary if word.isalpha()]
    assert LanguageModel("small-gpt").unrelated([" ".join(known[:9]), " ".join(known[9:])]) == ""
    read = next_word.forward(bundled(BUNDLED["learned"]), "dog")
    both = PairOutput(read, read, ("on", "on"), 0, (0, 0))
    card, *_others = about_copies(LanguageModel("small-gpt"), both, copy_similarity(read, read), None, 0)
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
    both = PairOutput(read, read, ("on", "on"), 0, (0, 0))
    likeness = replace(copy_similarity(read, read, read), sentences=sentences, unrelated=unrelated)
    text = about_copies(LanguageModel(NAME), both, likeness, read, 0)[0].text
    ends = ("tell", "A search")
    assert (said in text) if said else not any(end in text for end in ends)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"a": "the zebra bites"}, "zebra"),
        ({"a": "  "}, "Write two sentences, for the model to read both."),
        ({"a": "dog " * 65}, "65 tokens are too many to draw. Take at most 64."),
        ({"a": "dog " * 12}, "Shorten the text."),
        ({"positions": "shifted", "n": "0"}, "by n places: 0 is out of range. Take 1 to 1,000"),
    ],
)
def test_a_mistake_gets_a_message(query, message):
    assert any(message in each for each in messages(visit(reader="small-gpt", **query)))


@pytest.mark.parametrize(
    "query",
    [
        {"reader": "no/model", "positions": "maybe", "measure": "1", "n": "inf"},
        {"view": "heads", "layer": "0", "layer_head": "x", "seen": "?", "place": "9"},
        {"view": "memory", "given": "maybe"},
        {"view": "meaning", "reader": "no/model", "triple": "<b>x</b>", "added": "maybe"},
        {"reader": "small-gpt", "a": "<script>alert(1)</script> **x**", "b": "\x00 \u202e 🐈"},
    ],
)
def test_hostile_addresses_are_no_error(query):
    visit(**query)


@pytest.mark.parametrize("at_layer", [0, 1])
def test_the_strips_are_the_vectors_of_the_copies_after_the_picked_layer(real, at_layer):
    at = visit(reader=real(), a=A, b=B, positions="on", at=str(at_layer))
    two = [ev.forward(text, ev.Spec(source=NAME)) for text in (A, B)]
    found, strips = copy_similarity(*two), shown(at, "layer_strips")
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
    at = visit(reader=real(), a=A, b=B, at="1", positions="off")
    assert all(pair["same"] for pair in shown(at, "layer_strips")["pairs"])


def test_with_rope_strips_are_identical_at_the_input_and_differ_after_layer_1():
    for layer, is_same in (("0", True), ("1", False)):
        at = visit(reader="small-gpt-rope", positions="on", at=layer)
        found = [pair["same"] for pair in shown(at, "layer_strips")["pairs"]]
        assert found == [True] + 9 * [is_same]  # the first token sees itself alone, and is the same in both


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


def test_where_order_is_remembered_without_positions_and_with_them_beside_guessing_and_the_fitted_part():
    assert visit(view="memory").segmented_control(key="positions").value == "on"
    at = visit(view="memory", positions="off")
    pairs = [probes()["minilm"]]
    for found, (on, off) in zip(panels(at), pairs, strict=True):
        assert list(found) == ["guessing", "straight line", "line fitted", "network", "network fitted"]
        same(found, off)
        assert on.line.tested.shape == off.line.tested.shape
    at.segmented_control(key="positions").set_value("on").run()
    for found, (on, _off) in zip(panels(at), pairs, strict=True):
        same(found, on)


def panels(at) -> list[dict[str, list[float]]]:
    """The lines of each panel by their names, without the number at their end, which is the last value."""
    found = {}
    for trace in shown(at, "memory")["data"]:
        name, _, end = trace["name"].rpartition(" ")
        assert end == f"{trace['y'][-1]:.1f}"
        found.setdefault(trace["xaxis"], {})[name] = trace["y"]
    return list(found.values())


def same(found: dict[str, list[float]], probe: Probe) -> None:
    places = np.arange(probe.length)
    np.testing.assert_allclose(found["guessing"], np.abs(places - places.mean()).mean(), atol=1e-6)
    names = ("straight line", "line fitted"), ("network", "network fitted")
    for (tested, fitted), errors in zip(names, (probe.line, probe.network), strict=True):
        np.testing.assert_allclose(found[tested], np.mean(errors.tested, axis=0), atol=1e-6)
        np.testing.assert_allclose(found[fitted], np.mean(errors.fitted, axis=0), atol=1e-6)


def read(line: list[float], network: list[float], fitted: list[float] | None = None) -> Probe:
    """A probe of texts of 32 tokens, for which guessing is wrong by 8 places; the networks have two seeds."""
    of_line = Errors(np.float32([fitted or line]), np.float32([line]))
    of_network = Errors(np.float32([network, network]), np.float32([np.add(network, 0.1), np.subtract(network, 0.1)]))
    return Probe(of_line, of_network, 32, 9600, 3200)


LAST = "After the last layer of MiniLM, "
HARDER = "The deeper in MiniLM, the harder the position is to read"
NOTHING = read([8.0, 8.1], [8.1, 8.0])


@pytest.mark.parametrize(
    ("on", "title"),
    [
        (read([0.6, 4.8], [0.1, 1.9]), HARDER),
        (read([0.6, 4.8], [0.1, 0.1]), f"{LAST}a network reads the position, a straight line no longer"),
        (read([3.9, 4.1], [0.1, 3.8]), HARDER),
        (read([0.6, 5.0, 4.8], [0.1, 0.2, 1.9]), f"{LAST}a network reads the position, a straight line no longer"),
        (read([0.6, 3.9], [0.1, 0.2]), f"{LAST}a straight line still reads the position"),
        (read([0.6, 4.8], [0.1, 4.1]), f"{LAST}neither a line nor a network reads the position well"),
        (read([7.9, 7.8], [7.7, 1.5]), f"{LAST}a network reads the position, and a straight line at no layer"),
    ],
)
def test_what_is_said_of_the_end_follows_from_line_and_network(on, title):
    card = about_memory(Pair(on, NOTHING), Pair(on, NOTHING), is_on=True)[0]
    assert card.title == title
    line, network = on.line.tested[0], on.network.tested.mean(axis=0)
    assert f"a straight line is wrong by {line[-1]:.1f} places, and at the input by {line[0]:.1f}." in card.text
    assert f"network is wrong by {network[-1]:.1f} after the last layer. Guessing is wrong by 8.0." in card.text


def test_a_line_that_is_right_about_what_it_was_fitted_on_is_not_said_to_be_too_straight():
    said = "Even on the part of the text that it was fitted on, the line is wrong by"
    for fitted, is_said in (([0.5, 4.4], True), ([0.5, 2.2], False)):
        pair = Pair(read([0.6, 4.8], [0.1, 1.9], fitted), NOTHING)
        text = about_memory(pair, pair, is_on=True)[0].text
        assert (f"{said} 4.4." in text) == is_said == (said in text)


def test_without_positions_it_is_said_whether_the_words_give_the_position_away():
    found = about_memory(Pair(NOTHING, NOTHING), Pair(NOTHING, NOTHING), is_on=False)
    assert found[0].title == "MiniLM without positions: no better than guessing"
    assert "wrong by 8.0 to 8.1 places, at the input and after every layer" in found[0].text
    assert found[0].text.endswith("So the words do not give the position away.")
    told = Pair(NOTHING, read([8.0, 8.0], [8.0, 7.0]))
    found = about_memory(told, told, is_on=False)
    assert found[0].title == "MiniLM without positions: better than guessing"
    assert "So the words" not in found[0].text


def test_what_the_mask_tells_is_said_in_numbers():
    told = Pair(NOTHING, read([8.0, 6.5], [8.0, 3.0]))
    *_others, card = about_memory(told, told, is_on=True)
    assert card.title == "A causal mask alone: a network is wrong by 3.0 places instead of 8.0"
    assert "wrong by 8.0 places at the input and by 6.5 after the last layer. Guessing is wrong by 8.0." in card.text
    assert "Only the mask can tell the position here" in card.text
    *_others, card = about_memory(told, Pair(NOTHING, NOTHING), is_on=True)
    assert "Only the mask" not in card.text


def test_below_the_lines_it_says_how_they_were_measured():
    at = visit(view="memory")
    (said,) = (each.value.replace("\\", "") for each in at.caption if "A probe reads" in each.value)
    minilm, gpt = (probes()[name].on for name in ("minilm", "gpt"))
    assert f"{minilm.n_fitted:,} and {minilm.n_tested:,} tokens" in said
    assert f"in windows of {minilm.length}." in said
    assert f"{gpt.n_fitted:,} and {gpt.n_tested:,} words, in windows of {gpt.length}." in said
    networks = [each.network.tested for name in ("minilm", "gpt") for each in probes()[name]]
    spread = max((each.max(axis=0) - each.min(axis=0)).max() for each in networks)
    assert f"the mean of {len(networks[0])} that began with other random numbers" in said
    assert f"differ by {spread:.2f} places at most" in said


@pytest.fixture
def reads_all(real):
    """A tiny model of some kind that has room for every sentence of the view "meaning"."""

    def put(kind: str = "bert", **more: object) -> str:
        room = {} if kind == "bloom" else {"n_positions" if kind == "gpt2" else "max_position_embeddings": 90}
        return real(kind, **room, **more)

    return put


def cosines(**spec):
    """By `forward`, a sentence at a time: with the same meaning, with another one, and with each other sentence."""

    def read(text):
        return ev.forward(text, ev.Spec(source=NAME, **spec)).sentence.astype(float)

    def cosine(a, b):
        return a @ b / np.sqrt((a @ a) * (b @ b))

    vectors = [[read(text) for text in triple.texts] for triple in triples()]
    same, other = (np.array([cosine(each[0], each[k]) for each in vectors]) for k in (1, 2))
    pairs = permutations([each[0] for each in vectors], 2)
    return same, other, np.array([cosine(a, b) for a, b in pairs])


def dots(traces) -> list[dict]:
    """The traces of dots, without the lines between them."""
    return [trace for trace in traces if trace["mode"] == "markers"]


def test_order_and_meaning_counts_where_another_meaning_is_nearer(reads_all):
    reads_all("gpt2", with_head=True)  # which knows each letter, so that no two orders are the same tokens
    same, other, apart = cosines()
    result = heard()
    for trace, values in zip(dots(drawn(result)), (same, other), strict=True):
        np.testing.assert_allclose(trace["x"], values, atol=1e-5)
    n = int((other > same).sum())
    title, *_others = titles(result)
    assert title == f"In {n} of {len(same)} sentences, another meaning is nearer than the same meaning"
    text = told(result)[0]
    means = [f"{values.mean():.3f}" for values in (same, other, apart)]
    assert re.findall(r"\d\.\d+", text) == means


def test_without_positions_all_orders_of_a_sentence_are_one_and_unrelated_ones_are_not(reads_all):
    reads_all()
    at = visit(view="meaning")
    at.segmented_control(key="positions").set_value("off").run()
    _same, _other, apart = cosines(position="none")
    values = [trace["x"] for trace in dots(shown(at, "meaning")["data"])]
    np.testing.assert_allclose(np.concatenate(values), 1, atol=1e-6)
    card = findings(at, "about_meaning")[0]
    assert card["title"] == "Without positions, all orders of a sentence are one to model"
    said = card["text"]
    assert f"{apart.mean():.3f} on average" in said
    assert said.endswith("So the model still tells other words apart.")


def test_a_causal_model_is_not_said_to_hear_no_order(reads_all):
    reads_all("gpt2", with_head=True)
    result = heard(is_on=False)
    assert titles(result)[0] == "Without positions"
    assert "Order still gets in, since a token sees only itself and those before it." in told(result)[0]


def test_a_model_that_takes_no_positions_has_no_switch(reads_all):
    reads_all("bloom", with_head=True)
    at = visit(view="meaning", positions="off")
    assert at.toggle == []
    assert titles_on(at, "about_meaning")[0].startswith("In ")


def test_a_picked_sentence_is_shown_with_both_orders(reads_all):
    reads_all()
    at = visit(view="meaning")
    at.selectbox(key="triple").set_value("the lion and the tiger chased the rabbit").run()
    (n,) = [n for n, each in enumerate(triples()) if each.same == "the tiger and the lion chased the rabbit"]
    same, other, _apart = cosines()
    card = shown(at, "about_meaning")["cards"][-1]
    assert card["title"] == "“the lion and the tiger chased the rabbit”"
    assert card["text"] == (
        f"“the tiger and the lion chased the rabbit” means the same: {same[n]:.3f}. "
        f"“the rabbit chased the lion and the tiger” means something else: {other[n]:.3f}."
    )
    colours = dots(shown(at, "meaning")["data"])[0]["marker"]["color"]
    assert [k for k, colour in enumerate(colours) if colour == "var(--ink)"] == [n]


def test_without_a_model_order_and_meaning_says_how_to_get_one():
    at = visit(view="meaning", reader="small-gpt")
    assert "The command `make minilm` brings a small one" in messages(at)[0]
    assert shown(at, "meaning") is None


def test_order_and_meaning_offers_no_small_gpt(reads_all):
    reads_all()
    at = visit(view="meaning", reader="small-gpt")
    assert at.selectbox(key="reader").options == ["own/model"]
    assert shown(at, "meaning")["alt"].startswith("Three rows of dots")
    assert "cosine_similarity" in programs(at)[0]


LIKE = np.array([0.9, 0.9, 0.9, 0.9], np.float32)
FARTHER = np.array([[1, 2], [1, 2], [2, 1], [1, 1]], np.float32)


@pytest.mark.parametrize(
    ("other", "n", "farther", "less"),
    [([0.8, 0.8, 0.8, 0.8], 0, 0, 0), ([0.95, 0.8, 0.95, 0.95], 3, 1, 1), ([0.95, 0.95, 0.8, 0.8], 2, 2, 0)],
)
def test_what_is_said_of_order_and_meaning_follows_from_the_numbers(other, n, farther, less):
    found = Likeness([], LIKE, np.array(other, np.float32), np.eye(4, dtype=np.float32), FARTHER)
    first, second = about_meaning(LanguageModel(NAME), found, is_on=True)
    assert first.title.startswith(f"In {n} of 4 sentences")
    assert ("hardly what it means" in first.text) == (np.mean(other) >= 0.9)
    assert second.title.endswith(f"nearer in {farther} of 2")
    assert f"moves them less, it is nearer in {less}." in second.text


@pytest.mark.parametrize("change", ["off", "trained", "shifted", "swapped"])
@pytest.mark.parametrize(("reader", "name"), [("small-gpt-none", "none"), ("small-gpt-none-2", "none_2_layers")])
def test_a_model_without_positions_is_drawn_as_it_is_and_has_none_to_change(reader, name, change):
    at = visit(reader=reader, positions=change)
    assert at.segmented_control(key="positions").options == ["Positions off"]
    found = copy_similarity(*(next_word.forward(bundled(BUNDLED[name]), text) for text in QUESTIONS))
    values = [trace["y"] for trace in shown(at, "copies")["data"]]
    np.testing.assert_allclose(values, found.cosines, atol=1e-6)  # and no line with positions off
    card = shown(at, "about_copies")["cards"][1]
    assert card["title"] == "No positions"
    assert card["text"] == (
        "This model has no positions that could change. Order still gets in, since a token sees only itself and those "
        "before it."
    )


@pytest.mark.parametrize("present", ["", "1"])
@pytest.mark.parametrize("beside", ["", "true"])
@pytest.mark.parametrize("reader", RUNS)
def test_each_small_gpt_is_drawn_after_each_change(reader, beside, present):
    for change in ("off", "trained", "shifted", "swapped"):
        for measure in ("cosine", "distance"):
            at = visit(reader=reader, positions=change, measure=measure, beside=beside, present=present)
            assert shown(at, "copies")
            assert all(each.startswith("No real model is on this machine.") for each in messages(at))


def test_every_view_says_what_is_shown_and_brings_its_program():
    at = visit(positions="on")
    assert shown(at, "copies")["alt"].startswith("Lines of the cosine of each token and its copy")
    assert "torch.cosine_similarity" in programs(at)[0]


def test_a_model_with_rope_stands_beside_one_with_a_table():
    data = drawn(copies(beside=of_another_kind(LanguageModel("small-gpt"))))
    values = {axis: np.array([trace["y"] for trace in data if trace["xaxis"] == axis])[:-1] for axis in ("x", "x2")}
    for axis, name in (("x", "learned"), ("x2", "rope")):
        found = copy_similarity(*(next_word.forward(bundled(BUNDLED[name]), text) for text in QUESTIONS))
        np.testing.assert_allclose(values[axis], found.cosines, atol=1e-6)
    assert values["x"][:, 0].min() < 0.9
    np.testing.assert_allclose(values["x2"][:, 0], 1, atol=1e-6)


@pytest.mark.parametrize("measure", ["cosine", "distance"])
def test_sentences_without_a_copy_have_no_line(measure):
    result = copies("dog bites", "man ,", measure=measure)
    assert alternative(result) == "No line: no token of A has a copy in B."
    assert re.match(r"0\.|\u2212", alike_in(result))


@pytest.mark.parametrize(("a", "b"), [("dog bites", "man ,"), ("dog", "dog")])
def test_nothing_is_exchanged_where_there_is_no_copy_or_one_word(a, b):
    result = copies(a, b, change="swapped")
    assert not any("Now A is B" in each for each in told(result))
    assert any(title.startswith("Exchanged") for title in titles(result)) == (a != b)


def test_only_as_many_lines_are_drawn_as_have_room_for_names(real):
    at = visit(reader=real(), a=f"{A} {A}", b=f"{B} {A}", positions="on")
    assert len(shown(at, "copies")["data"]) == 10 + 1
    assert any("The first 10 of 1" in each.value for each in at.caption)


def test_a_server_that_runs_no_models_says_so(configure):
    configure(forward_mib=0)
    assert messages(visit()) == [
        "This server runs no real models. On a machine of your own, `make run` brings one, MiniLM (91 MB)."
    ]


def test_a_model_whose_table_has_no_room_for_it_reads_no_unrelated_sentence(real):
    assert (
        LanguageModel(real("gpt2", with_head=True)).unrelated([A, B]) == ""
    )  # 20 positions, and almost a token a letter


@pytest.mark.parametrize(
    ("change", "begins"),
    [("on", "With positions, tokens part"), ("off", "Even without positions, tokens part"), ("swapped", "Tokens part")],
)
def test_the_headline_says_the_end_of_what_is_drawn(change, begins):
    cosines, distances = np.array([[1, 0.25]], np.float32), np.array([[0, 3.5]], np.float32)
    none = np.full(2, np.nan, np.float32)
    likeness = CopySimilarity([(0, 1)], cosines, distances, none, none, sentences=1.0)
    by_cosine, by_distance = (claim(likeness, change, measure).title for measure in ("cosine", "distance"))
    assert by_cosine.startswith(begins)
    assert by_cosine.endswith("0.250")
    assert by_distance == f"{begins} from their copies, up to a distance of 3.500"
