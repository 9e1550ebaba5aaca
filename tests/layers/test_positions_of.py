"""Which layers read positions, as measured: against what config.json says, and one layer called by hand."""

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoModelForCausalLM
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

import embedviz as ev
from embedviz.text.samples import usual_pair
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import follow
from embedviz.training.train import TrainingSettings
from tests.layers.test_small import by_hand
from tests.models.shelf import on_shelf

NAME = "own/model"
# Whether each layer reads positions, and whether anything is added for them at the input.
KINDS = {
    "gpt2": ({"n_positions": 60}, False, True),
    "bert": ({"max_position_embeddings": 60}, False, True),
    "distilbert": ({"max_position_embeddings": 60}, False, True),
    "opt": ({"max_position_embeddings": 60}, False, True),
    "llama": ({}, True, False),
    "qwen3": ({}, True, False),
    "gpt_neox": ({}, True, False),
}


@pytest.fixture
def shelf(models_folder):
    def put(kind: str, **changes: object) -> torch.nn.Module:
        is_encoder = kind in ("bert", "distilbert")
        on_shelf(kind, models_folder / NAME, usual_pair().a, with_head=not is_encoder, **changes)
        auto = AutoModel if is_encoder else AutoModelForCausalLM
        return auto.from_pretrained(models_folder / NAME, attn_implementation="eager", dtype=torch.float32).eval()

    return put


@pytest.mark.parametrize("kind", KINDS)
def test_each_layer_reads_positions_or_none_does(shelf, kind):
    changes, reads, adds = KINDS[kind]
    shelf(kind, **changes)
    found = ev.positions_of(NAME)
    assert (found.reads == reads).all()
    assert (found.reads_distances == reads).all()
    assert (found.input_change > 0) == (found.input_moved > 0) == found.is_added == adds
    assert set(found.schemes) == {"rope" if reads else "none"}
    assert found.as_declared.all()
    if not reads:
        assert not found.weights.any()
        assert not found.outputs.any()
    assert len(found.weights) == len(ev.forward("the cat", ev.Spec(source=NAME)).attentions)
    assert found.declared


@pytest.mark.parametrize("with_rope", [[1, 1, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0]])
def test_layers_are_told_apart_as_config_json_has_them(shelf, with_rope):
    shelf("smollm3", num_hidden_layers=4, no_rope_layers=with_rope)
    found = ev.positions_of(NAME)
    assert found.reads.tolist() == [bool(each) for each in with_rope]
    assert found.schemes == tuple("rope" if each else "none" for each in with_rope)
    assert found.as_declared.all()
    assert (found.input_change, found.input_moved, found.is_added) == (0, 0, False)


def test_the_change_of_a_layer_is_that_of_the_layer_called_by_hand(shelf):
    core = shelf("llama").model
    found = ev.positions_of(NAME)
    ids = ev.forward(usual_pair().a, ev.Spec(source=NAME)).tokens.ids[:12]
    usual, apart = (torch.arange(len(ids))[None] * factor for factor in (1, 3))
    with torch.inference_mode():
        vectors = core.embed_tokens(torch.tensor([ids]))
        mask = torch.full((1, 1, len(ids), len(ids)), float("-inf")).triu(1)
        for n, layer in enumerate(core.layers):
            normed = layer.input_layernorm(vectors)
            said = [
                layer.self_attn(normed, position_embeddings=core.rotary_emb(vectors, at), attention_mask=mask)[1]
                for at in (usual, apart)
            ]
            assert found.weights[n] == pytest.approx(float((said[0] - said[1]).abs().max()), abs=1e-6)
            vectors = layer(vectors, position_embeddings=core.rotary_emb(vectors, usual), attention_mask=mask)
            vectors = vectors[0] if isinstance(vectors, tuple) else vectors


def test_what_cannot_be_tested_is_said(shelf):
    shelf("bloom")
    with pytest.raises(ev.EmbedvizError, match="distances of tokens themselves"):
        ev.positions_of(NAME)


def test_a_test_leaves_the_model_as_it_was(shelf):
    shelf("smollm3")
    before = ev.forward("the cat sat", ev.Spec(source=NAME))
    ev.positions_of(NAME)
    after = ev.forward("the cat sat here", ev.Spec(source=NAME))
    np.testing.assert_allclose(after.hidden_states[:, : len(before.tokens)], before.hidden_states, atol=1e-5)


def test_a_model_that_is_not_here_is_said(models_folder):
    with pytest.raises(ev.EmbedvizError, match="own/model"):
        ev.positions_of(NAME)


def words_of(run) -> str:
    """The tokens that are read of a small GPT, which has 11 positions: four stand three times as far apart."""
    return " ".join(usual_pair().a.split()[:4]) if not run.settings.text else " ".join(run.vocabulary[:4])


