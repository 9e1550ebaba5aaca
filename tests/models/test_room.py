"""What is kept of all models on disk stays below the setting models_mib; what would exceed it is not written."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.base import disk_cache
from embedviz.base.errors import Unavailable
from embedviz.models import hub_model
from tests.models.hub import Hub, restart, write_model
from tests.models.shelf import on_shelf
from tests.models.test_reader import CAT, expected
from tests.two import at_once

MIB = 2**20


def taken(hf_home: Path) -> int:
    """What the disk gives for it, as `du` counts."""
    return sum(
        os.lstat(Path(place, name)).st_blocks * 512
        for place, folders, files in os.walk(hf_home / "assets/embedviz")
        for name in folders + files
    )


def test_a_table_that_does_not_fit_is_not_downloaded(hub_server, hf_home, configure):
    hub_model("gpt2").token_rows([262])
    before, asked = taken(hf_home), len(hub_server.requests)
    configure(models_mib=100)
    with pytest.raises(Unavailable) as error:
        hub_model("gpt2").download()
    assert str(error.value) == (
        "The vectors of gpt2 cannot be read: 154 MB more do not fit: the folder assets/embedviz in HF_HOME holds 0 MB "
        "of models, and EMBEDVIZ_MODELS_MIB allows 105. Remove gpt2 there, which takes 0 MB."
    )
    assert (taken(hf_home), len(hub_server.requests)) == (before, asked)
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262])
    configure(models_mib=160)
    hub_model("gpt2").download()
    assert hub_model("gpt2").token_table()[262].tobytes() == expected("wte", [262])
    assert taken(hf_home) < 160 * MIB


def test_the_largest_model_is_named(hub_server, hf_home, tmp_path, configure):
    hub_server.files["distilbert/distilgpt2"] = write_model(tmp_path / "d.safetensors", "distilgpt2", "F16")
    hub_model("distilgpt2").download()
    hub_model("gpt2").token_rows([262])
    configure(models_mib=150)
    with pytest.raises(
        Unavailable, match=r"holds 77 MB of models, .* allows 157. Remove distilgpt2 there, .* 77 MB\.$"
    ):
        hub_model("gpt2").download()


def test_a_download_beside_another_stops_at_the_limit(hub_server, hf_home, tmp_path, configure):
    hub_server.files["distilbert/distilgpt2"] = write_model(tmp_path / "d.safetensors", "distilgpt2", "F16")
    hub_server.files["openai-community/gpt2"] = write_model(tmp_path / "g.safetensors", dtype="F16")
    configure(models_mib=100)  # each fits alone

    def download(name: str) -> str:
        try:
            hub_model(name).download()
        except Unavailable as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(2) as both:
        said = list(both.map(download, ("gpt2", "distilgpt2")))
    assert any("EMBEDVIZ_MODELS_MIB allows 105" in each for each in said)
    assert 70 * MIB < taken(hf_home) <= 100 * MIB


def test_rows_of_sentences_are_kept_until_there_is_no_room(hub_server, hf_home, tmp_path, configure):
    configure(models_mib=1)
    ids = range(0, 50_000, 200)  # rows that lie in blocks of their own
    path = write_model(tmp_path / "many.safetensors", filled={"wte": ids, "wpe": []})
    hub_server.files["openai-community/gpt2"] = path
    for n in range(0, len(ids), 50):
        assert hub_model("gpt2").token_rows(ids[n : n + 50]).tobytes() == expected("wte", ids[n : n + 50])
    assert MIB / 2 < taken(hf_home) <= MIB
    assert hub_model("gpt2").token_rows(ids).tobytes() == expected("wte", ids)  # from memory
    restart()
    hub_server.requests.clear()
    assert hub_model("gpt2").token_rows(ids).tobytes() == expected("wte", ids)
    assert hub_server.gets()
    assert taken(hf_home) <= MIB


def test_what_earlier_runs_left_half_written_goes_and_takes_no_room(hub_server, hf_home, configure):
    """Files of a full disk; those of the last hour may be somebody's who is just writing."""
    left = hf_home / "assets/embedviz/gpt2/version"
    left.mkdir(parents=True)
    for name in ("tmpab_12xyz", "old.part", "new.part"):
        (left / name).write_bytes(b"\1" * (MIB // 2 if name != "new.part" else 10))
        if name != "new.part":
            os.utime(left / name, (0, 0))
    configure(models_mib=1)
    hub_model("gpt2").token_rows([262])
    assert sorted(path.name for path in left.iterdir()) == ["new.part", "version.json"]


def test_a_disk_that_refuses_leaves_nothing_half_written(hub_server, hf_home, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk_cache.os, "replace", full)
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262])
    assert not [path for path in (hf_home / "assets").rglob("*") if path.name.startswith("tmp") or "part" in path.name]


def test_nothing_is_kept_where_nothing_may_be(hub_server: Hub, hf_home, tmp_path, configure):
    configure(models_mib=0)
    on_shelf("gpt2", tmp_path / "model", CAT)
    hub_server.files["owner/name"] = tmp_path / "model"
    first = ev.embed(CAT, ev.Spec(source="owner/name")).first_layer.tobytes()
    assert not [path for path in (hf_home / "assets").rglob("*") if path.is_file() and path.stat().st_size]
    restart()
    hub_server.requests.clear()
    assert ev.embed(CAT, ev.Spec(source="owner/name")).first_layer.tobytes() == first
    assert hub_server.requests


COUNT = """
def count():
    for _ in range(50):
        with store.exclusive("counting"):
            n = int(path.read_text())
            path.write_text(str(n + 1))

threads = [threading.Thread(target=count) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_what_is_done_alone_is_done_by_one_thread_of_one_process_at_a_time(hf_home, tmp_path):
    path = tmp_path / "n"
    path.write_text("0")
    imports = ("import threading", "from pathlib import Path", "from embedviz.models.kept import store")
    prepare = "\n".join([*imports, f"path = Path({str(path)!r})"])
    at_once(prepare, COUNT, {"HF_ASSETS_CACHE": str(hf_home / "assets")})
    assert path.read_text() == "200"
