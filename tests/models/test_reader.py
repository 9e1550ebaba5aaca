"""GPT-2's rows from a real server in the Hub's layout: right to the bit, few bytes, and every fault said plainly."""

import pickle
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx2
import numpy as np
import pytest
import torch
from huggingface_hub import close_session, constants
from safetensors import safe_open

import embedviz as ev
from embedviz.base.errors import Unavailable
from embedviz.models import hub_model, identity, row_reader
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.models.header import Tensor, Version
from embedviz.models.hub import fetch_limiter, hub
from embedviz.models.kept.memory import Memory
from embedviz.vectors import tables
from tests.models.hub import CAT_IDS, COMMIT, FILLED, Hub, restart, running, use, weights, write_model

GPT2S = [name for name, each in CHECKPOINTS.items() if each.config]
CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"


def expected(table: str, numbers, output_dim: int = 768, dtype: str = "F32") -> bytes:
    return b"".join(weights(table, n, output_dim, dtype).float().numpy().tobytes() for n in numbers)


def failure(name: str = "gpt2", ids=tuple(CAT_IDS)) -> str:
    with pytest.raises(Unavailable) as error:
        hub_model(name).token_rows(ids)
    return str(error.value).removeprefix(f"The vectors of {name} cannot be read: ")


@pytest.mark.parametrize("name", GPT2S)
@pytest.mark.parametrize("dtype", ["F32", "F16", "BF16"])
def test_rows_are_the_files_own(hub_server, tmp_path, name, dtype):
    prefix = "transformer." if name == "distilgpt2" else ""
    checkpoint = CHECKPOINTS[name]
    path = write_model(tmp_path / "file.safetensors", name, dtype, prefix)
    hub_server.files[checkpoint.repo] = path
    ids = [*CAT_IDS, 50_256]
    found = hub_model(name).token_rows(ids), hub_model(name).position_rows(20)
    assert [rows.dtype for rows in found] == [np.float32] * 2
    with safe_open(path, "pt") as file:  # an independent reader
        oracle = (
            file.get_tensor(f"{prefix}wte.weight")[ids].float(),
            file.get_tensor(f"{prefix}wpe.weight")[:20].float(),
        )
    assert [rows.tobytes() for rows in found] == [rows.numpy().tobytes() for rows in oracle]
    assert found[0].tobytes() == expected("wte", ids, checkpoint.config["n_embd"], dtype)


def test_small_halves_and_extremes_become_float32_exactly():
    values = [0.0, -0.0, 1.0, -1.5, 6.1e-5, 5.96e-8, 65504.0, 0.1]
    for name, dtype in (("F16", torch.float16), ("BF16", torch.bfloat16), ("F32", torch.float32)):
        row = torch.tensor(values, dtype=dtype)
        rows = Tensor("wte.weight", name, (1, 8), 0, "model.safetensors", Version("", "", "", 0)).decode(
            row.view(torch.uint8).numpy().tobytes()
        )
        assert rows.tobytes() == row.float().numpy().tobytes()


def test_the_default_sentences_take_rows_not_the_file(hub_server):
    spec = ev.Spec(source="gpt2")
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    comparison = ev.compare(a, b)
    sent = sum(request.sent for request in hub_server.gets())
    header, tokens, positions = 2**15, 5 * 768 * 4, 16 * 768 * 4
    assert (
        sent == header + tokens + positions < 100_000 < hub_server.files["openai-community/gpt2"].stat().st_size / 1000
    )
    assert a.token_embeddings.tobytes() == expected("wte", CAT_IDS)
    assert a.positional_embeddings.tobytes() == expected("wpe", range(6))
    assert (comparison.n_same_before, comparison.n_same_after) == (8, 0)


def test_rows_stay_in_memory_and_on_disk(hub_server, monkeypatch):
    first = hub_model("gpt2").token_rows(CAT_IDS)
    asked = len(hub_server.requests)
    assert hub_model("gpt2").has_near("wte.weight", CAT_IDS)
    hub_model("gpt2").token_rows(CAT_IDS)
    restart()
    assert not hub_model("gpt2").has_near("wte.weight", CAT_IDS)
    assert hub_model("gpt2").token_rows(CAT_IDS).tobytes() == first.tobytes()
    assert len(hub_server.requests) == asked


