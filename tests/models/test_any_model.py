"""A model of any family by its name alone: from the Hub with a second host behind it, from a folder, from the disk."""

import json
import shutil
import socket
from pathlib import Path

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.models.families import layout
from embedviz.models.identity import HEAD_BYTES
from tests.models.hub import Hub, restart, running, use
from tests.models.shelf import bytes_of, ids_of, on_shelf
from tests.models.tiny import TINY, Seen

NAME = "owner/name"
CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
ALLOWED = 200_000  # bytes of rows for the two sentences


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """Each family's tiny model in a folder of its own, once."""
    kept: dict[str, Seen] = {}

    def get(name: str) -> Seen:
        if name not in kept:
            kept[name] = on_shelf(name, tmp_path_factory.mktemp("model") / "here", CAT)
        return kept[name]

    return get


@pytest.fixture
def connections(monkeypatch) -> set[int]:
    """The ports that anything in this process has connected to since."""
    found: set[int] = set()
    connect = socket.socket.connect

    def recorded(self, address):
        found.add(address[1])
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", recorded)
    return found


@pytest.fixture
def hub(hf_home, connections, monkeypatch):
    """A Hub that sends every file from a second host; nobody else is asked, and only the Hub gets the token."""
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with running(Hub(etag="another-name-there")) as storage, running(Hub(storage=storage)) as found:
        use(found.address, monkeypatch)
        yield found
        assert {request.authorization for request in found.requests} <= {"Bearer hf_secret"}
        assert {request.authorization for request in storage.requests} <= {None}
        assert all(request.path.startswith(f"/{NAME}/resolve/") for request in found.requests + storage.requests)
        assert connections <= {int(each.address.rpartition(":")[2]) for each in (found, storage)}


def serve(hub: Hub, folder: Path) -> None:
    hub.files[NAME] = hub.storage.files[NAME] = folder


def bits(embedded: ev.Embedded) -> list[bytes]:
    names = ("token_embeddings", "positional_embeddings", "input_embeddings", "first_layer")
    return [getattr(embedded, name).tobytes() for name in names]


def check(name: str, looked: Seen, found: ev.Embedded) -> None:
    """The vectors are those that were seen in the model; equal to the bit where the model only adds."""
    described = layout(looked.config)
    assert found.tokens.ids == ids_of(name, CAT)
    assert {array.dtype for array in (found.token_embeddings, found.first_layer)} == {np.dtype(np.float32)}
    if described.factor == 1 and not described.projection:
        assert found.token_embeddings.tobytes() == looked.looked_up.tobytes()
    if looked.positional is None:
        assert not found.positional_embeddings.any()
    else:
        assert found.positional_embeddings.tobytes() == looked.positional.tobytes()
    added = (
        found.token_embeddings if found.segment_embedding is None else found.token_embeddings + found.segment_embedding
    )
    assert found.input_embeddings.tobytes() == (added + found.positional_embeddings).tobytes()
    if TINY[name].only_additions:
        assert found.input_embeddings.tobytes() == found.first_layer.tobytes() == looked.entered.tobytes()
    else:
        np.testing.assert_allclose(found.first_layer, looked.entered, rtol=2e-6, atol=2e-6)


@pytest.mark.parametrize("name", TINY)
def test_every_family_by_its_name_alone(shelf, hub, configure, tmp_path, name):
    looked = shelf(name)
    folder = looked.folder.parent / "here"
    serve(hub, folder)
    found = [ev.embed(text, ev.Spec(source=NAME)) for text in (CAT, MAT)]
    check(name, looked, found[0])
    sent = sum(request.sent for request in hub.storage.requests)
    assert 0 < sent < bytes_of(folder, ["config.json", "tokenizer.json"]) + HEAD_BYTES + ALLOWED

    asked = len(hub.requests)
    restart()  # rows, config and tokenizer are on the disk
    again = [ev.embed(text, ev.Spec(source=NAME)) for text in (CAT, MAT)]
    assert list(map(bits, again)) == list(map(bits, found))

    shutil.rmtree(tmp_path / "home")
    restart()
    shutil.copytree(folder, tmp_path / "models" / NAME)
    configure(models=tmp_path / "models")
    here = [ev.embed(text, ev.Spec(source=NAME)) for text in (CAT, MAT)]
    assert list(map(bits, here)) == list(map(bits, found))
    assert len(hub.requests) == asked


@pytest.mark.parametrize(
    "model",
    [
        ("bert", {"max_shard_size": "6KB"}),
        ("gpt2", {"max_shard_size": "6KB", "with_head": True}),
        ("qwen3", {"dtype": torch.bfloat16}),
        ("gpt2", {"dtype": torch.float16}),
        ("gpt2", {"dtype": torch.bfloat16, "max_shard_size": "6KB"}),
    ],
)
@pytest.mark.parametrize("where", ["hub", "folder"])
def test_several_files_and_short_numbers(hub, configure, tmp_path, model, where):
    name, how = model
    folder = tmp_path / "models" / NAME
    looked = on_shelf(name, folder, CAT, **how)
    assert (folder / "model.safetensors.index.json").exists() == ("max_shard_size" in how)
    if where == "hub":
        serve(hub, folder)
    else:
        configure(models=tmp_path / "models")
    check(name, looked, ev.embed(CAT, ev.Spec(source=NAME)))
    assert bool(hub.requests) == (where == "hub")


def test_shards_without_a_wanted_table_are_left_alone(hub, tmp_path):
    looked = on_shelf("bert", tmp_path / "model", CAT, max_shard_size="6KB")
    serve(hub, tmp_path / "model")
    check("bert", looked, ev.embed(CAT, ev.Spec(source=NAME)))
    asked = {request.path.rpartition("/")[2] for request in hub.requests}
    places = json.loads((tmp_path / "model/model.safetensors.index.json").read_text())["weight_map"]
    wanted = {file for tensor, file in places.items() if tensor.startswith("embeddings.")}
    assert {file for file in asked if file.startswith("model-")} == wanted < set(places.values())


def test_a_large_table_gives_only_the_rows_that_are_needed(hub, tmp_path):
    folder = tmp_path / "model"
    looked = on_shelf("gpt2", folder, CAT, n_embd=768, vocab_size=20_000)
    serve(hub, folder)
    a, b = (ev.embed(text, ev.Spec(source=NAME)) for text in (CAT, MAT))
    check("gpt2", looked, a)
    assert sorted(a.tokens.ids) == sorted(b.tokens.ids)
    weights = [request for request in hub.storage.requests if request.path.endswith("model.safetensors")]
    rows = sum(request.sent for request in weights) - HEAD_BYTES
    assert 0 < rows < ALLOWED < bytes_of(folder, ["model.safetensors"]) / 100
