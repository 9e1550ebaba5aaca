"""What a model learns for a scheme: against the layer's own tables, and against published models."""

import pytest
import transformers

from embedviz.attention.layer import make_layer
from embedviz.positions import SCHEMES
from embedviz.positions.scheme import GPT2, Sizes


@pytest.mark.parametrize(("n_dims", "n_heads"), [(8, 2), (12, 1), (768, 12)])
@pytest.mark.parametrize("position", SCHEMES)
def test_parameters_are_those_of_the_layer(position, n_dims, n_heads):
    own = make_layer(position, n_dims, n_heads).own
    learned = sum(table.size for name, table in own.items() if name != "slopes")
    expected = {"learned": 50 * n_dims}.get(position, learned)
    assert SCHEMES[position].n_learned(Sizes(1, n_dims, n_heads, 50)) == expected


def test_none_costs_nothing():
    assert SCHEMES["none"].n_learned(GPT2) == 0


def test_gpt2s_table_is_counted_once():
    model = transformers.GPT2Model(
        transformers.GPT2Config(n_layer=3, n_embd=12, n_head=2, n_positions=10, vocab_size=5)
    )
    theirs = sum(each.numel() for name, each in model.named_parameters() if "wpe" in name)
    assert SCHEMES["learned"].n_learned(Sizes(3, 12, 2, 10)) == theirs


def test_t5s_table_is_counted_once():
    config = transformers.T5Config(num_layers=3, d_model=8, num_heads=4, d_kv=2, d_ff=8, vocab_size=5)
    model = transformers.T5EncoderModel(config)
    theirs = sum(each.numel() for name, each in model.named_parameters() if "relative_attention_bias" in name)
    assert SCHEMES["t5"].n_learned(Sizes(3, 8, 4, 10)) == theirs


def test_debertas_vectors_are_counted_once_and_its_matrices_in_each_layer():
    config = transformers.DebertaConfig(
        num_hidden_layers=3, hidden_size=8, num_attention_heads=2, intermediate_size=8, vocab_size=5,
        relative_attention=True, pos_att_type=["p2c", "c2p"], max_relative_positions=512,
    )  # fmt: skip
    parameters = transformers.DebertaModel(config).named_parameters()
    ours = ("rel_embeddings", "pos_proj.weight", "pos_q_proj.weight")  # the bias of pos_q_proj is not in the paper
    theirs = sum(each.numel() for name, each in parameters if any(own in name for own in ours))
    assert SCHEMES["deberta"].n_learned(Sizes(3, 8, 2, 10)) == theirs


def test_transformer_xls_vectors_are_counted_in_each_layer_as_in_xlnet():
    config = transformers.XLNetConfig(n_layer=3, d_model=8, n_head=2, d_inner=8, vocab_size=6)
    parameters = transformers.XLNetModel(config).named_parameters()
    names = ("rel_attn.r_w_bias", "rel_attn.r_r_bias", "rel_attn.r")
    theirs = sum(each.numel() for name, each in parameters if name.endswith(names))
    assert SCHEMES["transformer_xl"].n_learned(Sizes(3, 8, 2, 10)) == theirs
