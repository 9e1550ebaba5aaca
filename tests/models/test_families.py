"""What a config.json says of a model's vectors, held against the models of transformers, one tiny one a family."""

import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModel

from embedviz.models.families import FAMILIES, layout
from embedviz.positions import sinusoidal
from tests.models.tiny import IDS, TINY, Seen, made, seen


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Each tiny model saved and looked into, once, with or without a head."""
    kept: dict[tuple[str, bool], Seen] = {}

    def get(name: str, with_head: bool = False) -> Seen:
        if (name, with_head) not in kept:
            kept[name, with_head] = seen(
                name, tmp_path_factory.mktemp("model"), made(name, with_head), ids_of(name.split(",", maxsplit=1)[0])
            )
        return kept[name, with_head]

    return get


def ids_of(model_type: str) -> list[int]:
    """The IDs without RoBERTa's <pad>, which takes no position in it, and which no text has."""
    without = TINY[model_type].config["pad_token_id"] if "roberta" in model_type else None
    return [id_ for id_ in IDS if id_ != without]


@dataclass
class Inputs:
    """The steps: what is added for positions, (T, W), all that is added up, and what enters the first layer, (T, H)."""

    positions: np.ndarray | None
    sum: np.ndarray
    first: np.ndarray


def inputs_of(looked: Seen, dtype="F32") -> Inputs:
    described, ids = layout(looked.config), ids_of(looked.config["model_type"])
    tensors = looked.tensors(described)
    assert {name: array.shape for name, array in tensors.items()} == described.shapes
    weights = {name: tensors[name] for name in described.small}
    total = described.token_part(tensors[described.token][ids], weights, dtype)
    total = total + weights[described.segment][0] if described.segment else total
    positions = tensors[described.position][described.offset :][: len(ids)] if described.position else None
    total = total if positions is None else total + positions
    return Inputs(positions, total, described.after_sum(total, weights))


def test_every_family_has_a_tiny_model():
    assert {tiny.config["model_type"] for tiny in TINY.values()} == set(FAMILIES)


