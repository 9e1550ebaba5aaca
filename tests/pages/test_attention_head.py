"""The view "A trained head" of the page "Attention", run without a browser."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.figures.figure import Figure
from embedviz.layers import heads as of_all
from embedviz.layers import model
from embedviz.layers.head_patterns import Picked, strongest_sink
from embedviz.text.tokens import Tokens
from embedviz.training import next_word
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.ui.components.plot import plot
from embedviz.ui.inputs.model_runs import RUNS, LanguageModel, PairOutput, read_pair
from embedviz.ui.inputs.options import OPTIONS
from embedviz.vectors.forward import Forward
from pages.attention.head import HEAD, Asked, TrainedHead, pick_head
from pages.attention.head_words import about_head
from tests.models.shelf import on_shelf
from tests.pages.site import findings, messages, shown
from tests.pages.site import visit as open_page

NAME = "own/model"
A, B = "the cat sat on the mat", "the mat sat on the cat"
QUESTIONS = (f"{A} , who sat ?", f"{B} , who sat ?")


def visit(**query):
    at = open_page("attention", **query)
    assert not at.exception
    return at


@pytest.fixture
def real(models_folder):
    """A tiny model lies on this machine."""
    on_shelf("bert", models_folder / NAME, A)
    return NAME


def read_by(model: str, picked: Picked | None = None, *, is_on: bool = False) -> TrainedHead:
    """The view without a page: the usual sentences in this model, with one of its heads."""
    reader = LanguageModel(model)
    texts = [*QUESTIONS] if reader.run else [A, B]
    heads = None if reader.run else of_all.heads(model)
    trained = read_pair(reader, texts, "trained")
    return HEAD.compute(Asked(reader, texts, trained, heads, is_on, picked or Picked(0, 0, "-1")))


def drawn(at) -> list[np.ndarray]:
    return [trace["z"] for trace in shown(at, "head")["data"]]


def framed(at) -> list[np.ndarray]:
    """The cells of each matrix that have a frame; none of the board."""
    found = [np.zeros(each.shape, bool) for each in drawn(at)]
    for shape in shown(at, "head")["layout"]["shapes"]:
        i, j = round(shape["y0"] + 0.44), round(shape["x0"] + 0.44)
        panel = int(shape["xref"][1:] or 1) - 1
        if panel or len(found) == 2:  # the first of three is the board
            found[panel][i, j] = True
    return found


def first_title(at) -> str:
    return findings(at, "about_head")[0]["title"]


def test_it_takes_the_model_that_is_there_and_positions_are_on_but_in_a_hall(real):
    assert visit(view="head", present="1").segmented_control(key="positions").value == "off"
    at = visit(view="head")
    assert at.segmented_control(key="positions").value == "on"
    at.segmented_control(key="positions").set_value("off").run()
    layer, head = np.unravel_index(of_all.heads(NAME).least[..., 2].argmax(), of_all.heads(NAME).least.shape[:2])
    for matrix, text in zip(drawn(at), (A, B), strict=True):
        off = ev.forward(text, ev.Spec(source=NAME, position="none"))
        assert np.array_equal(matrix, off.attentions[layer, head])
    at.segmented_control(key="positions").set_value("on").run()
    for matrix, text in zip(drawn(at), (A, B), strict=True):
        assert np.array_equal(matrix, ev.forward(text, ev.Spec(source=NAME)).attentions[layer, head])


def test_without_a_model_the_small_gpt_has_a_trained_head():
    at = visit(view="head", positions="on")
    assert any("MiniLM (91 MB)" in each for each in messages(at))
    read = [next_word.forward(bundled(BUNDLED["learned"]), text).attentions[0] for text in QUESTIONS]  # (H, T, T) each
    before = np.mean([np.diagonal(each, -1, 1, 2).mean(axis=-1) for each in read], axis=0)
    for matrix, all_heads in zip(drawn(at), read, strict=True):
        np.testing.assert_allclose(np.nan_to_num(matrix), all_heads[before.argmax()], atol=1e-6)
        assert np.array_equal(np.isnan(matrix), ~np.tri(10, dtype=bool))


@pytest.mark.parametrize("query", [{}, {"causal": "true"}, {"view": "order"}, {"view": "window"}], ids=str)
def test_it_opens_on_two_orders_and_loads_no_model(real, query, monkeypatch):
    """With a view that there is not, too."""
    monkeypatch.setattr(model, "library", lambda: pytest.fail("transformers is imported"))
    at = visit(**query)
    assert shown(at, "plain")
    assert shown(at, "head") is None


@pytest.mark.parametrize(
    "query",
    [
        *({"reader": NAME, "positions": on, "looks": looks} for on in ("on", "off") for looks in ("before", "own")),
        {"reader": NAME, "positions": "on", "looks": "own", "layer": "1", "layer_head": "1", "a": "mat cat"},
        *({"reader": "small-gpt-rope", "positions": on} for on in ("on", "off")),
    ],
)
def test_the_sentence_and_the_picture_say_the_same(real, query):
    at = visit(view="head", **query)
    both = list(zip(drawn(at), framed(at), strict=True))[-2:]
    cells = np.concatenate([matrix[where] for matrix, where in both])
    share = f"{cells.mean():.2f}"
    if query["positions"] == "off":
        assert first_title(at).startswith(f"Without positions, this head puts {share} of its weight on ")
    else:
        assert first_title(at).startswith(f"This head puts {share} of its weight on ")
        off = visit(view="head", **query | {"positions": "off"})
        without = [
            matrix[where] for matrix, where in zip(drawn(off)[-2:], [where for _matrix, where in both], strict=True)
        ]
        said = shown(at, "about_head")["cards"][0]["text"]
        assert f"Without positions it puts {np.concatenate(without).mean():.2f} there." in said
    assert f"{first_title(at)}." in shown(at, "head")["alt"]
    if query.get("looks", "before") == "before":
        assert all(np.array_equal(where, np.eye(len(where), k=-1, dtype=bool)) for where in framed(at))


@pytest.mark.parametrize("query", [{}, {"positions": "off"}])
def test_a_model_whose_positions_cannot_be_off_has_them_on(models_folder, query):
    on_shelf("bloom", models_folder / NAME, A, with_head=True)
    at = visit(view="head", reader=NAME, **query)
    assert len(at.segmented_control(key="positions").options) == 1
    assert first_title(at).startswith("This head puts ")
    assert messages(at) == []


@pytest.mark.parametrize("query", [{}, {"positions": "on"}, {"positions": "off"}])
@pytest.mark.parametrize(("reader", "name"), [("small-gpt-none", "none"), ("small-gpt-none-2", "none_2_layers")])
def test_a_model_without_positions_never_has_them_on(reader, name, query):
    at = visit(view="head", reader=reader, looks="own", layer="1", layer_head="2", **query)
    assert len(at.segmented_control(key="positions").options) == 1
    assert first_title(at).startswith("Without positions, this head puts ")
    _board, *both = drawn(at)
    for matrix, text in zip(both, QUESTIONS, strict=True):
        expected = next_word.forward(bundled(BUNDLED[name]), text).attentions[0, 1]
        np.testing.assert_allclose(np.nan_to_num(matrix), expected, atol=1e-6)


@pytest.mark.parametrize("present", ["", "1"])
@pytest.mark.parametrize("reader", RUNS)
def test_each_small_gpt_has_a_picture_of_each_look(reader, present):
    for on in ("true", "false"):
        for looks in OPTIONS["looks"]:
            at = visit(view="head", reader=reader, on=on, looks=looks, present=present)
            assert shown(at, "head")
            assert all(each.startswith("No real model is on this machine.") for each in messages(at))


def test_the_board_holds_all_heads_and_one_of_them_is_drawn_over_both_sentences(real):
    known, of_place = of_all.heads(NAME), {"layer": "1", "layer_head": "2", "place": "1"}
    at = visit(view="head", looks="own", positions="off", **of_place)
    np.testing.assert_array_equal(drawn(at)[0], known.weights["off"][..., 4])
    at = visit(view="head", looks="own", positions="on", **of_place)
    board, *of_both = drawn(at)
    agreed = [known.weights[run][..., 4] for run in ("text", "random", "shifted")]
    np.testing.assert_array_equal(board, np.min(agreed, axis=0))
    for text, matrix, where in zip((A, B), of_both, framed(at)[1:], strict=True):
        np.testing.assert_array_equal(matrix, ev.forward(text, ev.Spec(source=NAME)).attentions[0, 1])
        assert np.array_equal(where, np.eye(len(where), k=1, dtype=bool))
    assert "A board of " in shown(at, "head")["alt"]


def test_the_board_of_a_small_gpt_is_of_both_questions():
    result = read_by("small-gpt", Picked(0, 0, "first", of_all=True), is_on=True)
    board = HEAD.pictures(result)[0].draw.args[0].data[0]["z"]
    read = [next_word.forward(bundled(BUNDLED["learned"]), text).attentions[0] for text in QUESTIONS]  # (H, T, T) each
    np.testing.assert_allclose(board[0], np.mean([each[:, 1:, 0].mean(axis=1) for each in read], axis=0), rtol=1e-5)


def test_a_head_of_the_board_is_told_with_its_numbers(real):
    known, own = of_all.heads(NAME), Picked(0, 0, "-1", of_all=True)
    _now, picked, _all = HEAD.findings(read_by(NAME, own, is_on=True))
    for run in ("text", "random", "shifted", "off"):
        assert f"{known.weights[run][0, 0, 2]:.3f} " in picked.text
    _now, picked, of_both = HEAD.findings(read_by(NAME, own))
    assert f"{known.weights['off'][0, 0, 2]:.3f} with positions off" in picked.text
    assert "on a text" not in picked.text
    off, least = known.weights["off"], known.least
    n = sum(
        any(min(off[layer, head, place], least[layer, head, place]) > 0.5 for place in (2, 3, 4, 7))
        for layer, head in np.ndindex(*off.shape[:2])
    )
    assert of_both.title == f"{n} of {off.shape[0] * off.shape[1]} heads have a name"


def test_a_click_on_the_board_picks_the_head(monkeypatch):
    """The callback, since AppTest cannot click a figure."""
    state = {"plot_board": SimpleNamespace(picked=[0, 3, 2])}
    picked = []
    monkeypatch.setattr(plot, "PLOT", lambda _data, **given: given.get("on_picked_change", lambda: None)())
    monkeypatch.setattr(plot.st, "session_state", state)
    plot.show(Figure([], {}), key="board", alt="", height="", on_pick=lambda *at: picked.append(at))
    for wrong in (None, [0, 3], [0, 1.5, 2], ["0", 1, 2], 7, [True, 1, 2], [0, -1, 2]):
        state["plot_board"].picked = wrong
        plot.show(Figure([], {}), key="board", alt="", height="", on_pick=lambda *at: picked.append(at))
    assert picked == [(0, 3, 2)]
    pick_head((6, 12, 8), 0, 3, 2)
    assert (state["layer"], state["layer_head"]) == (2, 3)
    for wrong in ((1, 3, 2), (0, 13, 2), (0, 3, 0), (0, -1, 2)):
        pick_head((6, 12, 8), *wrong)
        assert (state["layer"], state["layer_head"]) == (2, 3)


def test_a_head_that_is_not_there_gets_a_message(real):
    assert any("Layer: 99 is out of range" in each for each in messages(visit(view="head", looks="own", layer="99")))


@pytest.mark.parametrize(
    "query",
    [
        {"reader": "no/model", "on": "maybe", "looks": "?"},
        {"looks": "sink"},
        {"looks": "own", "layer": "x", "layer_head": "0"},
        {"a": "<script>alert(1)</script> **x**", "b": "\x00 \u202e 🐈"},
        {"a": "dog", "b": "dog"},
        {"a": "", "b": ""},
    ],
)
def test_hostile_addresses_are_no_error(query):
    visit(view="head", **query)


def test_both_programs_belong_to_what_is_drawn(real):
    program = HEAD.program(read_by(NAME)).text
    assert 'get_submodule("embeddings.position_embeddings").register_forward_hook(' in program
    program = HEAD.program(read_by("small-gpt", is_on=True)).text
    assert "weights_b = run(words, places)" in program


def test_only_a_causal_model_is_told_of_its_mask_where_positions_are_off(real):
    for reader, n_cards in ((NAME, 1), ("small-gpt", 2)):
        cards = HEAD.findings(read_by(reader))
        assert len(cards) == n_cards
        assert ("The causal mask still lets order in" in cards[-1].text) == (n_cards == 2)


def both(heads: list[np.ndarray], *, special: bool, values: list[list[float]] | None = None) -> PairOutput:
    """A text of three tokens through one layer of heads with these weights, (3, 3), twice. values: their lengths."""
    spans = [(0, 0), (0, 1), (1, 1)] if special else [(0, 1), (1, 2), (2, 3)]
    tokens = Tokens("ab", "x", [1, 2, 3], ["[CLS]", "a", "[SEP]"], spans, [False] * 3, 9)
    lengths = None if values is None else np.array([values], np.float32)
    read = Forward(tokens, np.zeros((2, 3, 4), np.float32), np.array([heads], np.float32), value_lengths=lengths)
    return PairOutput(read, read, ("trained", "trained"), 0, (0, 1))


def leaning(column: int, weight: float) -> np.ndarray:
    found = np.full((3, 3), (1 - weight) / 2)
    found[:, column] = weight
    return found


def test_a_sink_is_told_with_its_numbers():
    read = both([leaning(0, 0.6), leaning(0, 0.9), leaning(1, 0.9)], special=True)
    sink = strongest_sink(read.attentions, read.a.tokens, is_causal=False)
    now, what = about_head(LanguageModel("small-gpt"), read, sink, None, is_on=True)
    assert now.title == "This head puts 0.90 of its weight on [CLS]"
    assert what.title == "[CLS] is the sink of 2 of 3 heads"
    assert "layer 1, head 2 does" in what.text


HEADS = [leaning(0, 0.6), leaning(0, 0.9), leaning(1, 0.9)]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (None, None),
        ([0.2, 4, 6], "What it hands on is small: in A, the value vector of \u2068[CLS]\u2069 has 4% of the length"),
        ([4, 5, 5], "In A, the value vector of \u2068[CLS]\u2069 has 80% of the length of the others’ (their median)."),
    ],
)
def test_how_long_the_value_vector_of_a_sink_is_is_said_of_its_head_where_it_is_known(values, said):
    read = both(HEADS, special=True, values=None if values is None else [[9, 1, 1], values, [9, 1, 1]])
    sink = strongest_sink(read.attentions, read.a.tokens, is_causal=False)
    text = about_head(LanguageModel("small-gpt"), read, sink, None, is_on=True)[1].text
    assert (said in text) if said else "value vector" not in text


def test_what_place_0_makes_is_said_if_the_word_there_becomes_a_sink():
    read = both(HEADS, special=True, values=[[9, 9, 9], [0.2, 4, 6], [9, 9, 9]])
    moved = both([leaning(1, 0.9)] * 3, special=True, values=[[9, 9, 9], [3, 0.1, 6], [9, 9, 9]]).a
    sink = strongest_sink(read.attentions, read.a.tokens, is_causal=False)
    about = partial(about_head, LanguageModel("small-gpt"), read, sink, None, is_on=True)
    card = about(moved=moved)[-1]
    assert card.title == "Place 0 makes the sink"
    assert (
        "3 heads have most of their weight on “\u2068a\u2069” instead of 1, and 0 on \u2068[CLS]\u2069 instead of 2."
        in card.text
    )
    assert "In layer 1, head 2, the value vector of “\u2068a\u2069” was 4.00 long, and is 0.10 there." in card.text
    assert all("Place 0" not in each.title for each in about(moved=read.a))


def test_a_causal_model_with_rope_has_its_own_turned_weights_and_its_sink(models_folder):
    """In each head the query is one vector for all tokens, and the key its opposite, so that far tokens count most.

    Pair 1 alone is not 0. It turns by 100^(-1/3) radians a position, and so the score is -A cos(100^(-1/3) (i - j)).
    """
    seen = on_shelf("llama", models_folder / NAME, A, with_head=True, attention_bias=True, rope_theta=100.0)
    size = 60.0
    with torch.no_grad():
        for layer in seen.model.model.layers:
            attention = layer.self_attn
            for part, sign in ((attention.q_proj, 1), (attention.k_proj, -1)):
                part.weight.zero_()
                part.bias.zero_()
                part.bias.view(-1, 6)[:, 1] = sign * size**0.5
    seen.model.save_pretrained(models_folder / NAME)
    at = visit(view="head", reader=NAME, looks="sink", positions="on")
    n = len(ev.forward(A, ev.Spec(source=NAME)).tokens)
    apart = np.subtract.outer(np.arange(n), np.arange(n))
    scores = -size / 6**0.5 * np.cos(100 ** (-1 / 3) * apart)
    weights = np.where(apart < 0, 0, np.exp(scores))
    weights /= weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(np.nan_to_num(drawn(at)[0]), weights, atol=1e-5)
    share = f"{np.concatenate([matrix[1:, 0] for matrix in drawn(at)]).mean():.2f}"
    assert first_title(at) == f"This head puts {share} of its weight on <s>"
    assert [card["title"] for card in findings(at, "about_head")][1] == "<s> is the sink of 4 of 4 heads"
    off = visit(view="head", reader=NAME, looks="sink", positions="off")
    np.testing.assert_allclose(np.nan_to_num(drawn(off)[0]), np.tri(n) / np.arange(1, n + 1)[:, None], atol=1e-6)