def test_rows_of_two_versions_never_meet(hub_server, hf_home, tmp_path, monkeypatch):
    hub_model("gpt2").token_rows([262])
    hub_server.files["openai-community/gpt2"] = write_model(tmp_path / "new.safetensors", dtype="F16")
    hub_server.commit, hub_server.etag = "a" * 40, "e" * 64
    assert "does not have the file (404)" in failure(ids=[319])  # the old commit is gone
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    hub_model("gpt2").retry()
    assert hub_model("gpt2").token_rows([262, 319]).tobytes() == expected("wte", [262, 319], dtype="F16")
    folders = {path.name for path in (hf_home / "assets/embedviz/gpt2").iterdir()}
    assert len(folders) == 2  # the version in use and its description
    restart()
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262], dtype="F16")


def test_another_endpoint_is_another_source_of_truth(hub_server, tmp_path, monkeypatch):
    hub_model("gpt2").token_rows([262])
    mirror = Hub(files={"openai-community/gpt2": write_model(tmp_path / "m.safetensors", dtype="BF16")}, etag="d" * 64)
    restart()
    with running(mirror):
        use(mirror.address, monkeypatch)
        assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262], dtype="BF16")


@pytest.mark.parametrize("damage", ["rows", "crc", "version"])
def test_damaged_rows_on_disk_are_fetched_again(hub_server, hf_home, damage):
    hub_model("gpt2").token_rows(CAT_IDS)
    for path in (hf_home / "assets/embedviz/gpt2").rglob("*.json" if damage == "version" else f"*.{damage}"):
        content = bytearray(path.read_bytes())
        middle = 262 * (4 if damage == "crc" else 3072) if damage != "version" else len(content) // 2
        content[middle : middle + 4] = b"\xff\xff\xff\x00"
        path.write_bytes(content)
    restart()
    asked = len(hub_server.requests)
    assert hub_model("gpt2").token_rows(CAT_IDS).tobytes() == expected("wte", CAT_IDS)
    assert len(hub_server.requests) > asked


def test_a_disk_that_takes_nothing_is_no_hindrance(hub_server, hf_home):
    hf_home.parent.joinpath("home").write_text("a file where the folder would be")
    assert hub_model("gpt2").token_rows(CAT_IDS).tobytes() == expected("wte", CAT_IDS)
    asked = len(hub_server.requests)
    hub_model("gpt2").token_rows(CAT_IDS)
    assert len(hub_server.requests) == asked
    hf_home.unlink()


def test_two_visitors_fetch_once(hub_server):
    hub_server.delay = 0.05
    together = threading.Barrier(8)

    def ask(_: int) -> bytes:
        together.wait()
        return hub_model("gpt2").token_rows(CAT_IDS).tobytes()

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(ask, range(8))) == {expected("wte", CAT_IDS)}
    assert len(hub_server.requests) == 1 + 1 + len(set(CAT_IDS))
    ranges = [request.range for request in hub_server.gets()]
    assert len(set(ranges)) == len(ranges)


def test_neighbouring_rows_come_together(hub_server):
    hub_model("gpt2").token_rows([300, 301, 305, 290])
    assert [request.range for request in hub_server.gets()[1:]] == [server_range(hub_server, 290, 305)]


def server_range(hub_server: Hub, first: int, last: int) -> str:
    path = hub_server.files["openai-community/gpt2"]
    with path.open("rb") as file:
        length = 8 + int.from_bytes(file.read(8), "little")
    start = length + 16 + 1024 * 768 * 4
    return f"bytes={start + first * 3072}-{start + (last + 1) * 3072 - 1}"


