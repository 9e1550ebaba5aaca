"""The view "turn" of the page "RoPE" with a model's own query and key, run as Streamlit runs it."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.layers.positions import turned_heads
from embedviz.positions.rope_pairs import clocks
from embedviz.training.bundled import BUNDLED, bundled
from tests.models.shelf import on_shelf
from tests.pages.site import findings, headlines, messages, shown
from tests.pages.site import visit as open_page
from tests.pages.test_rope_pairs import asides

NAME = "own/model"
ASKED = "the cat sat on the mat , who sat ?"


def visit(**query: str):
    at = open_page("rope", **query)
    assert not at.exception
    return at


def without_marks(text: str) -> str:
    """A text without the marks that keep the direction of its words."""
    return text.replace("\u2068", "").replace("\u2069", "").replace("\\", "")


def below(at) -> str:
    return without_marks(" ".join(each.value for each in at.caption))


def places(at) -> list[int]:
    return [at.slider(key=key).value for key in ("query_at", "key_at", "both_at")]


@pytest.fixture
def llama(models_folder):
    """A model with 32 pairs in each head lies on this machine."""
    sizes = {"hidden_size": 128, "num_attention_heads": 2, "num_key_value_heads": 1, "initializer_range": 0.2}
    on_shelf("llama", models_folder / NAME, "the cat", with_head=True, num_hidden_layers=2, **sizes)
    return NAME


def test_it_opens_on_the_query_of_the_question_and_the_key_of_the_answer():
    at = visit()
    assert places(at) == [9, 1, 30]
    heads = turned_heads(bundled(BUNDLED["rope"]), ASKED)
    found = clocks(9, 1, 30, heads.pair(*heads.strongest()))
    assert [without_marks(each) for each in headlines(at).values()] == [
        f"When “?” and “cat” both move by 30, the angles and the score of {found.score:.2f} stay"
    ]
    beside = asides(shown(at, "clocks"))
    assert len(beside) == 4
    for n, text in enumerate(beside):
        assert text.endswith(f"share {found.shares[n]:.3f}".replace("-", "−"))
    head = heads.strongest()[1]
    weight = ev.forward(ASKED, bundled(BUNDLED["rope"])).attentions[0][head, 9, 1]
    assert (
        f"small GPT with RoPE reads “{ASKED}”. In layer 1, head {head + 1}, these are the query of “?”, "
        f"which stands at position 9, and the key of “cat” at 1. There “?” gives “cat” a weight of {weight:.2f}."
    ) in below(at)


def test_the_score_where_they_stand_is_the_models_own():
    heads = turned_heads(bundled(BUNDLED["rope"]), ASKED)
    _layer, head, *_at = heads.strongest()
    title = next(card["title"] for card in findings(visit(both_at="0"), "about_turn") if "Score" in card["title"])
    own = [clocks(9, at, 0, heads.pair(0, head, 9, at)).score for at in range(10)]
    assert title == f"Score {own[1]:.4f}"
    weights = np.exp(own) / np.exp(own).sum()
    np.testing.assert_allclose(weights, ev.forward(ASKED, bundled(BUNDLED["rope"])).attentions[0][head, 9], atol=1e-5)


def test_the_visitors_sentences_are_read():
    at = visit(a="the dog sat on the mat", b="the mat sat on the dog")
    assert "reads “the dog sat on the mat , who sat ?”" in below(at)
    at = visit(a="an unknown word", b="the mat sat on the cat")
    assert any("reads" in each and "instead" in each for each in messages(at))
    assert f"reads “{ASKED}”" in below(at)


@pytest.mark.parametrize("head", range(1, 5))
def test_a_head_can_be_chosen(head):
    heads = turned_heads(bundled(BUNDLED["rope"]), ASKED)
    at = visit(layer="1", layer_head=str(head))
    _layer, _head, query_at, key_at = heads.strongest(0, head - 1)
    assert places(at)[:2] == [query_at, key_at]
    assert f"In layer 1, head {head}, these" in below(at)


def test_numbers_of_another_models_head_take_the_last_one():
    at = visit(layer="9", layer_head="9")
    assert not at.error
    assert "In layer 1, head 4, these" in below(at)


def test_a_real_model_comes_before_and_shows_its_longest_hands(llama):
    at = visit()
    assert at.selectbox(key="pair_of").value == llama
    assert at.selectbox(key="pair_of").options == [llama, "small GPT with RoPE", "Random numbers"]
    heads = turned_heads(llama, "the cat sat on the mat")
    found = clocks(*places(at), heads.pair(*heads.strongest()))
    lengths = np.linalg.norm(found.unmoved, axis=-1).prod(axis=-1)
    assert found.drawn == sorted(np.argsort(lengths)[-8:].tolist())
    assert [text.split("<br>")[0] for text in asides(shown(at, "clocks"))] == [f"<b>Pair {n}</b>" for n in found.drawn]
    share = f"{sum(float(found.shares[n]) for n in found.drawn):.3f}".replace("-", "−")
    assert f"Of 32 pairs the 8 with the longest hands are drawn, whose shares add up to {share}." in below(at)
    assert f"Score {found.score:.4f}".replace("-", "−") in [card["title"] for card in findings(at, "about_turn")]


def test_dimensions_that_are_never_turned_are_counted(models_folder):
    sizes = {"hidden_size": 64, "num_attention_heads": 2, "rotary_pct": 0.5, "max_position_embeddings": 60}
    on_shelf("gpt_neox", models_folder / NAME, "the cat", with_head=True, **sizes)
    at = visit()
    heads = turned_heads(NAME, "the cat sat on the mat")
    found = clocks(*places(at), heads.pair(*heads.strongest()))
    [score] = [card for card in findings(at, "about_turn") if card["title"].startswith("Score")]
    assert f"Dimensions that are never turned add {found.rest:.4f} to them.".replace("-", "−") in score["text"]
    assert float(found.shares.sum()) + found.rest == pytest.approx(found.score, abs=1e-4)


def test_a_model_whose_queries_cannot_be_read_is_not_offered(models_folder):
    on_shelf("falcon", models_folder / NAME, "the cat", with_head=True)
    at = visit()
    assert at.selectbox(key="pair_of").options == ["small GPT with RoPE", "Random numbers"]


def test_in_a_hall_both_stay_until_the_key_is_pressed():
    assert places(visit(present="1")) == [9, 1, 0]
