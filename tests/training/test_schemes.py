"""The small GPT under six schemes: against the small GPT itself, and against a forward of its own in float64."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from embedviz.attention.attention import attend
from embedviz.attention.layer import Layer
from embedviz.positions import SCHEMES, alibi, rope, sinusoidal, t5
from embedviz.training.model import GPT, Shape, turned
from embedviz.training.schemes import NAMES, SINUSOIDAL_SIZE, T5_BUCKETS, T5_MAX_DISTANCE, SchemeGPT

SHAPE = Shape(vocab_size=11, context_length=7, output_dim=16, n_heads=4, n_layers=2)
LONGER = 20


def model(positions: str, shape: Shape = SHAPE) -> SchemeGPT:
    """A model whose parameters are large enough, and unlike each other, for every part to show."""
    found = SchemeGPT(replace(shape, positions=positions), torch.Generator().manual_seed(5))
    generator = torch.Generator().manual_seed(6)
    for weights in found.requires_grad_(False).parameters():
        weights.add_(torch.empty_like(weights).normal_(generator=generator), alpha=0.5)
    return found


def ids(n_rows: int, length: int) -> torch.Tensor:
    return torch.randint(11, (n_rows, length), generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("positions", ["none", "learned", "rope"])
def test_it_is_the_small_gpt_where_both_know_the_scheme(positions):
    found = model(positions)
    plain = GPT(found.shape, torch.Generator())
    plain.load_state_dict(found.state_dict())
    rows = ids(3, 7)
    torch.testing.assert_close(found(rows), plain(rows), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("positions", NAMES)
def test_all_first_numbers_are_those_of_the_small_gpt(positions):
    shape = replace(SHAPE, positions=positions)
    ours, plain = (kind(shape, torch.Generator().manual_seed(3)) for kind in (SchemeGPT, GPT))
    for name, values in plain.named_parameters():
        assert torch.equal(ours.get_parameter(name), values)
    more = {name for name, _values in ours.named_parameters()} - {name for name, _values in plain.named_parameters()}
    assert more == ({"biases"} if positions == "t5" else set())


def turned_by_hand(vector: np.ndarray, at: int) -> np.ndarray:
    """RoPE as complex numbers, k paired with k + d/2."""
    pairs = vector[: len(vector) // 2] + 1j * vector[len(vector) // 2 :]
    found = pairs * np.exp(1j * at * 10000.0 ** (-np.arange(len(pairs)) / len(pairs)))
    return np.concatenate([found.real, found.imag])


def scores_by_hand(found: SchemeGPT, query: np.ndarray, key: np.ndarray, places: tuple, head: int) -> float:
    """The score of a token for an earlier one, by the formulas of the papers."""
    name, size, (i, j) = found.shape.positions, len(query), places
    if name == "rope":
        query, key = (turned_by_hand(vector, at) for vector, at in ((query, i), (key, j)))
    score = query @ key / np.sqrt(size)
    if name == "alibi":
        score -= 2.0 ** (-8 * (head + 1) / found.shape.n_heads) * (i - j)
    if name == "t5":
        n = i - j
        exact = T5_BUCKETS // 2
        far = exact + int(np.log(max(n, 1) / exact) / np.log(T5_MAX_DISTANCE / exact) * exact)
        score += float(found.biases[n if n < exact else min(far, T5_BUCKETS - 1), head])
    return score


@pytest.mark.parametrize("positions", [name for name in NAMES if name != "learned"])
def test_texts_longer_than_trained_are_read_as_by_hand(positions):
    """Two layers in float64, token by token, on a text of almost three times the trained length."""
    found, row = model(positions), ids(1, LONGER)[0]
    w = {name: value.double().numpy() for name, value in found.state_dict().items()}
    x = w["token_embedding.weight"][row.numpy()]
    if positions == "sinusoidal":
        for at in range(LONGER):
            for k in range(8):
                angle = at / 10000 ** (k / 8)
                x[at, 2 * k : 2 * k + 2] += SINUSOIDAL_SIZE * np.array([np.sin(angle), np.cos(angle)])

    def norm(x, name):
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    for n in range(2):
        q, k, v = np.split(linear(norm(x, f"blocks.{n}.norm_1"), f"blocks.{n}.queries_keys_values"), 3, axis=1)
        heads = np.zeros_like(q)
        for head in range(4):
            part = slice(4 * head, 4 * head + 4)
            for i in range(LONGER):
                scores = [scores_by_hand(found, q[i, part], k[j, part], (i, j), head) for j in range(i + 1)]
                shares = np.exp(np.array(scores) - max(scores))
                heads[i, part] = shares / shares.sum() @ v[: i + 1, part]
        x = x + linear(heads, f"blocks.{n}.attended")
        wide = linear(norm(x, f"blocks.{n}.norm_2"), f"blocks.{n}.widen")
        x = x + linear(torch.nn.functional.gelu(torch.tensor(wide)).numpy(), f"blocks.{n}.narrow")
    expected = norm(x, "norm") @ w["token_embedding.weight"].T
    assert found(row[None])[0].numpy() == pytest.approx(expected, rel=1e-3, abs=1e-3)


@given(st.integers(1, 60))
def test_biases_are_those_of_the_schemes(length):
    at = np.arange(length)
    seen = np.tri(length, dtype=bool)
    for positions in ("alibi", "t5"):
        found = model(positions)
        ours = found.bias(at).numpy()
        assert (ours[:, ~seen] == -np.inf).all()
        if positions == "alibi":
            expected = alibi.bias(length, 4)
        else:
            buckets = t5.bucket(at[None, :] - at[:, None], False, T5_BUCKETS, T5_MAX_DISTANCE)
            expected = found.biases.numpy()[buckets].transpose(2, 0, 1)
        assert np.array_equal(ours[:, seen], expected[:, seen])


def test_a_head_of_alibi_is_the_layer_of_this_scheme():
    """The first layer's weights, by the attention of the page Attention."""
    found, row = model("alibi"), ids(1, LONGER)
    block = found.blocks[0]
    x = block.norm_1(found.token_embedding(row))[0].numpy()
    parts = block.queries_keys_values.weight.numpy().T
    block.queries_keys_values.bias.zero_()
    query, key, value = np.split(parts, 3, axis=1)
    layer = Layer("alibi", 4, query, key, value, {"slopes": alibi.slopes(4)})
    expected = attend(x, layer, causal=True).outputs
    ours = block.attend(found.token_embedding(row), None, found.bias(np.arange(LONGER)))[0].numpy()
    by_hand = expected @ block.attended.weight.numpy().T + block.attended.bias.numpy()
    np.testing.assert_allclose(ours, by_hand, atol=1e-4)


