"""Whole models that are brought from a server in the Hub's layout: only what is needed, piece by piece, and bounded."""

import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from huggingface_hub import constants, try_to_load_from_cache
from transformers import AutoModelForCausalLM

import embedviz as ev
from embedviz.base.errors import Unavailable
from embedviz.layers import model_download
from embedviz.layers.runnable import runnable
from embedviz.models.checkpoints import checkpoint
from embedviz.models.kept import store
from embedviz.vocabulary import fetching
from tests.models.hub import restart
from tests.models.shelf import ids_of, on_shelf
from tests.two import at_once

NAME = "own/model"
TEXT = "the cat sat on the mat"
HANGS = 60


@pytest.fixture
def served(hub_server, models_folder, tmp_path):
    """Puts a tiny model onto the Hub, with files beside it that nobody should ask for; its folder."""

    def put(kind: str = "gpt2", **more: object):
        folder = tmp_path / "served"
        on_shelf(kind, folder, TEXT, **{"with_head": kind != "bert"} | more)
        (folder / "modeling_own.py").write_text("raise SystemExit")
        (folder / "pytorch_model.bin").write_bytes(b"pickle")
        hub_server.files[NAME] = folder
        return folder

    return put


def carried_out(name: str = NAME) -> list[tuple[int, int]]:
    told = []
    model_download.download(model_download.parcel(name), lambda *each: told.append(each))
    return told


def weights_sent(hub) -> int:
    """The bytes of model.safetensors that were sent in pieces, without those at its head."""
    return sum(each.sent for each in hub.gets() if each.path.endswith("model.safetensors"))


@pytest.mark.parametrize("kind", ["gpt2", "llama", "bloom", "bert"])
def test_a_model_that_was_brought_is_run(served, hub_server, kind):
    folder = served(kind)
    assert runnable() == {}
    found = model_download.parcel(NAME)
    files = {"config.json", "tokenizer.json", "model.safetensors"}
    assert {file for file, _version in found.files} == files
    assert found.nbytes == sum((folder / file).stat().st_size for file in files)
    told = carried_out()
    assert told[0] == (0, found.nbytes)
    assert told[-1] == (found.nbytes, found.nbytes)
    assert runnable() == {NAME: "encoder" if kind == "bert" else "causal"}
    assert runnable()[NAME] == found.kind
    assert {each.path.rpartition("/")[2] for each in hub_server.requests if NAME in each.path} == files
    kept = Path(try_to_load_from_cache(NAME, "model.safetensors"))
    assert kept.read_bytes() == (folder / "model.safetensors").read_bytes()
    if kind == "bert":
        assert ev.forward(TEXT, ev.Spec(source=NAME)).next_word is None
        return
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        expected = model(torch.tensor([ids_of(kind, TEXT)])).logits[0, -1].softmax(-1)
    np.testing.assert_allclose(ev.forward(TEXT, ev.Spec(source=NAME)).next_word, expected, atol=1e-5)


def test_weights_in_several_files_are_brought_with_their_index(served):
    folder = served("llama", max_shard_size="4KB")
    n_shards = len([*folder.glob("*.safetensors")])
    assert n_shards > 1
    carried_out()
    assert len(model_download.parcel(NAME).files) == n_shards + 3
    assert NAME in runnable()
    assert ev.forward(TEXT, ev.Spec(source=NAME)).next_word.sum() == pytest.approx(1, abs=1e-5)


def test_it_goes_on_where_it_stopped(served, hub_server, monkeypatch):
    size = (served() / "model.safetensors").stat().st_size
    monkeypatch.setattr(model_download, "PIECE", 1000)
    found = model_download.parcel(NAME)
    before = weights_sent(hub_server)

    class Enough(Exception):
        pass

    def stop(done: int, _total: int) -> None:
        if done >= 3000:
            raise Enough

    with pytest.raises(Enough):
        model_download.download(found, stop)
    assert runnable() == {}
    restart()  # another server, later
    told = carried_out()
    assert told[0] == (3000, found.nbytes)
    heads = 2 * before  # both times the size was asked for
    assert weights_sent(hub_server) == heads + size
    assert NAME in runnable()


def test_what_is_there_is_not_asked_for_again(served, hub_server):
    served()
    carried_out()
    n = len(hub_server.gets())
    assert carried_out() == [(model_download.parcel(NAME).nbytes,) * 2]
    assert len(hub_server.gets()) == n


TOGETHER = f"""
from embedviz.layers import model_download
model_download.PIECE = 1000
found = model_download.parcel("{NAME}")
"""
BRING = """
told = []
model_download.download(found, lambda *each: told.append(each))
print(*told[-1])
"""


