"""What lies in the place of a model's file, in a folder: a pointer, a web page, another kind of file, or nothing."""

import gzip
import io
import json
import pickle
import shutil
import zipfile
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from tokenizers import AddedToken, Tokenizer

import embedviz as ev
from embedviz import models
from embedviz.base.errors import Unavailable
from embedviz.models.files import disguise
from tests.models.hub import restart
from tests.models.shelf import on_shelf

NAME, FOLDER = "t/some", "models/t/some"
CAT = "the cat sat on the mat"
WEIGHTS, INDEX, CONFIG, TOKENIZER = (
    "model.safetensors", "model.safetensors.index.json", "config.json", "tokenizer.json",
)  # fmt: skip
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
PAGE = b"\n<!DOCTYPE html>\n<html><head><title>Log in</title></head></html>"


@pytest.fixture(scope="module")
def sound(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("sound")
    on_shelf("gpt2", found / "one", CAT)
    on_shelf("gpt2", found / "several", CAT, max_shard_size="6KB")
    return found


@pytest.fixture
def folder(sound, hf_home, tmp_path, configure, monkeypatch) -> Path:
    """The model in a folder of the operator's, on a machine that asks nobody."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    configure(models=tmp_path / "models")
    return Path(shutil.copytree(sound / "one", tmp_path / FOLDER))


@pytest.fixture
def several(folder, sound) -> Path:
    """The same model in several files."""
    shutil.rmtree(folder)
    return Path(shutil.copytree(sound / "several", folder))


def refusal() -> str:
    restart()
    with pytest.raises(Unavailable) as error:
        ev.embed(CAT, ev.Spec(source=NAME))
    blamed, said = str(error.value).split(f" of {NAME} cannot be read: ")
    assert blamed == ("The tokenizer" if TOKENIZER in said else "The vectors")
    return said


def as_zip(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("data", data)
    return file.getvalue()


def as_torch_saves(data: bytes) -> bytes:
    file = io.BytesIO()
    torch.save({"wte.weight": torch.ones(2, 2)}, file)
    return file.getvalue()


STRANGE = {
    "Git LFS": (
        lambda data: LFS,
        f"is a Git LFS pointer of {len(LFS)} bytes, not the file itself: run git lfs pull, or hf download.",
    ),
    "page": (
        lambda data: PAGE,
        "is a web page, such as that of a login, and not the file itself. Download the file again.",
    ),
    "page with a mark": (
        lambda data: b"\xef\xbb\xbf<!doctype html><title>404</title>",
        "is a web page, such as that of a login, and not the file itself. Download the file again.",
    ),
    "Git LFS from Windows": (
        lambda data: b"\xef\xbb\xbf" + LFS.replace(b"\n", b"\r\n"),
        f"is a Git LFS pointer of {len(LFS) + 6} bytes, not the file itself: run git lfs pull, or hf download.",
    ),
    "XML": (
        lambda data: b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
        "is a web page, such as that of a login, and not the file itself. Download the file again.",
    ),
    "pickle": (
        pickle.dumps,
        "is a pickle under another name. Opening one can run a program, so embedviz does not open it. Choose a model "
        "with safetensors.",
    ),
    "zip": (as_zip, "is a zip archive, as torch.save writes them too. Unpack it, or choose a model with safetensors."),
    "torch": (
        as_torch_saves,
        "is a zip archive, as torch.save writes them too. Unpack it, or choose a model with safetensors.",
    ),
    "gzip": (gzip.compress, "is compressed with gzip. Unpack it."),
    "gzip without a time": (lambda data: gzip.compress(data * 99, 0, mtime=0), "is compressed with gzip. Unpack it."),
    "a server's words": (
        lambda data: b"Entry not found",
        "is a short text, perhaps what a server said instead of sending the file. Download the file again.",
    ),
}


@pytest.mark.parametrize("strange", STRANGE)
@pytest.mark.parametrize("file", [WEIGHTS, CONFIG, TOKENIZER, INDEX, "shard"])
def test_what_lies_in_a_files_place_is_said(request, folder, file, strange):
    if file in (INDEX, "shard"):
        folder = request.getfixturevalue("several")
    if file == "shard":
        file = json.loads((folder / INDEX).read_text())["weight_map"]["wte.weight"]
    change, said = STRANGE[strange]
    (folder / file).write_bytes(change((folder / file).read_bytes()))
    assert refusal() == f"{file} {said}"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
@pytest.mark.parametrize("file", [CONFIG, TOKENIZER, INDEX])
def test_another_encoding(several, file, encoding):
    (several / file).write_text((several / file).read_text(), encoding=encoding)
    assert refusal() == f"{file} is in UTF-16, or begins with a byte order mark. Save it as UTF-8 without one."


@pytest.mark.parametrize("file", [WEIGHTS, CONFIG, TOKENIZER])
def test_a_file_that_is_empty(folder, file):
    (folder / file).write_bytes(b"")
    assert refusal() == f"{file} in {FOLDER} is empty. Copy it again."


@pytest.mark.parametrize("file", [WEIGHTS, CONFIG, TOKENIZER])
def test_a_folder_in_a_files_place(folder, file):
    (folder / file).unlink()
    (folder / file).mkdir()
    assert refusal() == f"{file} in {FOLDER} is a folder, and no file."


@pytest.mark.parametrize("file", [WEIGHTS, CONFIG, TOKENIZER])
def test_a_file_that_is_missing(folder, file):
    (folder / file).unlink()
    assert refusal() == f"{FOLDER} has no {file}. Copy this file too."


def test_one_of_several_files_that_is_missing(several):
    shard = json.loads((several / INDEX).read_text())["weight_map"]["wpe.weight"]
    (several / shard).unlink()
    assert refusal() == f"{FOLDER} has no {shard}. Copy this file too."


@pytest.mark.parametrize(
    ("file", "instead"),
    [
        *((TOKENIZER, each) for each in ("vocab.txt", "vocab.json", "tokenizer.model", "spiece.model")),
        *((WEIGHTS, each) for each in ("pytorch_model.bin", "pytorch_model.bin.index.json")),
    ],
)
def test_what_older_repositories_hold_instead(folder, file, instead):
    (folder / file).rename(folder / instead)
    assert refusal() == (
        f"{FOLDER} has no {file}. It has {instead}, which is not read here: the library transformers writes {file} "
        "when it opens the model and saves it again (save_pretrained)."
    )


@pytest.mark.parametrize("length", [0.1, 0.5, 0.99])
def test_weights_that_were_cut_short(folder, length):
    data = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(data[: int(len(data) * length)])
    said = refusal()
    assert "broken" in said
    assert said.endswith(f"The file is {WEIGHTS}.")


@pytest.mark.parametrize("file", [CONFIG, INDEX])
def test_json_that_was_cut_short(several, file):
    (several / file).write_bytes((several / file).read_bytes()[:-20])
    assert refusal() == f"its {file} is broken: it is not JSON. Choose another model."


def test_a_model_in_disguise_is_none_to_begin_with(folder):
    restart()
    assert models.installed() == (NAME,)
    for file, data in ((TOKENIZER, LFS), (TOKENIZER, PAGE), (WEIGHTS, LFS), (CONFIG, b"")):
        sound = (folder / file).read_bytes()
        (folder / file).write_bytes(data)
        restart()
        assert models.installed() == ()
        (folder / file).write_bytes(sound)


def test_sound_files_are_in_no_disguise(several):
    for path in several.iterdir():
        data = path.read_bytes()
        assert disguise(path.name, data, len(data)) is None


# Tokens without a row ----------------------------------------------------------------------------------------------


def with_tokens(folder: Path, *tokens: AddedToken) -> int:
    """Add tokens to the tokenizer alone, and make the table end where the tokenizer ended. Return its rows."""
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    n_rows = tokenizer.get_vocab_size()
    shutil.rmtree(folder)
    on_shelf("gpt2", folder, CAT, vocab_size=n_rows)
    tokenizer.add_tokens(list(tokens))
    tokenizer.save(str(folder / TOKENIZER))
    return n_rows


def test_a_token_that_was_added_to_the_tokenizer_alone(folder):
    n_rows = with_tokens(folder, AddedToken("[HL]", normalized=False))
    plain = ev.embed("the cat sat", ev.Spec(source=NAME))
    assert plain.token_embeddings.shape == (4, 12)
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed("the cat [HL] sat", ev.Spec(source=NAME))
    assert str(error.value) == (
        f"[HL] (ID {n_rows}) has no row: the table ends at {n_rows - 1}. It was probably added to the tokenizer only. "
        "Leave it out."
    )


@pytest.mark.parametrize("special", [True, False])
def test_a_token_around_every_text_that_has_no_row(folder, special):
    n_rows = with_tokens(folder, AddedToken("[CLS]", special=special, normalized=False))
    config = json.loads((folder / TOKENIZER).read_text())
    around = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    config["post_processor"] = {
        "type": "TemplateProcessing",
        "single": around,
        "pair": [*around, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [n_rows], "tokens": ["[CLS]"]}},
    }
    (folder / TOKENIZER).write_text(json.dumps(config))
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed("the cat", ev.Spec(source=NAME))
    assert str(error.value) == (
        f"[CLS] (ID {n_rows}) has no row: the table ends at {n_rows - 1}. The tokenizer puts it around every text. "
        "Switch special tokens off, as Compare and Attention can, or choose another model."
    )
    assert len(ev.embed("the cat", ev.Spec(source=NAME, special_tokens=False)).tokens) == 2
