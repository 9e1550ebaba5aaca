"""Under which names a file may hold the token table, held against transformers, a tiny model of every family."""

import json
import shutil
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file, save_model
from transformers.utils import logging

from embedviz.base.errors import EmbedvizError
from embedviz.models import identity
from embedviz.models.checkpoints import checkpoint
from embedviz.models.families import FAMILIES, layout
from embedviz.models.local import LocalFiles
from tests.models.tiny import HEADS, TINY, made

WEIGHTS, INDEX = "model.safetensors", "model.safetensors.index.json"
PREFIXES = ("", "model.", "transformer.", "bert.", "language_model.", "language_model.model.", "strange.")
SILENT = object()  # a config.json that does not say whether the head is tied


@pytest.fixture(scope="module", autouse=True)
def quiet():
    """Transformers draws a bar for every model that it loads."""
    logging.disable_progress_bar()
    yield
    logging.enable_progress_bar()


@pytest.fixture
def model(name: str, tmp_path: Path) -> torch.nn.Module:
    """The tiny model with its head, which transformers has saved."""
    found = made(name, with_head=True)
    found.save_pretrained(tmp_path)
    return found


def ours(folder: Path) -> np.ndarray | str:
    """The token table as it is read here, or why it is not."""
    files = LocalFiles(folder)
    try:
        token = identity.resolve(files, checkpoint("owner/name")).token
    except EmbedvizError as error:
        return str(error)
    return token.decode(files.read(token.file, token.version, token.start, token.nbytes, 0.0))


def theirs(name: str, folder: Path, table: np.ndarray) -> np.ndarray | None:
    """The token table as transformers loads it; None if it fills the table with random numbers."""
    loaded = HEADS[TINY[name].head].from_pretrained(folder).get_input_embeddings().weight.detach().numpy()
    return loaded if np.isin(loaded, table).all() else None


def check(name: str, folder: Path, *tables: torch.Tensor) -> None:
    found, loaded = ours(folder), theirs(name, folder, torch.cat(tables).numpy())
    if loaded is None:
        assert isinstance(found, str), "read, though transformers takes random numbers"
    else:
        assert not isinstance(found, str), found
        assert found.tobytes() == loaded.tobytes()


def with_tied(folder: Path, tied: object) -> None:
    config = json.loads((folder / "config.json").read_text())
    config.pop("tie_word_embeddings", None)
    (folder / "config.json").write_text(json.dumps(config | ({} if tied is SILENT else {"tie_word_embeddings": tied})))


def without_tables(folder: Path, shape: torch.Size) -> dict[str, torch.Tensor]:
    return {name: each for name, each in load_file(folder / WEIGHTS).items() if each.shape != shape}


