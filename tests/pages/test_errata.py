"""Facts that a sentence on the screen once got wrong, each against its source or by a computation of its own."""

import numpy as np
import pytest
import torch
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.t5.modeling_t5 import T5Attention

import embedviz as ev
from embedviz.attention.attention import self_attention
from embedviz.models.architectures import ARCHITECTURES
from embedviz.models.families import schemes
from embedviz.text import samples
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.model import GPT, Shape
from embedviz.training.train import LEARNING_RATE
from embedviz.ui.guide import TERMS

IDS = torch.tensor([[1, 2, 3, 1, 4]])  # the last of them is only predicted
N_ROWS = 40


def changed_rows(before: torch.Tensor, after: torch.Tensor) -> int:
    return int((before != after).any(dim=1).sum())


@pytest.mark.parametrize(("tied", "n_with_gradient"), [(True, N_ROWS), (False, 3)])
def test_a_step_moves_all_rows_though_the_lookup_sends_a_gradient_only_to_those_that_occur(tied, n_with_gradient):
    model = GPT(Shape(N_ROWS, tied=tied), torch.Generator().manual_seed(0))
    table = model.token_embedding.weight
    before = table.detach().clone()
    model.losses(IDS).mean().backward()
    assert changed_rows(torch.zeros_like(table), table.grad) == n_with_gradient
    torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE).step()
    assert changed_rows(before, table.detach()) == N_ROWS


def test_single_steps_make_predictions_worse_and_together_they_make_them_better():
    losses = bundled(BUNDLED["learned"]).losses
    assert (np.diff(losses) > 0).any()
    assert losses[-20:].mean() < 0.7 * losses[:20].mean()


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_vocab_size_may_be_more_than_the_number_of_tokens(name):
    encoding = samples.encoding(name)
    n_tokens = len(encoding.token_byte_values()) + len(encoding.special_tokens_set)
    assert n_tokens < ev.tokenize("cat", name).vocab_size


def test_with_a_learned_sink_the_weights_of_a_token_sum_to_less_than_1_and_masked_ones_are_0():
    sentence = ev.embed("the cat sat on the mat", ev.Spec())
    plain, with_sink = (self_attention(sentence, 4, causal=True, sink=sink).weights for sink in (None, 0.0))
    assert plain.sum(axis=-1) == pytest.approx(1, abs=1e-6)
    assert (with_sink.sum(axis=-1) < 1).all()
    assert not plain[:, ~np.tri(6, dtype=bool)].any()


def test_a_bias_of_t5_depends_on_the_head_and_on_the_side():
    config = transformers.T5Config(num_heads=2, d_model=8, d_kv=4)
    torch.manual_seed(0)
    bias = T5Attention(config, has_relative_attention_bias=True).compute_bias(9, 9)[0].detach()  # (H, T, T)
    assert torch.equal(bias[:, 0, 3], bias[:, 5, 8])
    assert not torch.equal(bias[:, 0, 3], bias[:, 3, 0])
    assert not torch.equal(bias[0], bias[1])


def test_a_window_of_an_encoder_looks_both_ways():
    config = transformers.ModernBertConfig(
        vocab_size=20, hidden_size=8, intermediate_size=8, num_hidden_layers=2, num_attention_heads=2,
        local_attention=4, global_attn_every_n_layers=2, attn_implementation="eager", pad_token_id=0,
    )  # fmt: skip
    with torch.no_grad():
        found = transformers.ModernBertModel(config)(torch.arange(1, 10)[None], output_attentions=True).attentions
    seen = found[1][0, 0] > 0  # the second layer has the window
    assert seen[4].nonzero().flatten().tolist() == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("rope_type", ["linear", "yarn", "llama3"])
def test_a_scaling_of_rope_changes_the_angles_of_short_texts_too(rope_type):
    rope = {"rope_type": rope_type, "rope_theta": 1e4, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
            "original_max_position_embeddings": 64}  # fmt: skip
    config = transformers.LlamaConfig(hidden_size=64, num_attention_heads=2, rope_parameters=rope)
    scaled, _factor = ROPE_INIT_FUNCTIONS[rope_type](config, "cpu", seq_len=2)
    usual = 1e4 ** (-np.arange(0, 32, 2) / 32)
    assert np.abs(scaled.numpy() / usual - 1).max() > 0.5
    assert "long texts" not in schemes.RESCALED


def test_later_in_a_text_only_the_scores_of_the_first_layer_stay():
    """A phrase alone and after other words, under RoPE: its scores in both layers, and its weights in the first."""
    phrase, before = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[1, 2, 3]])
    model = GPT(Shape(N_ROWS, positions="rope", n_layers=2), torch.Generator().manual_seed(1))
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(8)  # at the usual 0.02 all scores are near 0
        alone, later = (_layers(model, ids) for ids in (phrase, torch.cat([before, phrase], dim=1)))
    (first, weights), (second, _) = alone
    (first_later, weights_later), (second_later, _) = later
    assert torch.allclose(first, first_later, atol=1e-4)
    assert (weights - weights_later).abs().max() > 0.1
    assert (second - second_later).abs().max() > 0.1


def _layers(model: GPT, ids: torch.Tensor) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """The scores and the weights between the last four tokens in each layer, (H, 4, 4) each."""
    x, at = model.enter(ids, None)
    found = []
    for block in model.blocks:
        queries, keys, _values = block.heads(x, at)
        scores = (queries @ keys.transpose(-2, -1))[0, :, -4:, -4:]
        found.append((scores.tril(), block.weights(queries, keys)[0, :, -4:, -4:]))
        x = block(x, at)
    return found


def test_only_older_models_add_positions():
    """As the glossary says of the positional vector."""
    years = [
        model.year
        for model in ARCHITECTURES.values()
        if any(layer.scheme in ("learned", "sinusoidal") for layer in model.pattern)
    ]
    assert "older models add it" in TERMS["positional"][1]
    assert max(years) == 2022 < max(model.year for model in ARCHITECTURES.values())


def test_a_layer_adds_its_input_and_the_random_layer_of_attention_does_not():
    """As the glossary says of the residual connection."""
    model = GPT(Shape(N_ROWS), torch.Generator().manual_seed(0))
    (block,) = model.blocks
    x = torch.randn(1, 5, 32, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        for last in (block.attended, block.narrow):
            last.weight.zero_()
        assert torch.equal(block(x), x)
    sentence = ev.embed("the cat sat on the mat", ev.Spec())
    found = self_attention(sentence, 4)
    values = (sentence.input_embeddings @ found.layer.value).reshape(6, 4, -1)  # (T, H, d)
    gathered = np.einsum("hqk,khd->qhd", found.weights, values).reshape(6, -1)
    assert np.allclose(found.outputs, gathered, rtol=1e-4, atol=1e-4)