@pytest.mark.parametrize("with_head", [False, True], ids=["core", "head"])
@pytest.mark.parametrize("name", TINY)
def test_what_enters_the_first_layer(saved, name, with_head):
    looked = saved(name, with_head)
    found = inputs_of(looked)
    described = layout(looked.config)
    assert found.first.dtype == np.float32
    if looked.summed is not None:
        assert found.sum.tobytes() == looked.summed.tobytes()
    if described.norm is described.projection is None:
        assert found.first.tobytes() == looked.entered.tobytes()
    else:
        np.testing.assert_allclose(found.first, looked.entered, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", TINY)
def test_the_token_table_is_the_one_that_the_model_uses(saved, name):
    looked = saved(name)
    described = layout(looked.config)
    table = looked.tensors(described)[described.token]
    assert table.tobytes() == looked.token.tobytes()
    assert table.shape == (described.vocab_size, described.output_dim)


@pytest.mark.parametrize("name", TINY)
def test_the_positional_vectors_are_those_of_the_positional_module(saved, name):
    looked = saved(name)
    found = inputs_of(looked)
    assert (found.positions is None) == (looked.positional is None)
    if looked.positional is not None:
        assert found.positions.tobytes() == looked.positional.tobytes()


def counted(monkeypatch, module, names) -> list[str]:
    """A list to which every call of one of the module's functions adds its name."""
    calls = []

    def watch(name, original):
        def function(*args, **named):
            calls.append(name)
            return original(*args, **named)

        monkeypatch.setattr(module, name, function)

    for name in names:
        if hasattr(module, name):
            watch(name, getattr(module, name))
    return calls


@pytest.mark.parametrize("name", TINY)
def test_the_scheme_is_what_the_class_does(monkeypatch, tmp_path, name):
    """The functions that turn queries and keys, and those that make ALiBi's biases, are counted as they are called."""
    model = made(name)
    text = sys.modules[type(model.get_decoder() if name == "gemma3" else model).__module__]
    turned = counted(monkeypatch, text, ["apply_rotary_pos_emb", "apply_rotary_pos_emb_interleave"])
    biased = counted(monkeypatch, text, ["build_alibi_tensor", "build_mpt_alibi_tensor", "_get_alibi_slopes"])
    looked = seen(name, tmp_path, model)
    described = layout(looked.config)
    layers = model.config.get_text_config().num_hidden_layers
    expected = layers - described.scheme_settings.get("without", 0) if described.scheme == "rope" else 0
    assert len(turned) == expected
    assert bool(biased) == (described.scheme == "alibi")
    learned = [key for key, _ in model.named_parameters() if "relative_attention_bias" in key]
    assert bool(learned) == (described.scheme == "t5")
    assert (looked.positional is not None) == (described.scheme == "learned")


@pytest.mark.parametrize("name", [name for name, tiny in TINY.items() if layout(tiny.config).scheme == "rope"])
def test_the_base_and_the_turned_dimensions_are_those_of_the_rotary_module(saved, name):
    looked = saved(name)
    settings = layout(looked.config).scheme_settings
    rotary = next(module for module in looked.model.modules() if "Rotary" in type(module).__name__)
    whole, local = getattr(rotary, "full_attention_inv_freq", None), getattr(rotary, "sliding_attention_inv_freq", None)
    frequencies = rotary.inv_freq if whole is None else whole
    text = looked.model.config.get_text_config()
    head_dim = settings.get("head_dim") or getattr(text, "head_dim", 0) or text.hidden_size // text.num_attention_heads
    rotated = round(head_dim * settings["share"])
    assert settings.get("rotated", rotated) == rotated == 2 * len(frequencies)
    powers = np.arange(0, rotated, 2) / rotated
    if settings["rope_type"] == "default":
        np.testing.assert_allclose(frequencies.numpy(), settings["theta"] ** -powers, rtol=1e-6)
    else:
        assert name == "gpt_oss"
        assert settings["rope_type"] == rotary.rope_type == "yarn"
    if local is not None:
        np.testing.assert_allclose(local.numpy(), settings["local_theta"] ** -powers, rtol=1e-6)


def test_distilbert_with_sines(tmp_path):
    config = AutoConfig.for_model(**TINY["distilbert"].config, sinusoidal_pos_embds=True)
    looked = seen("distilbert", tmp_path, AutoModel.from_config(config).eval())
    described = layout(looked.config)
    assert described.scheme == "sinusoidal"
    table = looked.tensors(described)[described.position]
    np.testing.assert_allclose(table, sinusoidal.table(*table.shape), atol=1e-6)
    assert inputs_of(looked).positions.tobytes() == looked.positional.tobytes()


def test_weights_in_several_files(tmp_path):
    looked = seen("bert", tmp_path, made("bert"), max_shard_size="2KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    np.testing.assert_allclose(inputs_of(looked).first, looked.entered, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["BF16", "F16"])
def test_half_precision_rounds_gemmas_factor(tmp_path, dtype):
    """√12 is 3.4641016, in BF16 3.46875: the product is rounded too by a model, and not here."""
    name = {torch.bfloat16: "BF16", torch.float16: "F16"}[dtype]
    looked = seen("gemma2", tmp_path, made("gemma2").to(dtype))
    found = inputs_of(looked, dtype=name)
    assert torch.from_numpy(found.first.copy()).to(dtype).float().numpy().tobytes() == looked.entered.tobytes()
    in_full = AutoModel.from_pretrained(tmp_path, dtype=torch.float32)
    with torch.no_grad():
        assert inputs_of(looked).first.tobytes() == in_full.embed_tokens(torch.tensor(IDS)).numpy().tobytes()
    described = layout({"model_type": "gemma2", "hidden_size": 3072})
    assert [described.rounded_factor("BF16"), described.rounded_factor()] == [55.5, np.float32(55.42562584220407)]


@given(st.integers(1, 2**20))
def test_the_factor_is_rounded_as_torch_rounds(hidden_size):
    described = layout({"model_type": "gemma2", "hidden_size": hidden_size})
    for name, dtype in (("F32", torch.float32), ("BF16", torch.bfloat16), ("F16", torch.float16)):
        assert described.rounded_factor(name) == torch.tensor(hidden_size**0.5).to(dtype).item()


def test_bf16_weights_are_added_exactly(tmp_path):
    seen("gpt2", tmp_path, made("gpt2").to(torch.bfloat16))
    looked = seen("gpt2", tmp_path / "again", AutoModel.from_pretrained(tmp_path, dtype=torch.float32).eval())
    stored = replace(looked, folder=tmp_path, summed=None)
    assert inputs_of(stored).first.tobytes() == looked.entered.tobytes()


def renamed(folder, old: str, new: str) -> None:
    """Give a tensor in the saved file another name, as older files have it."""
    path = folder / "model.safetensors"
    tensors = {name.replace(old, new): tensor for name, tensor in load_file(path).items()}
    save_file(tensors, path, {"format": "pt"})


def test_old_names_are_those_that_transformers_reads(tmp_path):
    """A file with the old names gives transformers and us the same vectors."""
    bert, t5 = tmp_path / "bert", tmp_path / "t5"
    looked = seen("bert", bert, made("bert", with_head=True))
    for old, new in (("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")):
        renamed(bert, old, new)
    again = seen("bert", bert / "again", AutoModel.from_pretrained(bert).eval())
    np.testing.assert_allclose(inputs_of(looked).first, again.entered, rtol=1e-6, atol=1e-6)
    looked = seen("t5", t5, made("t5"))
    renamed(t5, "shared.weight", "encoder.embed_tokens.weight")
    again = seen("t5", t5 / "again", AutoModel.from_pretrained(t5).eval())
    assert inputs_of(looked).first.tobytes() == again.entered.tobytes()
