"""Models that cannot be shown: each is refused in one plain sentence, and no more is asked than is needed."""

import json
import shutil
import struct
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import embedviz as ev
from embedviz.base.errors import Unavailable
from embedviz.models.hub import fetch_limiter
from embedviz.models.hub.refusals import Missing
from tests.models.hub import Hub, restart
from tests.models.shelf import on_shelf

NAME = "google-bert/bert-base-uncased"  # one of those on the list, so that pages can be opened with it
CAT = "the cat sat on the mat"
PICKLE, WEIGHTS, INDEX = "pytorch_model.bin", "model.safetensors", "model.safetensors.index.json"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny GPT-2, made once."""
    found = tmp_path_factory.mktemp("sound") / "model"
    on_shelf("gpt2", found, CAT)
    return found


@pytest.fixture
def folder(sound: Path, hub_server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny GPT-2 on the Hub, sound so far."""
    monkeypatch.delenv("HF_TOKEN", raising=False)
    found = tmp_path / "model"
    shutil.copytree(sound, found)
    hub_server.files[NAME] = found
    return found


def refusal(name: str = NAME, kind: type[ev.EmbedvizError] = Unavailable) -> str:
    """What is said of the model, which begins with its name."""
    restart()
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed(CAT, ev.Spec(source=name))
    assert type(error.value) is kind
    said = str(error.value)
    blamed, _colon, said = said.partition(f" of {name} cannot be read: ")
    assert blamed in ("The vectors", "The tokenizer")
    assert said.endswith(".")
    return said


def asked(hub: Hub) -> list[tuple[str, str]]:
    return [(request.method, request.path.rpartition("/")[2]) for request in hub.requests]


def with_config(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_sound_model_passes(folder):
    assert ev.embed(CAT, ev.Spec(source=NAME)).input_embeddings.shape[1] == 12


def test_a_repository_that_does_not_exist(hub_server):
    assert refusal("nobody/nothing").startswith("there is no model of this name, or it has no config.json. Check the")
    assert asked(hub_server) == [("HEAD", "config.json")]


def test_no_config(folder, hub_server):
    (folder / "config.json").unlink()
    assert refusal().startswith("there is no model of this name, or it has no config.json. Check the name")
    assert asked(hub_server) == [("HEAD", "config.json")]


@pytest.mark.parametrize("pickle", [PICKLE, f"{PICKLE}.index.json"])
def test_weights_as_a_pickle_alone(folder, hub_server, pickle):
    (folder / WEIGHTS).rename(folder / pickle)
    said = refusal()
    assert said.startswith(f"the model has its weights as {pickle} alone. That is a pickle")
    assert said.endswith("Choose a model with safetensors.")
    assert ("HEAD", pickle) in asked(hub_server)
    assert {file for method, file in asked(hub_server) if method == "GET"} == {"config.json"}


def test_no_weights_at_all(folder, hub_server):
    (folder / WEIGHTS).unlink()
    assert refusal().startswith("the model has no weights as safetensors. Choose")


@pytest.mark.parametrize("status", ["401", "403"])
@pytest.mark.parametrize("file", ["config.json", WEIGHTS, "tokenizer.json"])
@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_a_gated_model(folder, hub_server, status, file, method):
    hub_server.closed = {(method, file): int(status)}
    said = refusal()
    assert said.endswith(
        f"does not give the file out ({status}). If the model's page there asks for it, accept the model's terms, "
        "and start embedviz with your token in HF_TOKEN."
    )
    assert asked(hub_server)[-1] == (method, file)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model_type": "mamba"}, "model_type in config.json must be one of gpt2, gpt_neo, "),
        ({"model_type": None}, "model_type in config.json must be one of gpt2, gpt_neo, "),
        ({"model_type": ["gpt2"]}, "model_type in config.json must be one of gpt2, gpt_neo, "),
        ({"model_type": "g" * 10_000}, "model_type in config.json must be one of gpt2, gpt_neo, "),
        ({"n_embd": "12"}, "n_embd in config.json must be a whole number from 1 to "),
        ({"n_embd": 12.0}, "n_embd in config.json must be a whole number from 1 to "),
        ({"n_embd": {}}, "n_embd in config.json must be a whole number from 1 to "),
        ({"n_embd": 10**100}, "n_embd in config.json must be a whole number from 1 to "),
        ({"vocab_size": -1}, "vocab_size in config.json must be a whole number from 1 to "),
        ({"vocab_size": True}, "vocab_size in config.json must be a whole number from 1 to "),
        ({"n_positions": [20]}, "n_positions in config.json must be a whole number from 1 to "),
    ],
)
def test_a_config_that_makes_no_sense(folder, hub_server, changes, said):
    with_config(folder, **changes)
    found = refusal(kind=ev.EmbedvizError)
    assert found.startswith(said)
    assert len(found) < 400
    assert asked(hub_server) == [("HEAD", "config.json"), ("GET", "config.json")]


