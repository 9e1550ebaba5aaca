"""Masks and sinks: PyTorch's own attention with a mask, gpt-oss's in the reference library."""

from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

import embedviz as ev
from embedviz.attention.attention import Attention, attend, with_causal_mask
from embedviz.attention.layer import layer_for, make_layer
from embedviz.positions import SCHEMES


def vectors(n_tokens: int, output_dim: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n_tokens, output_dim))


def heads_of(x: np.ndarray, layer) -> list[torch.Tensor]:
    """Query, key and value of a layer without positions, (H, T, d) in float64."""
    return [
        (torch.from_numpy(x) @ torch.from_numpy(matrix.astype(np.float64)))
        .unflatten(-1, (layer.n_heads, -1))
        .transpose(0, 1)
        for matrix in (layer.query, layer.key, layer.value)
    ]


def near(n_tokens: int, window: int) -> np.ndarray:
    """A mask with which each token sees itself and the window - 1 before it, bool (T, T)."""
    return np.tri(n_tokens, dtype=bool) & ~np.tri(n_tokens, k=-window, dtype=bool)


@pytest.mark.parametrize("mask", ["window", "any"])
def test_a_mask_is_pytorchs(mask):
    layer, x = make_layer("none", 12, 3, seed=4), vectors(10, 12)
    visible = near(10, 3) if mask == "window" else np.random.default_rng(1).random((10, 10)) < 0.5
    visible = visible | np.eye(10, dtype=bool)
    q, k, v = heads_of(x, layer)
    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=torch.tensor(visible))
    ours = attend(x, layer, visible=visible, dtype=np.float64)
    np.testing.assert_allclose(ours.outputs, theirs.transpose(0, 1).flatten(1), rtol=0, atol=1e-12)
    assert (ours.weights[:, ~visible] == 0).all()


@pytest.mark.parametrize("sink", [-8.0, 0.0, 1.5, 8.0, 1000.0])
def test_a_learned_sink_is_gpt_oss(sink):
    layer, x = make_layer("none", 12, 3, seed=5), vectors(9, 12)
    visible = near(9, 4)
    q, k, v = (each[None] for each in heads_of(x, layer))
    model = SimpleNamespace(num_key_value_groups=1, sinks=torch.full((3,), sink, dtype=torch.float64), training=False)
    mask = torch.where(torch.tensor(visible), 0.0, -torch.inf).double()[None, None]
    outputs, weights = eager_attention_forward(model, q, k, v, mask, scaling=4**-0.5)
    ours = attend(x, layer, causal=True, visible=visible, sink=sink, dtype=np.float64)
    np.testing.assert_allclose(ours.weights, weights[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.outputs, outputs[0].flatten(1), rtol=0, atol=1e-12)


@pytest.mark.parametrize("position", SCHEMES)
@pytest.mark.parametrize("causal", [False, True])
def test_a_mask_that_hides_nothing_changes_no_bit(position, causal):
    x, layer = vectors(8, 12).astype(np.float32), make_layer(position, 12, 3)
    usual = attend(x, layer, causal=causal)
    masked = attend(x, layer, causal=causal, visible=np.ones((8, 8), bool))
    for name in ("scores", "weights", "outputs"):
        assert getattr(masked, name).tobytes() == getattr(usual, name).tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: attend(vectors(3, 8), make_layer("none", 8), visible=np.ones((2, 3), bool)),
            "A mask for 3 tokens has the shape (3, 3), not (2, 3).",
        ),
        (
            lambda: attend(vectors(3, 8), make_layer("none", 8), visible=np.zeros((3, 3), bool)),
            "The mask hides every token from token 0.",
        ),
        (
            lambda: attend(vectors(2, 8), make_layer("none", 8), causal=True, visible=~np.eye(2, dtype=bool)),
            "The mask hides every token from token 0.",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(ev.EmbedvizError) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_heads", [1, 4])
def test_a_causal_mask_that_is_put_on_later_changes_what_it_would_have_changed_at_once(n_heads, dtype):
    embedded = ev.embed("the cat sat on the mat", ev.Spec(position="none", output_dim=32))
    layer = layer_for(embedded.spec, n_heads)
    plain, masked = (attend(embedded.token_embeddings, layer, causal=causal, dtype=dtype) for causal in (False, True))
    found = with_causal_mask(plain)
    for each in fields(Attention):
        expected, value = getattr(masked, each.name), getattr(found, each.name)
        assert np.array_equal(expected, value) if isinstance(expected, np.ndarray) else expected is value
    assert found.weights.flags.writeable is False
    assert found.outputs.flags.writeable is False


def test_only_an_attention_that_does_not_depend_on_a_mask_gets_one():
    embedded = ev.embed("the cat sat", ev.Spec(position="none", output_dim=32))
    layer = layer_for(embedded.spec)
    masked = attend(embedded.token_embeddings, layer, causal=True)
    with_positions = attend(embedded.token_embeddings, layer_for(ev.Spec(position="t5", output_dim=32)))
    for each in (masked, with_positions):
        with pytest.raises(ValueError, match="without positions and without a mask"):
            with_causal_mask(each)