def test_learned_rows_and_sines_are_those_of_the_schemes():
    at = np.array([0, 3, 6])
    assert torch.equal(model("learned").added(at), model("learned").position_embedding.weight[[0, 3, 6]])
    assert len(model("learned").added(np.arange(9))) == 7  # the table ends
    sines = torch.tensor(sinusoidal.rows(at, 16)) * SINUSOIDAL_SIZE
    assert torch.equal(model("sinusoidal").added(at), sines)
    assert sines.pow(2).mean().sqrt().item() == pytest.approx(0.02)


@given(longer=st.floats(1.1, 16), length=st.integers(2, 40))
def test_rope_turns_by_the_angles_of_its_stretch(longer, length):
    """Linear: positions are divided. NTK: the base grows, so that the slowest pair is slowed by as much."""
    found, at = model("rope", replace(SHAPE, output_dim=64)), np.arange(length)
    own = np.outer(at, 10000.0 ** (-np.arange(8) / 8))
    np.testing.assert_allclose(found.angles(at, None), own, rtol=1e-6)
    linear = found.angles(at, {"rope_type": "linear", "factor": longer})
    np.testing.assert_allclose(linear, own / longer, rtol=1e-5)
    trained = length / longer
    ntk = {"rope_type": "dynamic", "factor": 1.0, "max_position_embeddings": trained}
    base = 10000.0 * longer ** (16 / 14)
    found_ntk = found.angles(at, ntk).numpy()
    np.testing.assert_allclose(found_ntk, np.outer(at, base ** (-np.arange(8) / 8)), rtol=1e-4)
    np.testing.assert_allclose(found_ntk[:, -1], own[:, -1] / longer, rtol=1e-4)


def test_rope_without_a_stretch_is_the_scheme():
    found = model("rope", replace(SHAPE, output_dim=64))
    x = torch.empty(1, 4, 5, 16).normal_(generator=torch.Generator().manual_seed(1))
    ours = turned(x, found.angles(np.arange(5), None))
    torch.testing.assert_close(ours, rope.rotate(x, np.arange(5)), rtol=0, atol=1e-5)


def test_every_scheme_is_one_of_the_projects():
    assert set(NAMES) < set(SCHEMES)
