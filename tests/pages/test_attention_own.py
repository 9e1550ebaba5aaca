"""The view "order" of the page "Attention" with a model's own first layer, run as Streamlit runs it."""

import numpy as np
import pytest

from embedviz.attention.two_sentences import Attended, cases_of_model
from embedviz.layers.positions import first_layer
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors.comparison import compare
from embedviz.vectors.embedding import embed_tokens, tokenize_for
from embedviz.vectors.spec import Spec
from tests.models.shelf import on_shelf
from tests.pages.site import headlines, messages
from tests.pages.site import visit as open_page
from tests.pages.test_attention import captions, drawn, titles

NAME = "own/model"
A, B = "the cat sat on the mat", "the mat sat on the cat"


def visit(**query: str):
    at = open_page("attention", **query)
    assert not at.exception
    assert not at.error
    return at


def assert_draws(at, name: str, case: Attended) -> None:
    """A matrix shows the distances of tokens that share an ID."""
    np.testing.assert_allclose(drawn(at, name), np.where(case.shared, case.distances, np.nan), atol=1e-5)


@pytest.fixture
def gpt2(models_folder):
    """A whole GPT-2 of small size lies on this machine."""
    on_shelf("gpt2", models_folder / NAME, A, with_head=True, n_embd=64, n_head=4)
    return NAME


@pytest.mark.parametrize("name", ["small-gpt", "small-gpt-rope", "small-gpt-none"])
def test_the_first_layer_of_a_small_gpt_is_drawn(name):
    at = visit(layer_of=name)
    run = bundled(BUNDLED[{"small-gpt": "learned"}.get(name, name.rpartition("-")[2])])
    ids = [[run.vocabulary.index(word) for word in text.split()] for text in (A, B)]
    spec = Spec(tokenizer="words", vocabulary=tuple(run.vocabulary), position="none")
    comparison = compare(*(embed_tokens(tokenize_for(text, spec), spec) for text in (A, B)))
    cases = cases_of_model(comparison, *first_layer(run, *ids), True)
    for case in ("plain", "chosen", "masked"):
        assert_draws(at, case, getattr(cases, case))
    assert titles(at)[0] == "No positions, no mask: 6 of 6 outputs the same"
    scheme = {"small-gpt": "Learned", "small-gpt-rope": "RoPE", "small-gpt-none": "No positions"}[name]
    assert titles(at)[1].startswith(f"{scheme}, causal mask: ")
    assert any("own queries, keys and values" in each for each in captions(at))


def test_the_mask_of_a_model_can_be_taken_off():
    at = visit(layer_of="small-gpt", causal="false")
    assert titles(at)[1].startswith("Learned, no mask: ")
    assert not at.toggle(key="causal").value


def test_a_model_of_this_machine_comes_before_random_numbers(gpt2):
    at = visit()
    field = at.selectbox(key="layer_of")
    assert field.value == gpt2
    assert field.options[:2] == [gpt2, "Random numbers"]
    spec = Spec(source=gpt2)
    comparison = compare(*(embed_tokens(tokenize_for(text, spec), spec) for text in (A, B)))
    a, b = comparison.ids
    cases = cases_of_model(comparison, *first_layer(gpt2, a, b), True)
    assert_draws(at, "chosen", cases.chosen)
    assert [*headlines(at).values()] == ["Without positions or a mask, attention cannot tell the orders apart"]


def test_without_one_random_numbers_are_first_and_have_their_settings():
    at = visit()
    assert at.selectbox(key="layer_of").value == "random"
    assert not at.toggle(key="causal").value
    assert at.number_input(key="n_heads").value == 4
    assert not [each for each in visit(layer_of="small-gpt").number_input if each.key == "n_heads"]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("an unknown word", B, "instead"),
        ("the " * 30, B, "the first 11 are used"),
        ("", B, "Sentence A is empty"),
        ("cat", "dog", "No token of A has the ID"),
    ],
)
def test_what_a_small_gpt_cannot_read_is_said(a, b, said):
    at = visit(layer_of="small-gpt", a=a, b=b)
    assert any(said in each for each in messages(at))


@pytest.mark.parametrize("query", [{"n_heads": "8"}, {"position": "shaw"}, {"source": "trained"}], ids=str)
def test_an_address_of_a_random_layer_still_leads_to_one(gpt2, query):
    assert visit(**query).selectbox(key="layer_of").value == "random"


def test_a_first_layer_without_positions_is_called_so(models_folder):
    sizes = {"num_hidden_layers": 2, "num_key_value_heads": 1, "no_rope_layers": [0, 1]}
    on_shelf("smollm3", models_folder / NAME, A, with_head=True, **sizes)
    assert titles(visit())[1].startswith("No positions, causal mask: ")


def test_a_model_wider_than_the_server_shows_is_not_offered(gpt2, monkeypatch):
    monkeypatch.setattr("pages.attention.order.MAX_OUTPUT_DIM", 32)
    assert gpt2 not in visit().selectbox(key="layer_of").options


def test_the_mask_of_a_random_layer_is_another_than_that_of_a_model():
    at = visit(layer_of="small-gpt")
    at.selectbox(key="layer_of").set_value("random").run()
    assert not at.toggle(key="causal").value
    assert titles(at)[1] == "Learned, no mask: 0 of 6 outputs the same"
