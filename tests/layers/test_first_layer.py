"""A model's first attention layer by its own queries, keys and values: its weights are the model's own."""

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

import embedviz as ev
from embedviz.attention.attention import weighted
from embedviz.attention.two_sentences import cases_of_model
from embedviz.base.errors import EmbedvizError
from embedviz.layers.positions import first_layer, has_first_layer
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.vectors.comparison import compare
from embedviz.vectors.embedding import embed_tokens, tokenize_for
from tests.models.shelf import on_shelf

NAME = "own/model"
A, B = "the cat sat on the mat", "the mat sat on the cat"
WIDE = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "initializer_range": 0.2}
KINDS = {  # what each kind does in its own way
    "gpt2": {"n_embd": 64, "n_head": 4, "n_layer": 2},
    "opt": {},
    "llama": {"num_key_value_heads": 2},
    "qwen3": {"num_key_value_heads": 2, "head_dim": 16},  # norms queries and keys first
    "gpt_neox": {"rotary_pct": 0.5, "max_position_embeddings": 60},
    "gemma3_text": {"head_dim": 16, "num_key_value_heads": 2, "query_pre_attn_scalar": 7},
    "gemma2": {"head_dim": 16, "num_key_value_heads": 2},  # caps its scores
    "deepseek_v3": {},  # values of another width
    "smollm3": {"num_key_value_heads": 2, "no_rope_layers": [0, 1]},  # its first layer is without positions
}


@pytest.fixture
def shelf(models_folder):
    def put(kind: str) -> torch.nn.Module:
        torch.manual_seed(3)
        sizes = ({} if kind in ("gpt2", "opt", "deepseek_v3") else WIDE) | KINDS[kind]
        on_shelf(kind, models_folder / NAME, A, with_head=True, **sizes)
        return AutoModelForCausalLM.from_pretrained(models_folder / NAME, dtype=torch.float32).eval()

    return put


def cases(causal: bool, texts: tuple[str, str] = (A, B)):
    spec = ev.Spec(source=NAME)
    tokens = [tokenize_for(text, spec) for text in texts]
    layer = first_layer(NAME, *(each.ids for each in tokens))
    return layer, cases_of_model(compare(*(embed_tokens(each, spec) for each in tokens)), *layer, causal)


@pytest.mark.parametrize("kind", KINDS)
def test_with_positions_and_mask_the_weights_are_the_models_own(shelf, kind):
    shelf(kind)
    _layer, found = cases(causal=True)
    for text, case in zip((A, B), (found.chosen.a, found.chosen.b), strict=True):
        own = ev.forward(text, ev.Spec(source=NAME)).attentions[0]
        np.testing.assert_allclose(case.weights, own, rtol=0, atol=1e-5)


@pytest.mark.parametrize("texts", [("the", B), (A, "cat"), ("cat", "cat"), (A, f"{B} , and then the cat sat")])
def test_sentences_may_have_one_token_or_another_length(shelf, texts):
    shelf("gemma2")
    _layer, found = cases(causal=True, texts=texts)
    for text, case in zip(texts, (found.chosen.a, found.chosen.b), strict=True):
        own = ev.forward(text, ev.Spec(source=NAME)).attentions[0]
        np.testing.assert_allclose(case.weights, own, rtol=0, atol=1e-5)


@pytest.mark.parametrize("texts", [(A, B), ("the", B), (A, "the")])
def test_a_window_that_hides_more_than_the_mask_is_met(models_folder, texts):
    on_shelf("mistral", models_folder / NAME, A, with_head=True, **WIDE, num_key_value_heads=2, sliding_window=3)
    with pytest.raises(EmbedvizError, match=r"^The first attention layer of own/model cannot be read"):
        cases(causal=True, texts=texts)


@pytest.mark.parametrize("kind", KINDS)
def test_with_a_mask_alone_the_weights_are_those_of_the_model_with_positions_off(shelf, kind):
    shelf(kind)
    _layer, found = cases(causal=True)
    for text, case in zip((A, B), (found.masked.a, found.masked.b), strict=True):
        off = ev.forward(text, ev.Spec(source=NAME, position_scale=0.0)).attentions[0]
        np.testing.assert_allclose(case.weights, off, rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_without_positions_and_mask_every_copy_comes_out_the_same(shelf, kind):
    shelf(kind)
    layer, found = cases(causal=True)
    assert found.plain.n_same == found.plain.n_shared > 6
    assert found.masked.n_same < found.masked.n_shared
    assert np.array_equal(found.chosen.distances, found.masked.distances) == (kind == "smollm3")
    assert layer.reads_positions == (kind != "smollm3")
    for mine in layer.plain:
        assert mine.queries.shape[1] == len(found.plain.shared)


@pytest.mark.parametrize("name", ["learned", "rope", "none"])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_of_a_small_gpt_the_weights_are_its_own(name, scale):
    run = bundled(BUNDLED[name])
    ids = [[run.vocabulary.index(word) for word in text.split()] for text in (A, B)]
    layer = first_layer(run, *ids)
    for text, mine in zip((A, B), layer.trained if scale else layer.plain, strict=True):
        own = forward(run, text, Placement(scale=scale)).attentions[0]
        np.testing.assert_allclose(weighted(mine, causal=True).weights, own, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", ["gpt_neo", "falcon", "bert"])
def test_a_model_whose_first_layer_cannot_be_read_says_so(models_folder, kind):
    on_shelf(kind, models_folder / NAME, A, with_head=True)
    assert not has_first_layer(NAME)
    with pytest.raises(EmbedvizError, match="cannot be read"):
        first_layer(NAME, [1, 2], [2, 1])