@pytest.mark.parametrize(
    ("endpoint", "location", "addresses", "is_asked"),
    [
        ("https://hub.example", "https://storage.example/x", ["93.184.216.34"], True),
        ("https://hub.example", "http://storage.example/x", ["93.184.216.34"], False),
        ("https://hub.example", "https://169.254.169.254/latest", ["169.254.169.254"], False),
        ("https://hub.example", "https://inside.example/", ["10.0.0.7"], False),
        ("https://hub.example", "https://both.example/", ["93.184.216.34", "127.0.0.1"], False),
        ("https://hub.example", "https://[::ffff:127.0.0.1]/", ["::ffff:127.0.0.1"], False),
        ("https://hub.example", "https://six.example/", ["fe80::1%2"], False),
        ("https://hub.example", "https://0/", ["::"], False),
        ("https://hub.example", "https://hub.example/other", [], True),
        ("http://mirror.internal", "http://storage.internal/", ["10.0.0.7"], True),
        ("http://mirror.internal", "http://169.254.169.254/", ["169.254.169.254"], False),
        ("https://hub.example", "https://only-a-proxy-knows.example/", [], True),
    ],
)
def test_where_the_hub_sends_us_on_to_is_asked_only_if_it_is_no_neighbour(
    monkeypatch, endpoint, location, addresses, is_asked
):
    def known(name: str, _port: None) -> list:
        if name == "only-a-proxy-knows.example":
            raise OSError
        hubs = {"hub.example": ["93.184.216.34"], "mirror.internal": ["10.0.0.1"]}
        return [(0, 0, 0, "", (each, 0)) for each in hubs.get(name, addresses)]

    monkeypatch.setattr(constants, "ENDPOINT", endpoint)
    monkeypatch.setattr(hub.socket, "getaddrinfo", known)
    assert hub.may_be_asked(httpx2.URL(location)) == is_asked


def test_a_hub_that_sends_us_to_a_neighbour_is_refused_in_a_sentence_and_nobody_asks_there(hub_server, monkeypatch):
    """As a hub of the internet would do it, for which this one is taken under its other name."""
    storage = Hub(files=hub_server.files)
    with running(storage):
        hub_server.storage = storage
        use(hub_server.address.replace("127.0.0.1", "localhost"), monkeypatch)
        monkeypatch.setattr(hub, "address_kinds", lambda name: {"global" if name == "localhost" else "loopback"})
        assert failure().endswith("leads to a place that is not on the internet: check HF_ENDPOINT.")
        assert storage.requests == []


def test_a_storage_host_behind_the_hub_gets_no_token(hub_server, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    storage = Hub(files=hub_server.files, etag="another-name-there")
    with running(storage):
        hub_server.storage = storage
        assert hub_model("gpt2").token_rows(CAT_IDS).tobytes() == expected("wte", CAT_IDS)
        assert {request.authorization for request in hub_server.requests} == {"Bearer hf_secret"}
        assert {request.authorization for request in storage.requests} == {None}
        assert {request.method for request in storage.requests} == {"GET"}


def test_one_cut_is_survived(hub_server):
    hub_server.faults = ["", "cut", ""]
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262])


@pytest.fixture
def pauses(monkeypatch) -> list[float]:
    """The seconds for which the Hub is left in peace, and which pass at once."""
    found: list[float] = []
    monkeypatch.setattr(hub, "time", SimpleNamespace(sleep=found.append, time=time.time, monotonic=time.monotonic))
    return found


def test_a_short_pause_is_waited_for(hub_server, pauses):
    hub_server.faults, hub_server.headers = ["429", ""], {"Retry-After": "1"}
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262])
    assert pauses == [1]


