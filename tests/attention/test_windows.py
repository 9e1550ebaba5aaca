"""Windows, masks, sinks: PyTorch's own attention with a mask, gpt-oss's in the reference library, tokens changed."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers.masking_utils import sliding_window_causal_mask_function
from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

import embedviz as ev
from embedviz.attention.attention import attend, self_attention
from embedviz.attention.layer import make_layer
from embedviz.attention.windows import NEVER, layers_needed, sliding_window, with_window
from embedviz.positions import SCHEMES

CAT = "the cat sat on the mat"


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


@pytest.mark.parametrize(("n_tokens", "window"), [(1, 1), (6, 1), (6, 3), (9, 4), (5, 5), (5, 64)])
def test_the_edge_of_a_window_is_that_of_the_reference_library(n_tokens, window):
    theirs = sliding_window_causal_mask_function(window)
    expected = [
        [bool(theirs(0, 0, torch.tensor(i), torch.tensor(j))) for j in range(n_tokens)] for i in range(n_tokens)
    ]
    assert sliding_window(n_tokens, window).tolist() == expected


@pytest.mark.parametrize("mask", ["window", "any"])
def test_a_mask_is_pytorchs(mask):
    layer, x = make_layer("none", 12, 3, seed=4), vectors(10, 12)
    visible = sliding_window(10, 3) if mask == "window" else np.random.default_rng(1).random((10, 10)) < 0.5
    visible = visible | np.eye(10, dtype=bool)
    q, k, v = heads_of(x, layer)
    theirs = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=torch.tensor(visible))
    ours = attend(x, layer, visible=visible, dtype=np.float64)
    np.testing.assert_allclose(ours.outputs, theirs.transpose(0, 1).flatten(1), rtol=0, atol=1e-12)
    assert (ours.weights[:, ~visible] == 0).all()
    assert np.array_equal(np.isnan(ours.seen_by(1)), ~visible)


@pytest.mark.parametrize("sink", [-8.0, 0.0, 1.5, 8.0, 1000.0])
def test_a_learned_sink_is_gpt_oss(sink):
    layer, x = make_layer("none", 12, 3, seed=5), vectors(9, 12)
    visible = sliding_window(9, 4)
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


def changed_layers(visible: np.ndarray, n_layers: int, seed: int) -> np.ndarray:
    """After how many of these layers another token i comes out if token j is changed; NEVER after none of them.

    Every layer is one of ours, in float64, with a residual connection, and vectors keep their length.
    """
    layers = [make_layer("none", 8, 2, seed + n) for n in range(n_layers)]

    def stack(x: np.ndarray) -> np.ndarray:
        found = [x]
        for layer in layers:
            x = x + attend(x, layer, visible=visible, dtype=np.float64).outputs
            x = x / x.std(axis=1, keepdims=True)
            found.append(x)
        return np.stack(found)

    x = vectors(len(visible), 8, seed)
    usual, needed = stack(x), np.full(visible.shape, NEVER)
    for j in range(len(x)):
        other = x.copy()
        other[j] = -other[j]
        changed = (stack(other) != usual).any(axis=-1)  # (n_layers + 1, T), and the least change counts
        needed[:, j] = np.where(changed.any(axis=0), changed.argmax(axis=0), NEVER)
    return needed


@pytest.mark.parametrize(("n_tokens", "window"), [(6, 3), (9, 2), (12, 5), (4, 1)])
def test_a_token_that_is_changed_reaches_as_far_as_it_says(n_tokens, window):
    visible = sliding_window(n_tokens, window)
    needed = layers_needed(visible)
    n_layers = int(needed.max()) + 1
    assert np.array_equal(changed_layers(visible, n_layers, seed=3), needed)


@given(n_tokens=st.integers(1, 40), window=st.integers(1, 45), n_layers=st.integers(0, 12))
def test_through_layers_a_window_reaches_that_many_times_as_far(n_tokens, window, n_layers):
    """After L layers token i depends on i - L (w - 1) to i."""
    needed = layers_needed(sliding_window(n_tokens, window))
    for i in range(n_tokens):
        heard = np.flatnonzero((needed[i] != NEVER) & (needed[i] <= n_layers)).tolist()
        assert heard == list(range(max(0, i - n_layers * (window - 1)), i + 1))


def test_what_the_page_says_of_a_window():
    embedded = ev.embed(CAT, ev.Spec())
    found = with_window(embedded, 4, 3)
    assert (found.most_seen, found.for_last, found.farthest(2), found.farthest(3)) == (3, 3, 1, 0)
    whole = self_attention(embedded, 4, causal=True)
    assert np.array_equal(found.whole.weights, whole.weights)
    for head in range(4):
        hidden = sum(float(whole.weights[head, 5, j]) for j in range(3))
        assert found.hidden(head) == pytest.approx(hidden, abs=1e-6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sliding_window(3, 0), "window must be a whole number from 1"),
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