def test_two_processes_that_bring_the_same_model_at_once_bring_it_once(served, hub_server, models_folder, hf_home):
    folder = served()
    size = (folder / "model.safetensors").stat().st_size
    variables = {
        "HF_ENDPOINT": hub_server.address,
        "HF_HOME": str(hf_home),
        "HF_HUB_CACHE": str(hf_home / "hub"),
        "HF_ASSETS_CACHE": str(hf_home / "assets"),
        "HF_HUB_DISABLE_XET": "1",
    }
    said = at_once(TOGETHER, BRING, variables)
    nbytes = model_download.parcel(NAME).nbytes
    assert said == [[f"{nbytes} {nbytes}"]] * 2
    pieces = [each.range for each in hub_server.gets() if each.path.endswith("model.safetensors") and each.sent == 1000]
    assert len(pieces) == len(set(pieces)) == size // 1000
    kept = Path(try_to_load_from_cache(NAME, "model.safetensors"))
    assert kept.read_bytes() == (folder / "model.safetensors").read_bytes()
    assert NAME in runnable()
    assert not [*model_download.part_folder(model_download.checkpoint(NAME)).glob("*.part")]


def test_who_waits_for_another_process_tells_how_far_it_is_and_may_leave(served, monkeypatch):
    served()
    monkeypatch.setattr(store, "LOOK_SECONDS", 0.01)
    found, told = model_download.parcel(NAME), []

    class Enough(Exception):
        pass

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        if len(told) == 3:
            raise Enough

    with store.exclusive("bringing"), pytest.raises(Enough):
        model_download.download(found, progress)
    assert told == [(0, found.nbytes)] * 3
    assert carried_out()[-1] == (found.nbytes, found.nbytes)


def refused(name: str = NAME) -> str:
    restart()
    with pytest.raises(ev.EmbedvizError) as error:
        carried_out(name)
    assert runnable() == {}
    return str(error.value)


START = f"{NAME} cannot be brought onto this machine: "


def test_a_model_that_takes_more_memory_than_the_server_gives_is_not_even_downloaded(served, hub_server, configure):
    served(n_embd=256, vocab_size=2000)
    for limit in (1, 3):
        configure(forward_mib=limit)
        n = len(hub_server.gets())
        assert refused().startswith(f"{START}that takes ")
        assert len(hub_server.gets()) <= n + 2
    configure(forward_mib=0)
    assert refused().startswith(f"{START}this server runs no models.")


def test_half_the_bits_take_twice_their_bytes_of_memory(served, configure):
    served(n_embd=256, vocab_size=2000, dtype=torch.float16)
    configure(forward_mib=3)  # the file has 2.6 MiB, and takes 5
    assert "that takes 5 MiB of memory; the limit of this server is 3." in refused()


def test_all_models_together_have_a_limit_on_the_disk(served, configure, hub_server):
    folder = served(n_embd=256, vocab_size=2000)
    configure(models_mib=8)
    carried_out()
    hub_server.files["own/other"] = folder
    with pytest.raises(Unavailable, match=r"MB more do not fit.*Remove own--model there, which takes "):
        carried_out("own/other")


def test_a_tokenizer_that_is_too_large_is_not_brought(served, configure):
    folder = served()
    configure(tokenizer_mib=1)
    assert model_download.parcel(NAME).nbytes
    with (folder / "tokenizer.json").open("a") as file:
        file.write(" " * 2**20)
    assert refused().startswith(f"{START}tokenizer.json has 1.1 MB; the limit is 1.0.")


@pytest.mark.parametrize(
    ("sources", "said"), [("list", "This server shows a fixed list of models"), ("own/a", "shows a fixed list")]
)
def test_a_server_that_does_not_allow_the_model_does_not_ask_for_it(served, hub_server, configure, sources, said):
    served()
    configure(sources=sources)
    n = len(hub_server.requests)
    assert said in refused()
    assert len(hub_server.requests) == n


def test_offline_there_is_one_sentence(served, monkeypatch):
    served()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert refused() == f"{START}HF_HUB_OFFLINE is set, and the file is not on this machine."


def test_no_connection_is_one_sentence(hf_home, models_folder, monkeypatch):
    monkeypatch.setattr(
        model_download.HubFiles, "newest", lambda *_about: (_ for _ in ()).throw(Unavailable("there is none."))
    )
    assert refused() == f"{START}there is none."


def test_kinds_that_are_not_run_are_not_brought(served):
    served("t5")
    assert refused().startswith(f"{START}it reads one text and writes another.")


def test_a_pickle_is_never_brought(served, hub_server):
    (served() / "model.safetensors").unlink()
    assert "is a pickle, a file that can run a program" in refused()
    assert not any(each.path.endswith((".bin", ".py")) for each in hub_server.gets())