def test_a_long_pause_is_said_and_kept(hub_server, monkeypatch, pauses):
    hub_server.head_fault, hub_server.headers = "429", {"Retry-After": "100"}
    assert failure().endswith("has had too many requests (429). It asks for a pause of 100 seconds.")
    assert pauses == []
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    hub_model("gpt2").retry()
    assert failure().endswith("100 seconds.")
    assert len(hub_server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "99999999"}, 600),
        ({"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}, 600),
        ({"RateLimit": '"api";r=0;t=77'}, 77),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({}, None),
    ],
)
def test_pauses_are_read_and_bounded(hub_server, headers, seconds):
    hub_server.head_fault, hub_server.headers = "429", headers
    said = failure()
    assert said.endswith(f"It asks for a pause of {seconds} seconds." if seconds else "(429).")


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("no ranges", "sends whole files only, no parts of them. Download the file once instead."),
        ("another part", "sent another part of the file than was asked for."),
        ("another size", "sent another part of the file than was asked for."),
        ("another etag", "the file has changed on the Hub."),
        ("compressed", "sent the part compressed."),
        ("too long", "sent more than was asked for."),
        ("cut", "was cut."),
        ("401", "does not give the file out (401). If the model's page there asks for it, accept the model's terms"),
        ("403", "does not give the file out (403). If the model's page there asks for it, accept the model's terms"),
        ("404", "does not have the file (404)."),
        ("416", "answered with status 416."),
        ("500", "answered with status 500."),
        ("503", "answered with status 503."),
        ("304", "answered with status 304."),
    ],
)
@pytest.mark.parametrize("good", [0, 1], ids=["header", "rows"])
def test_faults_are_said_plainly_and_pass(hub_server, monkeypatch, fault, message, good):
    hub_server.faults = [""] * good + [fault]
    assert message in failure()
    assert sum(request.sent for request in hub_server.gets()) < 20 * 2**20
    hub_server.faults = [""]
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    hub_model("gpt2").retry()
    assert hub_model("gpt2").token_rows(CAT_IDS).tobytes() == expected("wte", CAT_IDS)


@pytest.mark.parametrize("fault", ["401", "403", "429", "500", "503"])
def test_refusals_of_the_first_question(hub_server, fault):
    hub_server.head_fault = fault
    assert fault in failure()
    assert hub_server.gets() == []


@pytest.mark.parametrize(("field", "value"), [("etag", None), ("commit", None), ("commit", "../../etc")])
def test_who_is_no_hub(hub_server, field, value):
    setattr(hub_server, field, value)
    assert failure().endswith("does not answer as the Hub does: check HF_ENDPOINT.")


def test_who_does_not_answer(hub_server, monkeypatch):
    monkeypatch.setattr(hub, "READ_SECONDS", 0.3)
    hub_server.delay = 2
    assert failure().endswith("did not answer in time.")


def test_who_answers_drop_by_drop(hub_server, monkeypatch):
    monkeypatch.setattr(row_reader, "DEADLINE_SECONDS", 0.5)
    hub_server.faults = ["", "drip"]
    before = time.monotonic()
    assert failure().endswith("did not answer in time.")
    assert time.monotonic() - before < 60


@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_whose_head_comes_drop_by_drop(hub_server, monkeypatch, method):
    """Each line comes well within the time for a line."""
    monkeypatch.setattr(hub, "NEWEST_SECONDS", 1.0)
    monkeypatch.setattr(identity, "LOOK_SECONDS", 1.0)
    monkeypatch.setattr(row_reader, "DEADLINE_SECONDS", 1.0)
    hub_server.head_fault, hub_server.faults = ("drip headers", [""]) if method == "HEAD" else ("", ["drip headers"])
    before = time.monotonic()
    assert failure().endswith("did not answer in time.")
    assert time.monotonic() - before < 60


def test_not_even_a_pause_goes_beyond_the_deadline(hub_server, monkeypatch, pauses):
    monkeypatch.setattr(hub, "NEWEST_SECONDS", 1.5)
    hub_server.head_fault, hub_server.headers = "503", {"Retry-After": "2"}
    assert "503" in failure()
    assert pauses == []


@pytest.mark.parametrize(
    "endpoint", ["http://127.0.0.1:9", "http://no-such-host.invalid", "not an address", "ftp://x", ""]
)
def test_no_connection(hf_home, monkeypatch, endpoint, pauses):
    use(endpoint, monkeypatch)
    before = time.monotonic()
    assert failure().startswith("there is no connection to ")
    assert pauses == []
    assert time.monotonic() - before < 60


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "ftp://127.0.0.1:9", "http://127.0.0.1:port", "http://[::"])
def test_a_proxy_that_cannot_be_used(hub_server, monkeypatch, proxy):
    monkeypatch.setenv("ALL_PROXY", proxy)
    close_session()
    assert failure().startswith("HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names a proxy that cannot be used.")
    monkeypatch.undo()
    close_session()