@pytest.mark.parametrize("name", ["learned", "rope", "none", "none_2_layers"])
def test_a_small_gpt_is_tested_too(name):
    run = bundled(BUNDLED[name])
    found = ev.positions_of(run)
    assert found.tokens == 4
    assert len(found.schemes) == run.settings.n_layers
    assert found.as_declared.all()
    assert (found.input_change > 0) == found.is_added == (name == "learned")
    assert found.reads.tolist() == found.reads_distances.tolist() == [name == "rope"] * run.settings.n_layers
    states, attentions, *_rest = by_hand(run, words_of(run), [0, 1, 2, 3])
    for change, moved, positions in (
        (found.input_change, found.weights[0], [0, 3, 6, 9]),
        (found.input_moved, found.weights_moved[0], [7, 8, 9, 10]),
    ):
        other, others, *_rest = by_hand(run, words_of(run), positions)
        assert change == pytest.approx(float((other[0] - states[0]).abs().max() / states[0].abs().max()), abs=1e-6)
        if name != "learned":  # whose first layer would get other vectors
            assert moved == pytest.approx(float((others[0] - attentions[0]).abs().max()), abs=1e-6)


def test_a_run_of_another_text_is_tested_on_its_first_words():
    *_runs, run = follow(TrainingSettings(text="one two three four five six seven " * 9, positions="rope", steps=3))
    found = ev.positions_of(run)
    _states, usual, *_rest = by_hand(run, words_of(run), [0, 1, 2, 3])
    _states, apart, *_rest = by_hand(run, words_of(run), [0, 3, 6, 9])
    assert found.weights[0] == pytest.approx(float((usual - apart).abs().max()), abs=1e-6)
    assert "base 10,000" in found.declared


def test_a_model_that_does_not_do_as_its_files_say_is_found(shelf, models_folder):
    """Queries of zeros look at all tokens alike, wherever these stand."""
    model = shelf("llama")
    with torch.no_grad():
        model.model.layers[1].self_attn.q_proj.weight.zero_()
    model.save_pretrained(models_folder / NAME)
    found = ev.positions_of(NAME)
    assert found.schemes == ("rope", "rope")
    assert found.reads.tolist() == found.as_declared.tolist() == [True, False]


@pytest.mark.parametrize("kind", KINDS)
def test_queries_and_keys_change_where_they_are_turned(shelf, kind):
    changes, reads, _adds = KINDS[kind]
    shelf(kind, **changes)
    found = ev.positions_of(NAME).queries_keys
    assert found.dtype == np.float32
    assert ((found > 0) == reads).all()


def test_the_change_of_queries_and_keys_is_that_of_rope_by_hand(shelf):
    core = shelf("llama").model
    found = ev.positions_of(NAME).queries_keys
    said = ev.forward(usual_pair().a, ev.Spec(source=NAME))
    n = min(len(said.tokens), 12)
    for layer, states, change in zip(core.layers, said.hidden_states, found, strict=False):
        with torch.inference_mode():
            x = layer.input_layernorm(torch.tensor(states[:n])[None])
            size = layer.self_attn.head_dim
            query, key = (
                each(x).view(1, n, -1, size).transpose(1, 2)
                for each in (layer.self_attn.q_proj, layer.self_attn.k_proj)
            )
            usual, apart = (
                torch.cat(apply_rotary_pos_emb(query, key, *core.rotary_emb(x, torch.arange(n)[None] * factor)), dim=1)
                for factor in (1, 3)
            )
        assert change == pytest.approx(float((usual - apart).abs().max() / usual.abs().max()), rel=1e-4)


@pytest.mark.parametrize("name", ["learned", "rope", "none"])
def test_queries_and_keys_of_a_small_gpt_change_with_rope_alone(name):
    found = ev.positions_of(bundled(BUNDLED[name])).queries_keys
    assert found.shape == (1,)
    assert (found > 0).all() == (name == "rope")


@pytest.mark.parametrize("kind", ["gpt_neo", "falcon"])
def test_a_class_that_does_not_hand_queries_over_is_tested_without_them(shelf, kind):
    shelf(kind, **({"max_position_embeddings": 60} if kind == "gpt_neo" else {}))
    found = ev.positions_of(NAME)
    assert found.queries_keys is None
    assert found.as_declared.all()


def test_queries_and_keys_of_nothing_but_zeros_do_not_change(shelf, models_folder):
    model = shelf("llama")
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.q_proj.weight.zero_()
            layer.self_attn.k_proj.weight.zero_()
    model.save_pretrained(models_folder / NAME)
    found = ev.positions_of(NAME)
    assert not found.queries_keys.any()
    assert not found.reads.any()
