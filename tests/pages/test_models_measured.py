"""The view "measured" of the page "Models": the layers of a model at hand, beside what its makers declare."""

from dataclasses import replace

import numpy as np
import pytest

import embedviz as ev
from embedviz.layers import model
from embedviz.training.bundled import BUNDLED, bundled
from pages.models import measured_words as words
from tests.models.shelf import on_shelf
from tests.pages.site import findings, headlines, shown
from tests.pages.site import visit as open_page

NAME = "own/model"


def visit(**query: str):
    at = open_page("models", view="measured", **query)
    assert not at.exception
    return at


def bars(at) -> list[list[float]]:
    return [trace["y"].tolist() for trace in shown(at, "tested")["data"] if trace["type"] == "bar"]


@pytest.fixture
def mixed(models_folder):
    """A model of four layers lies on this machine, two of which have no positions."""
    on_shelf("smollm3", models_folder / NAME, "the cat", with_head=True, num_hidden_layers=4,
             no_rope_layers=[1, 0, 1, 0])  # fmt: skip
    return NAME


@pytest.mark.parametrize(
    ("reader", "run", "claim"),
    [
        ("small-gpt", "learned", "“small GPT” adds positions before layer 1, and no layer reads them again"),
        (
            "small-gpt-rope",
            "rope",
            "Every layer of “small GPT with RoPE” reads how far tokens are apart, not where they stand",
        ),
        ("small-gpt-none", "none", "In “small GPT without positions” nothing changes, wherever its tokens stand"),
    ],
)
def test_without_a_real_model_the_small_gpts_are_measured(reader, run, claim):
    at, found = visit(reader=reader), ev.positions_of(bundled(BUNDLED[run]))
    assert [*headlines(at).values()] == [claim]
    apart, moved, weights, weights_moved = bars(at)
    np.testing.assert_allclose(apart, [found.input_change, *found.outputs])
    np.testing.assert_allclose(moved, [found.input_moved, *found.outputs_moved])
    np.testing.assert_allclose((weights, weights_moved), (found.weights, found.weights_moved))
    about = {card["title"]: card["text"] for card in findings(at, "about_measured")}
    assert found.declared in about["That is what its makers declare"]
    share = (
        f"queries and keys change by up to {words.change_in_print(found.queries_keys.max())} of their largest number"
    )
    said = share if found.queries_keys.any() else "queries and keys stay the same bits"
    assert f"If tokens stand farther apart, {said}." in next(iter(about.values()))
    assert "The causal mask lets order in even where nothing changes here" in about["What this test cannot say"]


def test_it_opens_on_the_small_gpt_where_no_real_model_is():
    at = visit()
    assert at.selectbox(key="reader").value == "small-gpt"
    assert any("make minilm" in each.value for each in at.info)


def test_a_model_that_mixes_layers_is_told_apart(mixed):
    at = visit()
    assert at.selectbox(key="reader").value == mixed
    assert [*headlines(at).values()] == ["2 of 4 layers of model are without positions"]
    *_vectors, weights, moved = bars(at)
    assert [change > 0 for change in weights] == [True, False, True, False]
    assert max(moved) < 1e-4
    first, declared, _untested = findings(at, "about_measured")
    assert "Layers in which not one bit changes: 2, 4." in first["text"]
    assert declared["title"] == "That is what its makers declare"
    assert "In 2 of 4 layers it leaves positions out." in declared["text"]
    assert "Layer 2: declared no positions, weights 0, output 0." in shown(at, "tested")["alt"]


def test_what_differs_from_what_is_declared_is_said():
    found = ev.positions_of(bundled(BUNDLED["none_2_layers"]))
    for changed, says in (({"schemes": ("none", "rope")}, "Layers that differ: 2."), ({"is_added": True}, "")):
        _first, card, _untested = words.about(replace(found, **changed), "model", is_causal=True)
        assert card.title == "That is not what its makers declare"
        assert card.text.endswith(says or found.declared)


def test_a_model_that_cannot_be_tested_says_why(models_folder):
    on_shelf("bloom", models_folder / NAME, "the cat", with_head=True)
    at = visit(reader=NAME)
    [error] = at.error
    assert "its layers count the distances of tokens themselves" in error.value
    assert shown(at, "tested") is None


def test_published_models_load_none(mixed, monkeypatch):
    monkeypatch.setattr(model, "library", lambda: pytest.fail("transformers is imported"))
    at = open_page("models")
    assert not at.exception
    assert shown(at, "strips")


def test_in_a_hall_its_picture_is_a_slide_and_the_claim_its_headline():
    at = visit(present="1", reader="small-gpt-rope")
    assert shown(at, "tested")
    assert "Every layer of “small GPT with RoPE”" in next(iter(headlines(at).values()))