def test_the_offline_switch(hub_server, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert failure() == "HF_HUB_OFFLINE is set, and the file is not on this machine."
    assert hub_server.requests == []


def test_a_failure_answers_everyone_for_a_while(hub_server, monkeypatch):
    hub_server.head_fault = "500"
    for _ in range(50):
        failure()
    assert len(hub_server.requests) == 1
    assert hub_model("gpt2").is_near(CAT_IDS)
    monkeypatch.setattr(fetch_limiter, "FAILURE_SECONDS", 0)
    failure()
    assert len(hub_server.requests) == 2


def test_fifty_who_fail_at_once_ask_once(hub_server):
    hub_server.head_fault, hub_server.delay = "500", 0.2
    together = threading.Barrier(20)

    def ask(_: int) -> str:
        together.wait()
        return failure()

    with ThreadPoolExecutor(20) as threads:
        assert len(set(threads.map(ask, range(20)))) == 1
    assert len(hub_server.requests) == 1


def test_a_failing_model_does_not_hinder_another(hub_server, tmp_path):
    assert "has no weights as safetensors" in failure("distilgpt2")
    assert hub_model("gpt2").token_rows([262]).tobytes() == expected("wte", [262])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dtype": "I8"}, "wte.weight has another type of numbers than F32, F16, BF16."),
        ({"dtype": "F64"}, "wte.weight has another type of numbers than F32, F16, BF16."),
        ({"shapes": {"wte": [100, 768]}, "filled": {"wte": []}}, "wte.weight has another shape than the model"),
        ({"shapes": {"wte": [50_257, 768]}, "filled": {"wte": []}}, "the file has no wpe.weight."),
        ({"shapes": {"wpe": [1024, 768]}, "filled": {"wpe": []}}, "the file has no wte.weight."),
        ({"name": "gpt2-medium"}, "wte.weight has another shape than the model: 50,257 × 768 would be right."),
        ({"prefix": "strange."}, "the file has no wte.weight."),
    ],
)
@pytest.mark.parametrize("where", ["hub", "cache"])
def test_a_file_that_is_not_the_models_is_refused(hub_server, hf_home, settings, message, where):
    path = write_model(hf_home.parent / "wrong.safetensors", **settings)
    hub_server.files["openai-community/gpt2"] = path
    if where == "cache":
        put_into_cache(hf_home, path)
    assert message in failure()


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (b"\x80\x04\x95\x10\x00\x00\x00\x00" + b"pickle" * 20, "model.safetensors is a pickle under another name."),
        ((2**40).to_bytes(8, "little") + b"{}", "not a header's length"),
        ((2**23 + 8).to_bytes(8, "little") + b" " * (2**23 + 16), "its header has 8.4 MB; the limit is 8.4"),
        ((0).to_bytes(8, "little") + b"{}", "not a header's length"),
        ((20).to_bytes(8, "little") + b"{" * 30, "its header is not JSON"),
        ((2**16).to_bytes(8, "little") + b"[" * 2**16, "its header is not JSON"),
        ((2).to_bytes(8, "little") + b"[]" + b" " * 30, "its header is not JSON"),
        ((2**18).to_bytes(8, "little") + b'{"a":[' + b"0," * (2**17 - 5) + b"0]}0", "its header is not JSON"),
        ((2**19).to_bytes(8, "little") + b'{"a":[' + b"0," * (2**18 - 5) + b"0]}0", "more than 150,000 values"),
        ((2).to_bytes(8, "little") + b"\xff\xfe" + b" " * 30, "its header is not JSON"),
        ((2).to_bytes(8, "little") + b"{}" + b" " * 30, "the file has no wte.weight"),
        ((18).to_bytes(8, "little") + b'{"wte.weight":  1}' + b" " * 30, "does not say where wte.weight lies"),
    ],
)
def test_heads_that_are_garbage(hub_server, tmp_path, head, message):
    path = tmp_path / "garbage.safetensors"
    path.write_bytes(head)
    hub_server.files["openai-community/gpt2"] = path
    assert message in failure()


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"157531152]", b"957531152]"), (b"[3145744,", b"[3145740,"), (b"[3145744, 157535248]", b"[-745744, 153643760]")],
)
def test_tables_that_would_lie_elsewhere(hub_server, tmp_path, old, new):
    path = tmp_path / "moved.safetensors"
    write_model(path, filled={"wte": [], "wpe": []})
    with path.open("r+b") as file:
        start = file.read(2**10)
        end = 16 + 1024 * 3072 + 50_257 * 3072
        assert f"[3145744, {end}]".encode() in start
        old = old.replace(b"157531152", str(end).encode()).replace(b"157535248", str(end).encode())
        file.seek(0)
        file.write(start.replace(old, new.ljust(len(old))[: len(old)]))
    hub_server.files["openai-community/gpt2"] = path
    assert "the file is broken or cut short: wte.weight" in failure()


