"""Queries and keys before RoPE turns them: turned by hand they give a model's own weights, and its own projections."""

import numpy as np
import pytest
import torch
from torch.nn import functional
from transformers import AutoModelForCausalLM
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

import embedviz as ev
from embedviz.layers.positions import turned_heads
from embedviz.positions.rope_pairs import clocks
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors.forward import Forward
from tests.models.shelf import on_shelf

NAME = "own/model"
TEXT = "the cat sat on the mat"
ASKED = "the cat sat on the mat , who sat ?"
WIDE = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "initializer_range": 0.2}
KINDS = {  # what each kind does in its own way
    "llama": {"num_key_value_heads": 2},
    "qwen3": {"num_key_value_heads": 2, "head_dim": 16},  # norms queries and keys first
    "gpt_neox": {"rotary_pct": 0.5, "max_position_embeddings": 60},  # turns a half of the dimensions
    "phi3": {"num_key_value_heads": 4, "partial_rotary_factor": 0.5},
    "gemma3_text": {"head_dim": 16, "num_key_value_heads": 2, "query_pre_attn_scalar": 7},  # no √d, two kinds of layers
    "smollm3": {"num_key_value_heads": 2, "no_rope_layers": [0, 1]},
}


@pytest.fixture
def shelf(models_folder):
    def put(kind: str) -> torch.nn.Module:
        torch.manual_seed(3)
        on_shelf(kind, models_folder / NAME, TEXT, with_head=True, **WIDE | KINDS[kind])
        return AutoModelForCausalLM.from_pretrained(models_folder / NAME, dtype=torch.float32).eval()

    return put


