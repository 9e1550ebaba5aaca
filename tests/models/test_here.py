"""Which models can be shown whole without a network: real ones, tiny, in a folder, and one that is downloaded."""

import json
import shutil
from pathlib import Path

from embedviz.base.errors import Unavailable
from embedviz.models import hub_model, installed
from tests.models.hub import restart
from tests.models.tiny import made
from tests.text.tokenizer_files import tokenizer_json

MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def put(folder: Path, name: str, family: str = "bert") -> Path:
    made(family).save_pretrained(folder / name)
    (folder / name / "tokenizer.json").write_bytes(tokenizer_json("test/word-pieces"))
    return folder / name


def test_none_if_there_is_none(models_folder):
    assert installed() == ()


def test_models_in_the_folder_come_after_those_of_the_short_list(models_folder):
    put(models_folder, "own/zebra", "qwen3")
    put(models_folder, "own/ant")
    put(models_folder, MINILM)
    put(models_folder, "not a name/x")
    assert installed() == (MINILM, "own/ant", "own/zebra")
    assert hub_model("own/ant").token_table().shape == (hub_model("own/ant").layout().vocab_size, 12)


def test_the_answer_is_kept_for_a_while(models_folder):
    first = put(models_folder, "own/ant")
    assert installed() == ("own/ant",)
    shutil.rmtree(first)
    assert installed() == ("own/ant",)
    restart()
    assert installed() == ()


def test_a_model_that_is_cut_short_lacks_its_tokenizer_or_is_of_no_known_family_is_not_here(models_folder):
    weights = put(models_folder, "own/cut") / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 3])
    (put(models_folder, "own/mute") / "tokenizer.json").unlink()
    config = put(models_folder, "own/strange") / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"model_type": "strange"}))
    put(models_folder, "own/good")
    assert installed() == ("own/good",)


def test_a_downloaded_table_is_here_once_it_is_whole(hub_server):
    hub_server.faults = ["", "", "", "503"]
    assert installed() == ()
    try:
        hub_model("gpt2").download()
    except Unavailable:
        assert installed() == ()
    hub_server.faults = [""]
    hub_model("gpt2").download()
    assert installed() == ("gpt2",)
    restart()
    assert installed() == ("gpt2",)
