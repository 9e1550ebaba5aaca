"""What heads look at: mean weights by plain loops, and names only where all runs agree."""

from types import MappingProxyType

import numpy as np
import pytest
import torch

from embedviz.layers import model_queue
from embedviz.layers.head_patterns import MOSTLY
from embedviz.layers.heads import FIRST, NAMES, OFFSETS, Heads, heads
from embedviz.layers.runnable import runnable
from embedviz.text import samples
from embedviz.text.token_ids import encode
from tests.models.hub import restart
from tests.models.shelf import on_shelf

TEXT = "the cat"
NAME = "own/model"


def weights_by_hand(attentions: np.ndarray) -> np.ndarray:
    """(n_layers, W, H, T, T) to (n_layers, H, 8)."""
    n_layers, n_windows, n_heads, length, _ = attentions.shape
    found = np.zeros((n_layers, n_heads, 8))
    for layer in range(n_layers):
        for head in range(n_heads):
            seen = [[] for _ in range(8)]
            for window in range(n_windows):
                for row in range(length):
                    for n, offset in enumerate(OFFSETS):
                        if 0 <= row + offset < length:
                            seen[n].append(attentions[layer, window, head, row, row + offset])
                    if row:
                        seen[FIRST].append(attentions[layer, window, head, row, 0])
            found[layer, head] = [np.mean(each) for each in seen]
    return found


@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama", "bloom"])
def test_mean_weights_by_plain_loops(models_folder, kind):
    model = on_shelf(kind, models_folder / NAME, TEXT, with_head=kind != "bert").model
    found = heads(NAME)
    n = 10 if kind in ("bert", "gpt2") else 32  # half of the table's 20 positions
    ids = encode(samples.texts()[0].text, NAME).ids[: 14 * n].reshape(14, n)
    shift = 10 if kind in ("bert", "gpt2") else 200
    given = {"text": None, "shifted": torch.arange(n) + shift, "off": torch.zeros(n, dtype=torch.long)}  # "off" is last
    assert set(found.weights) == ({"text", "random"} if kind == "bloom" else {"random", *given})
    model.set_attn_implementation("eager")
    for name, positions in given.items():
        if name not in found.weights:
            continue
        more = {} if positions is None else {"position_ids": positions.expand(14, n)}
        with torch.no_grad():
            for parameter, values in model.named_parameters():
                if name == "off" and parameter.endswith(("position_embeddings.weight", "wpe.weight")):
                    values.zero_()
            mask = torch.ones(14, n, dtype=torch.long)
            said = model(torch.tensor(ids), attention_mask=mask, output_attentions=True, **more)
        expected = weights_by_hand(torch.stack(said.attentions).numpy())
        np.testing.assert_allclose(found.weights[name], expected, atol=1e-5)
        assert not found.weights[name].flags.writeable
    seen = np.ones((n, n)) if kind == "bert" else np.tril(np.ones((n, n)))
    even = weights_by_hand((seen / seen.sum(-1, keepdims=True))[None, None, None])[0, 0]
    np.testing.assert_allclose(found.even, even, atol=1e-6)
    assert found.length == n


def of(text: float, random: float, shifted: float | None, off: float, place: int) -> str | None:
    given = {"text": text, "random": random, "shifted": shifted, "off": off}
    arrays = {name: np.full((1, 1, 8), 0.01) for name, value in given.items() if value is not None}
    for name, array in arrays.items():
        array[0, 0, place] = given[name]
    return Heads(MappingProxyType(arrays), np.zeros(8), 32).name(0, 0)


@pytest.mark.parametrize(("place", "name"), NAMES.items())
def test_a_head_has_a_name_only_if_all_runs_agree(place, name):
    assert of(0.9, 0.6, 0.7, 0.0, place) == name
    assert of(0.9, 0.6, None, 0.0, place) == name
    for given in ((MOSTLY, 0.9, 0.9), (0.9, MOSTLY, 0.9), (0.9, 0.9, MOSTLY)):
        assert of(*given, 0.9, place) is None


def test_other_places_have_no_name():
    assert {OFFSETS[place] for place in NAMES if place != FIRST} == {-1, 0, 1}
    assert all(of(1, 1, 1, 0, place) is None for place in range(FIRST) if place not in NAMES)


def test_a_head_made_to_see_the_token_before_gets_this_name(models_folder):
    """Head 1 of a GPT-2: queries read the position before from the table, keys their own. Head 0 sees all alike."""
    on_shelf("gpt2", models_folder / NAME, TEXT, with_head=True, n_embd=64, n_layer=1, n_positions=30)
    path = models_folder / NAME / "model.safetensors"
    tensors = {name: torch.zeros_like(each) for name, each in torch_file(path).items()}
    tensors["transformer.wpe.weight"][:, :30] = torch.eye(30)  # each position has a dimension of its own
    tensors["transformer.h.0.ln_1.weight"][:] = 1
    attention = tensors["transformer.h.0.attn.c_attn.weight"]  # (64, 3 * 64): queries, keys, values; 32 a head
    attention[:30, 32 : 32 + 30] = 10 * torch.eye(30).roll(-1, 1)
    attention[:30, 64 + 32 : 64 + 32 + 30] = 10 * torch.eye(30)
    save(tensors, path)
    restart()
    found = heads(NAME)
    assert found.name(0, 1) == "previous token"
    assert found.name(0, 0) is None
    assert found.weights["text"][0, 1, 2] > 0.9
    assert found.weights["off"][0, 1, 2] < 0.4


def torch_file(path):
    from safetensors.torch import load_file  # noqa: PLC0415

    return load_file(path)


def save(tensors, path):
    from safetensors.torch import save_file  # noqa: PLC0415

    save_file(tensors, path, {"format": "pt"})


def test_models_that_can_be_run_here(models_folder, configure):
    configure(models=models_folder)
    for name, kind in (("own/a", "bert"), ("own/b", "gpt2"), ("own/c", "t5")):
        on_shelf(kind, models_folder / name, TEXT)
    on_shelf("gpt2", models_folder / "own/d", TEXT, n_embd=512)
    configure(forward_mib=1)
    restart()
    assert dict(runnable()) == {"own/a": "encoder", "own/b": "causal"}
    configure(forward_mib=0)
    assert dict(runnable()) == {}


def test_each_model_is_looked_at_once(models_folder, monkeypatch):
    on_shelf("bert", models_folder / NAME, TEXT)
    first = heads(NAME)
    monkeypatch.setattr(model_queue, "run", None)
    assert heads(NAME) is first