def assert_scores_give_the_weights(heads, found: Forward) -> None:
    """The scores of a token, as clocks add them up, make the model's own weights after a softmax."""
    n = len(found.tokens)
    for layer, speeds in enumerate(heads.speeds):
        if len(speeds):
            for head in range(found.attentions.shape[1]):
                pairs = [heads.pair(layer, head, n - 1, at) for at in range(n)]
                scores = [clocks(n - 1, at, 0, pair).score for at, pair in enumerate(pairs)]
                weights = torch.tensor(scores).softmax(-1)
                np.testing.assert_allclose(weights, found.attentions[layer, head, -1], rtol=0, atol=2e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_turned_queries_and_keys_make_the_weights_of_the_model(shelf, kind):
    shelf(kind)
    heads, found = turned_heads(NAME, TEXT), ev.forward(TEXT, ev.Spec(source=NAME))
    assert_scores_give_the_weights(heads, found)
    np.testing.assert_allclose(heads.weights, found.attentions, rtol=0, atol=1e-6)
    assert [len(speeds) > 0 for speeds in heads.speeds] == ([False, True] if kind == "smollm3" else [True, True])
    for pair in [heads.pair(1, 0, 2, 1)]:
        found_clocks = clocks(2, 1, 0, pair)
        assert found_clocks.score == pytest.approx(float(found_clocks.shares.sum()) + found_clocks.rest, abs=1e-5)
        assert (found_clocks.rest != 0) == (kind in ("gpt_neox", "phi3"))


@pytest.mark.parametrize("kind", ["mistral", "qwen2", "gemma", "gemma2", "olmo2", "deepseek_v3", "gpt_oss", "falcon"])
def test_other_families_are_turned_by_the_formula_or_refused(models_folder, kind):
    """`turned_heads` compares what it makes of queries with the model's own, and refuses what differs."""
    on_shelf(kind, models_folder / NAME, TEXT, with_head=True)
    if kind == "falcon":  # its layers do not hand their queries to attention where others do
        with pytest.raises(ev.EmbedvizError, match="not where they can be read"):
            turned_heads(NAME, TEXT)
        return
    heads = turned_heads(NAME, TEXT)
    assert all(len(speeds) for speeds in heads.speeds)
    if kind not in ("gemma2", "gpt_oss"):  # in which scores are bent, or a sink takes a part of the weight
        assert_scores_give_the_weights(heads, ev.forward(TEXT, ev.Spec(source=NAME)))


def test_they_are_those_of_llamas_own_projections(shelf):
    core = shelf("llama").model
    heads, ids = turned_heads(NAME, TEXT), ev.forward(TEXT, ev.Spec(source=NAME)).tokens.ids
    with torch.inference_mode():
        x = core.layers[0].input_layernorm(core.embed_tokens(torch.tensor([ids])))
        attention = core.layers[0].self_attn
        query = attention.q_proj(x).view(1, len(ids), 4, 16).transpose(1, 2)
        key = attention.k_proj(x).view(1, len(ids), 2, 16).transpose(1, 2).repeat_interleave(2, 1)
        np.testing.assert_allclose(heads.queries[0], query[0], rtol=0, atol=1e-6)
        np.testing.assert_allclose(heads.keys[0], key[0], rtol=0, atol=1e-6)
        turned = apply_rotary_pos_emb(query, key, *core.rotary_emb(x, torch.arange(len(ids))[None]))
    at = len(ids) - 1
    hands = clocks(at, 1, 0, heads.pair(0, 3, at, 1))
    np.testing.assert_allclose(hands.queries[-1].T.ravel(), turned[0][0, 3, at], rtol=0, atol=1e-5)
    np.testing.assert_allclose(hands.keys[-1].T.ravel(), turned[1][0, 3, 1], rtol=0, atol=1e-5)


def test_the_small_gpt_is_read_from_its_weights():
    run = bundled(BUNDLED["rope"])
    heads, found = turned_heads(run, ASKED), ev.forward(ASKED, run)
    assert_scores_give_the_weights(heads, found)
    w = {name.removeprefix("blocks.0."): torch.tensor(values) for name, values in run.weights.items()}
    x = w["token_embedding.weight"][[run.vocabulary.index(word) for word in ASKED.split()]]
    x = functional.layer_norm(x, (32,), w["norm_1.weight"], w["norm_1.bias"])
    parts = (x @ w["queries_keys_values.weight"].T + w["queries_keys_values.bias"]).view(10, 3, 4, 8)
    np.testing.assert_allclose(heads.queries[0], parts[:, 0].transpose(0, 1), rtol=0, atol=1e-5)
    np.testing.assert_allclose(heads.keys[0], parts[:, 1].transpose(0, 1), rtol=0, atol=1e-5)


def test_the_question_mark_looks_at_the_cat():
    heads = turned_heads(bundled(BUNDLED["rope"]), ASKED)
    layer, head, query_at, key_at = heads.strongest()
    assert [heads.texts[at] for at in (query_at, key_at)] == ["?", "cat"]
    others = np.stack(heads.weights)[:, :, -1, 1:-1]
    assert others.max() == heads.weights[layer][head, -1, key_at]
    for number in range(4):
        _layer, chosen, _last, at = heads.strongest(head=number)
        assert chosen == number
        assert at == 1 + heads.weights[0][number, -1, 1:-1].argmax()


@pytest.mark.parametrize("text", ["cat", "the cat"])
def test_the_shortest_texts_have_a_pair_too(text):
    heads = turned_heads(bundled(BUNDLED["rope"]), text)
    assert heads.strongest()[2:] == (len(text.split()) - 1, 0)


def test_what_turns_nothing_is_said(shelf, models_folder):
    shelf("smollm3")
    with pytest.raises(ev.EmbedvizError, match="Layer 1 of own/model turns nothing"):
        turned_heads(NAME, TEXT).strongest(layer=0)
    with pytest.raises(ev.EmbedvizError, match="head must be a whole number from 1 to 4"):
        turned_heads(NAME, TEXT).strongest(head=4)
    with pytest.raises(ev.EmbedvizError, match="does not turn queries and keys"):
        turned_heads(bundled(BUNDLED["learned"]), TEXT)
    with pytest.raises(ev.EmbedvizError, match="Type at least one word"):
        turned_heads(bundled(BUNDLED["rope"]), "")


def test_a_model_that_adds_positions_is_refused(models_folder):
    on_shelf("gpt2", models_folder / NAME, TEXT, with_head=True)
    with pytest.raises(ev.EmbedvizError, match="does not turn queries and keys"):
        turned_heads(NAME, TEXT)


def test_the_model_reads_as_before_once_its_heads_were_caught(shelf):
    model = shelf("llama")
    turned_heads(NAME, TEXT)
    after = ev.forward(f"{TEXT} there", ev.Spec(source=NAME))
    with torch.inference_mode():
        logits = model(torch.tensor([after.tokens.ids])).logits[0, -1]
    np.testing.assert_allclose(after.next_word, logits.softmax(-1), rtol=0, atol=1e-5)