def test_a_strange_family_is_asked_for_once(folder, hub_server, monkeypatch):
    with_config(folder, model_type="mamba")
    first = refusal(kind=ev.EmbedvizError)
    for _ in range(5):  # a visitor types, and no letter asks the Hub again
        with pytest.raises(ev.EmbedvizError, match="mamba"):
            ev.Spec(source=NAME)
    assert len(hub_server.requests) == 2
    with_config(folder, model_type="gpt2")
    monkeypatch.setattr(fetch_limiter, "FAILURE_SECONDS", 0)
    assert "mamba" in first
    assert ev.Spec(source=NAME).output_dim == 12


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "config.json is empty. Choose another model."),
        (b"{", "its config.json is broken: it is not JSON. Choose another model."),
        (b"[]", "its config.json is broken: it is not JSON. Choose another model."),
        (b'"gpt2"', "its config.json is broken: it is not JSON. Choose another model."),
        (b"\xff\xfe{}", "config.json is in UTF-16, or begins with a byte order mark. Save it as UTF-8 without one."),
        (b"[" * 100_000, "its config.json is broken: it is not JSON. Choose another model."),
        (b'{"vocab_size": ' + b"9" * 401 + b"}", "its config.json is broken: it is not JSON. Choose another model."),
        (
            b'{"a": [' + b"0," * 150_001 + b"0]}",
            "one of its JSON files has more than 150,000 values. Choose another model.",
        ),
        (b'{"vocab_size": ' + b"9" * 5000 + b"}", "its config.json is broken: it is not JSON. Choose another model."),
        (b" " * 2**20 + b"{}", "config.json has 1.0 MB; the limit is 1.0. Choose another model."),
    ],
)
def test_a_config_that_is_none(folder, hub_server, content, said):
    (folder / "config.json").write_bytes(content)
    assert refusal() == said
    assert {file for _, file in asked(hub_server)} == {"config.json"}


@pytest.mark.parametrize(
    ("key", "size"), [("n_embd", 16), ("vocab_size", 349), ("vocab_size", 351), ("n_positions", 21)]
)
def test_tables_of_other_sizes_than_the_config_says(folder, key, size):
    with_config(folder, **{key: size})
    assert "has another shape than the model" in refusal()


@pytest.mark.parametrize(
    "places",
    [
        {"wte.weight": "../x/model.safetensors"},
        {"wte.weight": "..\\model.safetensors"},
        {"wte.weight": "/etc/model.safetensors"},
        {"wte.weight": "pytorch_model-00001-of-00002.bin"},
        {"wte.weight": "model\0.safetensors"},
        {"wte.weight": "model.safetensors?download"},
        {"wte.weight": "http://x/model.safetensors"},
        {"wte.weight": f"{'m' * 5000}.safetensors"},
        {"wte.weight": ".safetensors"},
        {"wte.weight": ["model.safetensors"]},
        {"wte.weight": None},
        {},
        [],
        None,
        "model.safetensors",
    ],
)
@pytest.mark.parametrize("where", ["hub", "folder"])
def test_an_index_that_leads_elsewhere(folder, hub_server, configure, places, where):
    (folder / WEIGHTS).rename(folder / "other.safetensors")
    (folder / INDEX).write_text(json.dumps({"weight_map": places}))
    if where == "folder":
        (folder.parent / NAME).parent.mkdir()
        folder.rename(folder.parent / NAME)
        configure(models=folder.parent)
    assert refusal() == f"{INDEX} is broken: it does not say which file holds which table."
    if where == "folder":
        assert hub_server.requests == []
    assert {file for _, file in asked(hub_server)} <= {"config.json", WEIGHTS, INDEX}


def test_an_index_that_is_no_json(folder):
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text("{")
    assert refusal() == f"its {INDEX} is broken: it is not JSON. Choose another model."


def test_a_shard_that_is_missing(folder):
    (folder / WEIGHTS).unlink()
    (folder / INDEX).write_text(
        json.dumps({"weight_map": {"wte.weight": "a.safetensors", "wpe.weight": "a.safetensors"}})
    )
    assert "does not have the file (404)" in refusal(kind=Missing)