def test_a_file_that_was_cut_short(hub_server, hf_home):
    path = hub_server.files["openai-community/gpt2"]
    with path.open("r+b") as file:
        file.truncate(10_000_000)
    assert "the file is broken or cut short: wte.weight" in failure()
    restart()
    put_into_cache(hf_home, path)
    assert "the file is broken or cut short: wte.weight" in failure()


def test_numbers_that_are_none(hub_server):
    path = hub_server.files["openai-community/gpt2"]
    start = int(server_range(hub_server, 262, 262).removeprefix("bytes=").split("-")[0])
    with path.open("r+b") as file:
        file.seek(start)
        file.write(np.float32(np.nan).tobytes())
    assert "numbers that are not finite" in failure()
    assert "numbers that are not finite" in failure()


class Payload:
    """What a hostile pickle would run."""

    def __init__(self, marker: Path) -> None:
        self._marker = marker

    def __reduce__(self):
        return (Path.touch, (self._marker,))


@pytest.mark.parametrize("where", ["hub", "cache"])
def test_a_pickle_is_refused_and_not_run(hub_server, hf_home, tmp_path, where):
    path, marker = tmp_path / "pickle.safetensors", tmp_path / "was run"
    path.write_bytes(pickle.dumps({"wte.weight": Payload(marker)}))
    hub_server.files["openai-community/gpt2"] = path
    if where == "cache":
        put_into_cache(hf_home, path)
    assert "model.safetensors is a pickle under another name. Opening one can run a program" in failure()
    assert not marker.exists()
    pickle.loads(path.read_bytes())  # noqa: S301  which shows that the trap works
    assert marker.exists()


def put_into_cache(hf_home: Path, path: Path, repo: str = "openai-community--gpt2") -> None:
    """The layout that `hf download` leaves."""
    folder = hf_home / "hub" / f"models--{repo}"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs/main").write_text(COMMIT)
    (folder / "snapshots" / COMMIT).mkdir(parents=True)
    (folder / "snapshots" / COMMIT / "model.safetensors").symlink_to(path)


# The numbers are read alike from under both names, so each name has a type of its own.
@pytest.mark.parametrize(("repo", "dtype"), [("openai-community--gpt2", "F32"), ("gpt2", "BF16")])
def test_a_file_in_the_cache_needs_no_network(hf_home, tmp_path, monkeypatch, repo, dtype):
    use("http://127.0.0.1:9", monkeypatch)
    put_into_cache(hf_home, write_model(tmp_path / "gpt2.safetensors", dtype=dtype), repo)
    assert hub_model("gpt2").is_near(CAT_IDS)
    embedded = ev.embed(CAT, ev.Spec(source="gpt2"))
    assert embedded.token_embeddings.tobytes() == expected("wte", CAT_IDS, dtype=dtype)
    assert embedded.positional_embeddings.tobytes() == expected("wpe", range(6), dtype=dtype)
    table = tables.token_table(50_257, ev.Spec(source="gpt2"))
    assert table.shape == (50_257, 768)
    assert table[CAT_IDS].tobytes() == expected("wte", CAT_IDS, dtype=dtype)
    assert not table.flags.writeable


