"""Models that are not run: each is refused with a sentence that says why, and nothing of theirs is carried out."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import embedviz as ev
from embedviz.base.errors import Unavailable
from embedviz.layers import model_queue
from embedviz.models.hub.refusals import Missing
from embedviz.models.row_reader import NotDownloaded
from tests.models.hub import restart
from tests.models.shelf import on_shelf

TEXT = "the cat sat on the mat"
NAME = "own/model"


@pytest.fixture
def folder(models_folder):
    """A tiny GPT-2 in the folder of models."""
    on_shelf("gpt2", models_folder / NAME, TEXT, with_head=True)
    return models_folder / NAME


def refusal(kind: type[ev.EmbedvizError] = ev.EmbedvizError, source: str = NAME) -> str:
    restart()
    with pytest.raises(ev.EmbedvizError) as error:
        ev.forward(TEXT, ev.Spec(source=source))
    assert type(error.value) is kind
    return str(error.value)


def change(folder, **values: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def rewrite(folder, tensors: dict[str, torch.Tensor]) -> None:
    save_file(tensors, folder / "model.safetensors")


def test_an_encoder_with_a_decoder(models_folder):
    on_shelf("t5", models_folder / NAME, TEXT)
    assert refusal() == (
        "The layers of own/model cannot be run: it reads one text and writes another. Choose a model that reads one "
        "text, such as GPT-2 or BERT."
    )


def test_vectors_of_another_width_at_the_end(models_folder):
    on_shelf("opt, projected", models_folder / NAME, TEXT, with_head=True)
    assert refusal() == (
        "The layers of own/model cannot be run: its vectors are of another width after the last layer. Choose another "
        "model."
    )


def test_a_tensor_that_is_missing_is_not_made_up(folder):
    tensors = load_file(folder / "model.safetensors")
    del tensors["transformer.h.0.mlp.c_fc.weight"]
    rewrite(folder, tensors)
    assert refusal() == (
        "The layers of own/model cannot be run: its files lack tensors that its config.json calls for, or have them in "
        "another shape, such as transformer.h.0.mlp.c_fc.weight. Copy all files again, or choose another model."
    )


def test_a_tensor_of_another_shape(folder):
    tensors = load_file(folder / "model.safetensors")
    tensors["transformer.h.0.mlp.c_fc.weight"] = torch.zeros(12, 47)
    rewrite(folder, tensors)
    assert "another shape, such as transformer.h.0.mlp.c_fc.weight. Copy" in refusal()


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_not_finite(folder, number):
    tensors = load_file(folder / "model.safetensors")
    tensors["transformer.h.0.mlp.c_fc.bias"][3] = number
    rewrite(folder, tensors)
    assert refusal(Unavailable) == (
        "The layers of own/model cannot be run: transformer.h.0.mlp.c_fc.bias holds numbers that are not finite: the "
        "file is broken."
    )


def test_numbers_that_become_too_large(folder):
    tensors = load_file(folder / "model.safetensors")
    tensors["transformer.h.0.mlp.c_proj.weight"] *= 1e38
    rewrite(folder, tensors)
    assert "numbers that are not finite (NaN or infinity), or too large to compute with" in refusal()


def test_a_model_over_the_limit_names_the_setting_that_would_do(models_folder, configure):
    configure(models=models_folder)
    on_shelf("gpt2", models_folder / NAME, TEXT, with_head=True, n_embd=512, n_layer=1)
    configure(forward_mib=2)
    said = refusal()
    assert said.startswith("The layers of own/model cannot be run: that takes 13 MiB of memory; the limit of this ")
    needed = int(said.rpartition("set EMBEDVIZ_FORWARD_MIB to ")[2].split()[0])
    configure(forward_mib=needed)
    assert ev.forward(TEXT, ev.Spec(source=NAME)).hidden_states.shape[2] == 512


def test_a_server_that_runs_no_models(folder, configure):
    configure(forward_mib=0)
    assert refusal().startswith("The layers of own/model cannot be run: this server runs no models. On a machine of ")


def test_a_text_whose_results_take_too_much(models_folder, configure):
    on_shelf("llama", models_folder / NAME, TEXT, with_head=True)
    configure(forward_mib=1)
    with pytest.raises(ev.EmbedvizError, match=r"that takes \d+ MiB of memory; the limit of this server is 1\."):
        ev.forward("cat " * 400, ev.Spec(source=NAME))


def test_a_model_of_which_only_rows_are_here(hub_server):
    models_needed = (
        "openai-community/gpt2 is not whole on this machine. `hf download openai-community/gpt2` brings it, "
    )
    with pytest.raises(NotDownloaded) as error:
        ev.forward("dog", ev.Spec(source="gpt2"))
    assert str(error.value).startswith(f"The layers of gpt2 cannot be run: {models_needed}or a folder ")


@pytest.mark.parametrize("file", ["config.json", "model.safetensors"])
def test_a_folder_without_a_file(folder, file):
    spec = ev.Spec(source=NAME)
    (folder / file).unlink()
    restart()
    with pytest.raises(Unavailable, match=rf"own/model has no {file}\. Copy this file too\.$"):
        ev.forward(TEXT, spec)


def test_one_of_several_files_that_is_missing(models_folder):
    on_shelf("gpt2", models_folder / NAME, TEXT, with_head=True, max_shard_size="4KB")
    parts = json.loads((models_folder / NAME / "model.safetensors.index.json").read_text())["weight_map"]
    part = parts["transformer.h.0.mlp.c_fc.weight"]
    assert part not in {parts["transformer.wte.weight"], parts["transformer.wpe.weight"]}
    (models_folder / NAME / part).unlink()
    assert refusal(Missing).endswith(f"/own/model has no {part}. Copy this file too.")


def test_a_file_that_is_cut_short(folder):
    path = folder / "model.safetensors"
    spec = ev.Spec(source=NAME)
    path.write_bytes(path.read_bytes()[:-1])
    restart()
    with pytest.raises(Unavailable, match="broken or cut short"):
        ev.forward(TEXT, spec)


def test_code_that_comes_with_a_model_is_never_run(folder, tmp_path):
    """Neither what config.json names, nor a pickle beside the tensors, nor an adapter."""
    ran = tmp_path / "ran"
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'w')\nclass Evil: pass\nEvilConfig = Evil\n")
    names = {"AutoConfig": "evil.EvilConfig", "AutoModel": "evil.Evil", "AutoModelForCausalLM": "evil.Evil"}
    change(folder, auto_map=names)
    (folder / "pytorch_model.bin").write_bytes(b"no pickle")
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "evil"}')
    (folder / "generation_config.json").write_text('{"custom_generate": "evil"}')
    restart()
    assert ev.forward(TEXT, ev.Spec(source=NAME)).next_word is not None
    assert not ran.exists()


@pytest.mark.parametrize(
    "values",
    [
        {"num_labels": 10**9},
        {"id2label": {"x": "y"}},
        {"fusion_config": {"patch_embeddings": True}},
        {"quantization_config": {"quant_method": "gptq", "bits": 4}},
        {"transformers_weights": "elsewhere.bin"},
        {"_attn_implementation": "somebody/kernel"},
        {"attn_implementation": "somebody/kernel"},
        {"per_layer_config": [{}]},
        {"return_dict": False},
        {"dtype": "nothing"},
        {"torch_dtype": "float16"},
        {"output_attentions": False},
    ],
    ids=lambda values: next(iter(values)),
)
def test_what_is_not_about_layers_changes_nothing(folder, values):
    before = ev.forward(TEXT, ev.Spec(source=NAME))
    change(folder, **values)
    restart()
    after = ev.forward(TEXT, ev.Spec(source=NAME))
    assert after is not before
    np.testing.assert_array_equal(after.hidden_states, before.hidden_states)


@pytest.mark.parametrize("n", [3, 10**9])
def test_more_layers_than_there_are(folder, n):
    change(folder, n_layer=n)
    assert "its files lack tensors that its config.json calls for" in refusal()


@pytest.mark.parametrize(
    "values",
    [{"n_inner": 10**9}, {"n_head": 5}, {"n_head": 0}, {"activation_function": "nothing"}, {"n_layer": "1"}],
    ids=lambda values: f"{values}",
)
def test_a_config_that_cannot_be(folder, values):
    change(folder, **values)
    said = refusal()
    assert said.startswith("The layers of own/model cannot be run: ")
    assert said.endswith((".", ")."))


def test_models_used_longest_ago_make_room(models_folder, configure):
    configure(models=models_folder)
    for name in ("own/a", "own/b"):
        on_shelf("gpt2", models_folder / name, TEXT, with_head=True, n_embd=256)
    configure(forward_mib=5)  # one has 4
    for text, name in (("cat", "own/a"), ("cat", "own/b"), ("mat", "own/a")):
        ev.forward(text, ev.Spec(source=name))
    assert [found.name for found in model_queue.loaded_models] == ["own/a"]