def test_a_header_over_the_limit(folder, hub_server, configure):
    tensors = load_file(folder / WEIGHTS)
    save_file(tensors, folder / WEIGHTS, {"padding": "p" * 2**21})
    assert ev.embed(CAT, ev.Spec(source=NAME)).spec.output_dim == 12
    configure(header_mib=1)
    hub_server.requests.clear()
    for path in (folder.parent / "home").rglob("version.json"):
        path.unlink()
    assert refusal() == ("its header has 2.1 MB; the limit is 1.0. Choose another model, or raise EMBEDVIZ_HEADER_MIB.")
    assert sum(request.sent for request in hub_server.gets()) < 100_000


def test_a_table_that_its_header_puts_elsewhere(folder):
    path = folder / WEIGHTS
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    name = next(name for name in header if name.endswith("wte.weight"))
    header[name]["data_offsets"] = [at + 10**9 for at in header[name]["data_offsets"]]
    new = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(new)) + new + data[8 + length :])
    assert refusal().startswith("the file is broken or cut short: ")


# Tokenizers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("other", ["tokenizer.model", "vocab.txt"])
def test_no_tokenizer_that_can_be_read(folder, hub_server, other):
    (folder / "tokenizer.json").rename(folder / other)
    assert refusal() == (
        "it has no tokenizer.json that can be had here. Other files of tokenizers, such as tokenizer.model and "
        "vocab.txt, are not read. Choose a model with tokenizer.json."
    )
    assert other not in {file for _, file in asked(hub_server)}


def test_a_tokenizer_over_the_limit(folder, hub_server, configure):
    configure(tokenizer_mib=1)
    with (folder / "tokenizer.json").open("ab") as file:
        file.write(b" " * 2**20)
    assert refusal() == "tokenizer.json has 1.1 MB; the limit is 1.0. Choose another model."
    assert ("GET", "tokenizer.json") not in asked(hub_server)


def test_ids_beyond_the_table(folder, hub_server):
    tensors = load_file(folder / WEIGHTS)
    name = next(name for name in tensors if name.endswith("wte.weight"))
    save_file(tensors | {name: tensors[name][:300].clone(), "zzz": torch.ones(10_000)}, folder / WEIGHTS)
    with_config(folder, vocab_size=300)
    restart()
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed(CAT, ev.Spec(source=NAME))
    assert str(error.value) == (
        "␣on (ID 312) has no row: the table ends at 299. The tokenizer is that of another model. Take the "
        "tokenizer.json that comes with this one."
    )


def test_rubbish_in_the_place_of_a_tokenizer(folder):
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(
        ev.EmbedvizError, match=r"^The tokenizer\.json of .* is damaged, or of a kind that is not known"
    ):
        ev.embed(CAT, ev.Spec(source=NAME))


# Names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "a/b/c", "../x", "a/..", "./x", "/x", "a/", "/", "a b/c", "a/b c", "http://x/y", "a\\b/c", "a/b\0", "a/b?x",
        "a/b#x", "a/b%2fc", "ä/b", "a/b\n", "a/b--c", "a/b.git", "a/b.", "-a/b", "a" * 100_000 + "/b", "a/" + "b" * 97,
    ],
)  # fmt: skip
def test_names_that_are_none_ask_nobody(hub_server, name):
    with pytest.raises(ev.EmbedvizError) as error:
        ev.Spec(source=name)
    assert type(error.value) is ev.EmbedvizError
    assert str(error.value).startswith("A model on the Hub has a name such as Qwen/Qwen3-0.6B: owner, slash, name. ")
    assert len(str(error.value)) < 300
    assert hub_server.requests == []


@pytest.mark.parametrize("allowed", ["list", "somebody/else Qwen/Qwen3-4B"])
@pytest.mark.parametrize("how", ["source", "tokenizer"])
def test_a_server_with_a_fixed_list_asks_for_no_other(hub_server, configure, allowed, how):
    configure(sources=allowed)
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed(CAT, ev.Spec(**{how: "owner/name"}))
    assert str(error.value) == (
        "This server shows a fixed list of models, and owner/name is not among them. On a machine of your own, "
        "embedviz reads every model of a known family."
    )
    assert hub_server.requests == []


def test_a_name_on_the_servers_own_list_is_read(folder, hub_server, configure):
    configure(sources="owner/name")
    hub_server.files["owner/name"] = folder
    assert ev.embed(CAT, ev.Spec(source="owner/name")).spec.output_dim == 12


def test_a_model_that_is_too_wide(folder, monkeypatch):
    monkeypatch.setattr("embedviz.vectors.spec.MAX_OUTPUT_DIM", 11)
    with pytest.raises(ev.EmbedvizError) as error:
        ev.Spec(source=NAME)
    assert str(error.value) == (
        f"The vectors of {NAME} have 12 dimensions; 11 are the most here. Take another source, such as random."
    )