@pytest.mark.parametrize("etag", ["../../x", ".", "..", "...", "a/b", "a\\b", "é", "a" * 201])
def test_a_name_that_leads_elsewhere_is_refused(served, hub_server, etag):
    """A file's etag is its name in Hugging Face's folder."""
    served()
    hub_server.etag, hub_server.has_one_etag = etag, True
    assert "no checksum (etag) of the usual kind for model.safetensors" in refused()


@pytest.mark.parametrize("etag", ["abc", "f" * 64])
def test_one_etag_for_two_files_is_refused(served, hub_server, etag):
    """Also one that is a SHA-256, since these files are not of one size."""
    served()
    hub_server.etag, hub_server.has_one_etag = etag, True
    assert "sends one checksum (etag) for two files, model.safetensors and " in refused()


def test_a_file_that_comes_broken_is_removed(served, monkeypatch):
    served()
    monkeypatch.setattr(model_download, "SHA256", model_download.ETAG)  # the small server's etags are no checksums
    assert refused().endswith("arrived damaged. Download it again.")
    assert not [*model_download.part_folder(model_download.checkpoint(NAME)).glob("*.part")]


@pytest.mark.parametrize("fault", ["another etag", "another part", "another size", "compressed", "503", "no ranges"])
def test_what_is_not_the_announced_file_is_refused(served, hub_server, monkeypatch, fault):
    served()
    monkeypatch.setattr(model_download, "PIECE", 1000)
    found = model_download.parcel(NAME)
    hub_server.faults = [fault]
    with pytest.raises(Unavailable, match=f"^{START}"):
        model_download.download(found, lambda *_each: None)
    hub_server.faults = [""]
    assert carried_out()[-1] == (found.nbytes, found.nbytes)


def test_the_line_carries_one_out_at_a_time_and_ends_it_when_nobody_waits(served, monkeypatch):
    served()
    monkeypatch.setattr(model_download, "bringings", fetching.download_jobs(at_once=1))
    begun, go_on = threading.Event(), threading.Event()
    before = model_download.download

    def slow(found, progress) -> None:
        begun.set()
        go_on.wait(HANGS)
        before(found, progress)

    monkeypatch.setattr(model_download, "download", slow)
    found = model_download.parcel(NAME)
    model_download.request(found, "me")
    assert begun.wait(HANGS)
    assert model_download.bringings.count() == (1, 0)
    model_download.bringings.leave("me", NAME)
    go_on.set()
    join()
    assert runnable() == {}
    monkeypatch.setattr(model_download, "download", before)
    model_download.request(found, "me")
    join()
    assert NAME in runnable()


def join() -> None:
    for thread in threading.enumerate():
        if thread.name == "download":
            thread.join(HANGS)


def test_models_of_the_short_list_are_offered_as_long_as_they_are_not_here(models_folder):
    assert "distilgpt2" in model_download.offered("causal")
    assert "google-bert/bert-base-uncased" not in model_download.offered("causal")
    assert "google-bert/bert-base-uncased" in model_download.offered()
    assert "google-t5/t5-small" not in model_download.offered()
    on_shelf("bert", models_folder / "google-bert/bert-base-uncased", TEXT)
    restart()
    assert "google-bert/bert-base-uncased" not in model_download.offered()


def test_after_a_failure_the_hub_has_a_rest(hf_home, models_folder, monkeypatch):
    asked = []

    def newest(*about: object) -> None:
        asked.append(about)
        raise Unavailable("there is none.")

    restart()
    monkeypatch.setattr(model_download.HubFiles, "newest", newest)
    for _ in range(3):
        with pytest.raises(Unavailable, match="there is none"):
            model_download.parcel(NAME)
    assert len(asked) == 1


def test_what_has_come_of_a_model_outlives_a_new_version_of_its_rows_and_is_counted_by_its_repository(hf_home):
    parts = model_download.part_folder(checkpoint("gpt2"))
    (parts / "x.part").write_bytes(bytes(4096))
    blobs = Path(constants.HF_HUB_CACHE, "models--openai-community--gpt2", "blobs")
    blobs.mkdir(parents=True)
    (blobs / "y").write_bytes(bytes(4096))
    rows = parts.parent / "rows"
    rows.mkdir()
    store.remove_others(rows)
    assert (parts / "x.part").exists()
    assert store.used_bytes()["openai-community--gpt2"] >= 2 * 4096


def test_what_has_come_of_files_of_another_version_is_removed(served):
    served()
    restart()
    old = model_download.part_folder(checkpoint(NAME)) / "old.part"
    old.write_bytes(b"x")
    carried_out()
    assert not old.exists()