def test_the_whole_table_is_downloaded_in_parts_and_goes_on_where_it_was(hub_server, hf_home, tmp_path):
    hub_server.files["openai-community/gpt2"] = write_model(tmp_path / "half.safetensors", dtype="F16")
    with pytest.raises(Unavailable, match="the whole table is not on this machine yet"):
        hub_model("gpt2").token_table()
    hub_model("gpt2").token_rows(CAT_IDS)
    total, seen = 50_257 * 768 * 2, []

    def stop_at_half(done: int, of: int) -> None:
        seen.append(done)
        assert of == total
        if done > total / 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        hub_model("gpt2").download(stop_at_half)
    assert seen == sorted(set(seen))
    assert seen[0] == 5 * 768 * 2
    restart()
    hub_server.requests.clear()
    hub_model("gpt2").download(lambda done, of: seen.append(done))
    assert seen[-1] == total
    assert sum(request.sent for request in hub_server.gets()) < total * 0.5
    table = tables.token_table(50_257, ev.Spec(source="gpt2"))
    with safe_open(hub_server.files["openai-community/gpt2"], "pt") as file:
        assert table.tobytes() == file.get_tensor("wte.weight").float().numpy().tobytes()
    hub_server.requests.clear()
    hub_model("gpt2").download()
    assert hub_server.requests == []
    kept = sum(path.stat().st_size for path in hf_home.rglob("*") if path.is_file())
    assert kept < 1.02 * total + 100_000


def test_a_download_that_fails_says_so_and_keeps_what_it_has(hub_server, monkeypatch):
    hub_server.faults = ["", "", "", "500"]
    done = []
    with pytest.raises(Unavailable, match="answered with status 500"):
        hub_model("gpt2").download(lambda n, of: done.append(n))
    assert done[-1] == 2 * 1024 * 3072
    monkeypatch.setattr(fetch_limiter, "PAUSE_SECONDS", 0)
    hub_server.faults = [""]
    hub_model("gpt2").download(lambda n, of: done.append(n))
    assert done[-1] == 50_257 * 3072
    assert done.count(2 * 1024 * 3072) == 2


def test_a_download_without_room_is_not_begun(hub_server, monkeypatch):
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10_000_000))
    with pytest.raises(Unavailable, match="it needs 154 MB on disk, and 10 MB are free"):
        hub_model("gpt2").download()
    assert len(hub_server.gets()) == 1


def test_the_hub_is_asked_for_the_models_file_and_nothing_else(hub_server):
    hub_model("gpt2").token_rows(CAT_IDS)
    assert hub_server.requests
    assert all(request.path.startswith("/openai-community/gpt2/resolve/") for request in hub_server.requests)


def test_memory_is_bounded(hub_server):
    hub_model("gpt2").position_rows(40)
    tensor = identity.load(CHECKPOINTS["gpt2"]).tensors["wpe.weight"]
    memory = Memory(max_bytes=3 * 3072)
    memory.keep(tensor, dict(enumerate(np.zeros((10, 768), np.float32))))
    assert sorted(memory.find(tensor, range(10))) == [7, 8, 9]


@pytest.mark.parametrize("scheme", ["none", "learned", "sinusoidal"])
def test_every_scheme_goes_with_the_models_vectors(hub_server, scheme):
    embedded = ev.embed(CAT, ev.Spec(source="gpt2", position=scheme))
    assert embedded.token_embeddings.tobytes() == expected("wte", CAT_IDS)
    places = {
        "none": np.zeros((6, 768), np.float32),
        "learned": np.frombuffer(expected("wpe", range(6)), np.float32).reshape(6, 768),
        "sinusoidal": ev.positions.sinusoidal.table(6, 768),
    }[scheme]
    assert np.array_equal(embedded.positional_embeddings, places)


def test_no_words_need_no_network(hf_home, monkeypatch):
    use("http://127.0.0.1:9", monkeypatch)
    assert ev.embed("", ev.Spec(source="gpt2")).input_embeddings.shape == (0, 768)


def test_every_position_of_the_model(hub_server):
    assert hub_model("gpt2").position_rows(1024).shape == (1024, 768)
    rows = tables.position_table(50_257, ev.Spec(source="gpt2"))
    assert rows[:40].tobytes() == expected("wpe", FILLED["wpe"])
    assert not rows[40:].any()
