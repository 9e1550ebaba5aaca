"""The small GPT through `ev.forward`: equal to PyTorch's own layers put together by hand, with any positions."""

import math

import numpy as np
import pytest
import torch
from torch.nn import functional

import embedviz as ev
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.run import follow
from embedviz.training.train import TrainingSettings

TEXT = "the cat sat on the mat"
ASKED = "the cat sat on the mat , who sat ?"
CLOSE = {"rtol": 0, "atol": 1e-5}


def turned(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
    """RoPE as complex numbers: pair k of a row at position p is multiplied by exp(i p / 10000^(2k/d))."""
    half = x.shape[-1] // 2
    angles = positions[:, None] * 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    whole = torch.complex(x[..., :half].double(), x[..., half:].double()) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([whole.real, whole.imag], dim=-1).float()


def by_hand(run, text: str, positions: list[float], scale: float = 1.0):
    """(n_layers + 1, T, D), (n_layers, H, T, T), (V,) and (n_layers, H, T), from the weights alone."""
    w = {name: torch.tensor(values) for name, values in run.weights.items()}
    ids = torch.tensor([run.vocabulary.index(word) for word in text.split()])
    at, scheme = torch.tensor(positions, dtype=torch.float64), run.settings.positions
    x = w["token_embedding.weight"][ids]  # (T, D)
    if scheme == "learned":
        x = x + scale * w["position_embedding.weight"][at.long()]
    states, attentions, lengths, (length, dim) = [x], [], [], x.shape
    for n in range(run.settings.n_layers):
        own = {name.removeprefix(f"blocks.{n}."): each for name, each in w.items() if name.startswith(f"blocks.{n}.")}

        def linear(x, name, own=own):
            return functional.linear(x, own[f"{name}.weight"], own[f"{name}.bias"])

        def norm(x, name, own=own):
            return functional.layer_norm(x, (dim,), own[f"{name}.weight"], own[f"{name}.bias"])

        parts = linear(norm(x, "norm_1"), "queries_keys_values").view(length, 3, 4, dim // 4)
        queries, keys, values = parts.permute(1, 2, 0, 3)  # each (H, T, D / H)
        if scheme == "rope":
            queries, keys = turned(queries, scale * at), turned(keys, scale * at)
        scores = queries @ keys.transpose(-1, -2) / math.sqrt(dim // 4)
        weights = scores.masked_fill(torch.ones(length, length).triu(1) > 0, -math.inf).softmax(-1)
        lengths.append(values.norm(dim=-1))  # (H, T)
        x = x + linear((weights @ values).transpose(0, 1).reshape(length, dim), "attended")
        x = x + linear(functional.gelu(linear(norm(x, "norm_2"), "widen")), "narrow")
        states.append(x)
        attentions.append(weights)
    states[-1] = functional.layer_norm(x, (dim,), w["norm.weight"], w["norm.bias"])
    head = w.get("head.weight", w["token_embedding.weight"])
    next_word = (states[-1][-1] @ head.T).softmax(-1)
    return torch.stack(states), torch.stack(attentions), next_word, torch.stack(lengths)


def assert_same(found: ev.Forward, expected) -> None:
    arrays = (found.hidden_states, found.attentions, found.next_word, found.value_lengths)
    for each, values in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(each, values.numpy(), **CLOSE)
        assert each.dtype == np.float32
        assert not each.flags.writeable
    np.testing.assert_allclose(found.sentence, expected[0][-1].mean(0).numpy(), **CLOSE)


@pytest.mark.parametrize("positions", [None, [0] * 6, [5, 4, 3, 2, 1, 0], [5, 6, 7, 8, 9, 10]])
@pytest.mark.parametrize("scale", [1.0, 0.25, 0.0])
def test_the_source_trained_is_the_small_gpt(positions, scale):
    spec = ev.Spec(source="trained", position_scale=scale)
    found = ev.forward(TEXT, spec, positions)
    assert_same(found, by_hand(bundled(BUNDLED["learned"]), TEXT, positions or list(range(6)), scale))
    assert found.tokens.ids == ev.tokenize(TEXT, "words", vocabulary=spec.vocabulary).ids
    if positions is None:
        np.testing.assert_allclose(found.hidden_states[0], ev.embed(TEXT, spec).input_embeddings, **CLOSE)


def test_without_positions_the_scale_is_0():
    without, off = (ev.forward(TEXT, ev.Spec(source="trained", **how))
                    for how in ({"position": "none"}, {"position_scale": 0.0}))  # fmt: skip
    np.testing.assert_array_equal(without.hidden_states, off.hidden_states)


def test_capital_letters_count_as_the_spec_says():
    found = ev.forward("The Cat", ev.Spec(source="trained", lower_case=True))
    assert found.tokens.ids == ev.forward("the cat", ev.Spec(source="trained")).tokens.ids


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("positions", [None, [0, 5, 2, 3, 4, 1, 6, 7, 8, 10]])
def test_a_run_that_is_bundled(name, positions):
    run = bundled(BUNDLED[name])
    assert_same(ev.forward(ASKED, run, positions), by_hand(run, ASKED, positions or list(range(10))))


@pytest.mark.parametrize("more", [{}, {"tied": False, "n_layers": 2}, {"positions": "rope", "output_dim": 16}])
def test_a_run_that_a_visitor_trains_at_any_time(more):
    settings = TrainingSettings(steps=30, **more)
    for run in follow(settings):
        assert_same(ev.forward(ASKED, run), by_hand(run, ASKED, list(range(10))))


@pytest.mark.parametrize(
    ("text", "spec", "positions", "said"),
    [
        (TEXT, ev.Spec(source="trained"), [0], r"^positions must be 6 whole numbers, one for each token, not 1\.$"),
        (TEXT, ev.Spec(source="trained"), [], r"^positions must be 6 whole numbers, one for each token, not 0\.$"),
        (TEXT, ev.Spec(source="trained"), [11] * 6, r"^positions must be a whole number from 0 to 10, not 11\.$"),
        (TEXT, ev.Spec(source="trained"), [-1] * 6, "not -1"),
        (TEXT, ev.Spec(source="trained"), [0.5] * 6, r"not 0\.5"),
        (
            TEXT,
            ev.Spec(source="trained", position="sinusoidal"),
            None,
            "trained was trained with the positions learned",
        ),
        ("", ev.Spec(source="trained"), None, "Type at least one word"),
        ("the zebra", ev.Spec(source="trained"), None, "zebra"),
        ("cat " * 12, ev.Spec(source="trained"), None, "no more than 11"),
        (ASKED, bundled(BUNDLED["rope"]), [11] * 10, "from 0 to 10, not 11"),
        ("a cat", bundled(BUNDLED["rope"]), None, r"^Not in the vocabulary: a\."),
    ],
)
def test_what_the_small_gpt_cannot_read_is_refused(text, spec, positions, said):
    with pytest.raises(ev.EmbedvizError, match=said):
        ev.forward(text, spec, positions)