def save(folder: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    save_file({name: each.contiguous().clone() for name, each in tensors.items()}, folder / WEIGHTS, {"format": "pt"})


@pytest.mark.parametrize("name", FAMILIES)
def test_the_table_is_found_where_transformers_finds_it(name, model, tmp_path):
    """Under each name, behind each prefix, and the table of the head alone whether the head is tied or not."""
    table = model.get_input_embeddings().weight.detach()
    rest = without_tables(tmp_path, table.shape)
    names = (FAMILIES[name].token, *{alias.removeprefix("model.") for alias in FAMILIES[name].aliases})
    for full in {prefix + each for prefix, each in product((*PREFIXES, *FAMILIES[name].prefixes), names)}:
        with_tied(tmp_path, True)
        save(tmp_path, rest | {full: table})
        check(name, tmp_path, table)
    for tied, alias in product((SILENT, False), FAMILIES[name].aliases):
        with_tied(tmp_path, tied)
        save(tmp_path, rest | {alias: table})
        check(name, tmp_path, table)


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
@pytest.mark.parametrize("name", FAMILIES)
def test_of_two_tables_it_is_the_one_that_transformers_takes(name, tied, model, tmp_path):
    table = model.get_input_embeddings().weight.detach()
    rest = without_tables(tmp_path, table.shape)
    with_tied(tmp_path, tied)
    own, aliases = FAMILIES[name].prefixes[0] + FAMILIES[name].token, FAMILIES[name].aliases
    once = [each for each in aliases if not any(each.endswith(f".{other}") for other in aliases)]  # without prefixes
    for first, second in product((own, *once), repeat=2):
        if first != second:
            save(tmp_path, rest | {first: table, second: table + 1})
            check(name, tmp_path, table, table + 1)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_model_saved_by_safetensors_own_function(name, model, tmp_path):
    """It keeps the first name of shared tensors, in the alphabet, which is often that of the head."""
    model.tie_weights()
    save_model(model, str(tmp_path / WEIGHTS))
    found = ours(tmp_path)
    assert not isinstance(found, str), found
    assert found.tobytes() == model.get_input_embeddings().weight.detach().numpy().tobytes()


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if family.tied is not False])
def test_the_heads_table_in_another_of_several_files(name, model, tmp_path):
    table = model.get_input_embeddings().weight.detach()
    shutil.copytree(tmp_path, tmp_path / "whole")
    rest = without_tables(tmp_path, table.shape)
    (tmp_path / WEIGHTS).unlink()
    shards = {"model-00001-of-00002.safetensors": rest, "model-00002-of-00002.safetensors": {}}
    shards["model-00002-of-00002.safetensors"] = {FAMILIES[name].aliases[-1]: table.clone()}
    for file, tensors in shards.items():
        save_file(tensors, tmp_path / file, {"format": "pt"})
    places = {each: file for file, tensors in shards.items() for each in tensors}
    (tmp_path / INDEX).write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))
    check(name, tmp_path, table)
    assert isinstance(ours(tmp_path), np.ndarray)


def test_gemma_3_is_tied_as_the_whole_model_says(tmp_path):
    """What the part for texts says of its head does not count."""
    model = made("gemma3", with_head=True)
    model.save_pretrained(tmp_path)
    table = model.get_input_embeddings().weight.detach()
    save(tmp_path, without_tables(tmp_path, table.shape) | {"lm_head.weight": table})
    config = json.loads((tmp_path / "config.json").read_text())
    for whole, part in product((True, False, None), repeat=2):
        changed = config | {"tie_word_embeddings": whole}
        changed["text_config"] = config["text_config"] | ({} if part is None else {"tie_word_embeddings": part})
        (tmp_path / "config.json").write_text(json.dumps(changed))
        check("gemma3", tmp_path, table)
        assert isinstance(ours(tmp_path), np.ndarray) == (whole is True)


def test_why_the_heads_table_is_not_taken(tmp_path):
    model = made("llama", with_head=True)
    model.save_pretrained(tmp_path)
    table = model.get_input_embeddings().weight.detach()
    save(tmp_path, without_tables(tmp_path, table.shape) | {"lm_head.weight": table})
    assert ours(tmp_path) == (
        "model.safetensors has no embed_tokens.weight. It has lm_head.weight, but tie_word_embeddings, which is false "
        "here, says that this is another table. If the model was trained with one table for both, write true into "
        "config.json."
    )
    with_tied(tmp_path, True)
    assert ours(tmp_path).tobytes() == table.numpy().tobytes()
    save(tmp_path, {"some.weight": table})
    assert ours(tmp_path) == "the file has no embed_tokens.weight."


def test_tied_as_config_json_says():
    assert layout({"model_type": "gpt2"}).tied
    assert not layout({"model_type": "gpt2", "tie_word_embeddings": False}).tied
    assert layout({"model_type": "t5", "tie_word_embeddings": False}).tied
    with pytest.raises(EmbedvizError, match="must be true or false, not 'yes'"):
        layout({"model_type": "gpt2", "tie_word_embeddings": "yes"})
