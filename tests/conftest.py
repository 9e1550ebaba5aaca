"""What several test files need: one Hypothesis profile, two sentences compared, tiktoken without a network."""

import base64
import functools
import gc
import hashlib
import inspect
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import httpcore2
import pytest
from huggingface_hub import constants
from huggingface_hub.utils import _cache_assets, close_session
from hypothesis import settings
from tiktoken_ext import openai_public

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.base.settings import PREFIX, configured
from embedviz.figures.figure import Figure
from embedviz.models import HubModel
from embedviz.text.tokens import TOKENIZERS
from embedviz.vectors.embedding import with_vocabulary
from tests.figures.drawn import assert_declared
from tests.models.hub import Hub, restart, running, use, write_model
from tests.running import Forks, run_anew
from tests.text import tokenizer_files

settings.register_profile("embedviz", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("embedviz")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a test of a long text by its length: a name of five million letters would go to each worker and back."""
    return f"{argname} of {len(val):,}" if isinstance(val, (str, bytes)) and len(val) > 100 else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put all tests that run programs into one worker, which starts the process for them once."""
    for item in items:
        if "forks" in item.fixturenames and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("programs"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """What is loaded before the first test stays to the end, so Python need not look for waste in it time and again.

    Fail if pytest-xdist, which groups tests by a mark in their names, does not know how this pytest keeps names: each
    worker would start the servers of all groups, without a word.
    """
    if session.config.getoption("loadgroup", default=False):
        assert all("@" in item.nodeid for item in session.items if item.get_closest_marker("xdist_group"))
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.fixture(scope="session", autouse=True)
def _no_models_of_this_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide what lies on the machine: models, since pages may open on one, and runs that were trained before."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDVIZ_MODELS", str(folder / "none"))
        patch.setattr(constants, "HF_HUB_CACHE", str(folder / "hub"))
        patch.setattr(_cache_assets, "HF_ASSETS_CACHE", str(folder / "assets"))
        patch.setenv("EMBEDVIZ_CACHE", str(folder / "kept"))
        configured.cache_clear()
        yield
    configured.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def _metas_are_declared() -> Iterator[None]:
    """Refuse each figure whose `meta` has a key that the page's scripts do not know, whichever test draws it."""
    make = Figure.__init__

    def checked(self: Figure, *args: object, **named: object) -> None:
        make(self, *args, **named)
        assert_declared(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Figure, "__init__", checked)
        yield


@pytest.fixture(scope="session", autouse=True)
def _certificates_once() -> Iterator[None]:
    """Read the certificates of all authorities once, and not for each new client of the Hub's small server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpcore2, "default_ssl_context", functools.cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture
def models_folder(hf_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of EMBEDVIZ_MODELS."""
    monkeypatch.setenv("EMBEDVIZ_MODELS", str(tmp_path / "models"))
    configured.cache_clear()
    restart()
    yield tmp_path / "models"
    monkeypatch.undo()
    configured.cache_clear()
    restart()


@pytest.fixture(scope="session")
def compared() -> Callable[..., ev.Comparison]:
    """Compare texts a and b under one Spec with the given settings."""

    def compare(a: str, b: str, **spec: object) -> ev.Comparison:
        shared = with_vocabulary(ev.Spec(**spec), a, b)
        return ev.compare(ev.embed(a, shared), ev.embed(b, shared))

    return compare


@pytest.fixture(scope="session")
def tiktoken_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which tiktoken finds every file that it would download for our tokenizers.

    tiktoken names a file by the SHA-1 of its address and checks its SHA-256, so nothing false passes.
    """
    folder = tmp_path_factory.mktemp("tiktoken")
    addresses = re.findall(r'"(http\S+/([^/"]+))"', inspect.getsource(openai_public))
    ours = {path.name: path for path in (DATA / "vocab").glob("*.tiktoken")}
    gpt2 = _gpt2_files(ours["r50k_base.tiktoken"])
    for address, name in addresses:
        cached = folder / hashlib.sha1(address.encode(), usedforsecurity=False).hexdigest()
        if name in ours:
            shutil.copy(ours[name], cached)
        elif name in gpt2:
            cached.write_text(gpt2[name], encoding="utf-8")
    return folder


def _gpt2_files(r50k: Path) -> dict[str, str]:
    """GPT-2's original two files, made again from the rank table: the merges in order, and the IDs."""
    rows = [line.split() for line in r50k.read_bytes().splitlines()]
    ranks = {base64.b64decode(token): int(rank) for token, rank in rows}
    printable = [n for n in range(256) if chr(n).isprintable() and chr(n) != " "]
    others = [n for n in range(256) if n not in printable]
    char = {n: chr(n) for n in printable} | {n: chr(256 + i) for i, n in enumerate(others)}
    name = {token: "".join(char[n] for n in token) for token in sorted(ranks, key=ranks.get)}
    merges = [" ".join(name[part] for part in _halves(token, ranks)) for token in name if len(token) > 1]
    ids = {name[token]: ranks[token] for token in name} | {"<|endoftext|>": len(ranks)}
    return {"vocab.bpe": "\n".join(["#version: 0.2", *merges, ""]), "encoder.json": json.dumps(ids)}


def _halves(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """The two parts whose merge made the token: merge its bytes by rank, short of the last step."""
    parts = [token[n : n + 1] for n in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(left + right, len(ranks)) for left, right in pairwise(parts)]
        n = joined.index(min(joined))
        parts[n : n + 2] = [parts[n] + parts[n + 1]]
    return parts


@pytest.fixture
def model_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small tokenizers of tests/text/tokenizer_files.py in the place of those on the Hub."""
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda model: tokenizer_files.tokenizer_json(model.name))


@pytest.fixture
def configure() -> Iterator[Callable[..., None]]:
    """Set settings for one test, such as `configure(header_mib=1)`; those that are read at an import stay."""
    with pytest.MonkeyPatch.context() as patch:

        def change(**values: object) -> None:
            for name, value in values.items():
                patch.setenv(PREFIX + name.upper(), str(value))
            configured.cache_clear()

        yield change
    configured.cache_clear()


@pytest.fixture
def hf_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in the place of HF_HOME, as if huggingface_hub had been imported with it."""
    folder = tmp_path / "home"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(folder / "hub"))
    monkeypatch.setattr(_cache_assets, "HF_ASSETS_CACHE", str(folder / "assets"))
    monkeypatch.setattr(constants, "AGENT_HARNESSES_PATH", str(folder / "harnesses.json"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    close_session()
    restart()
    yield folder
    restart()
    shutil.rmtree(folder, ignore_errors=True)  # may hold a whole table


@pytest.fixture
def hub_server(hf_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A server in the Hub's layout, in the place of HF_ENDPOINT, with gpt2 on it."""
    found = Hub(files={"openai-community/gpt2": write_model(tmp_path / "gpt2.safetensors")})
    with running(found):
        use(found.address, monkeypatch)
        yield found


@pytest.fixture(scope="session")
def forks(tiktoken_cache: Path) -> Iterator[Forks]:
    """What runs programs in little time, with the tokenizers of other packages at hand."""
    names = [name for name in TOKENIZERS if name != "words"]
    # The hashes of texts, and with them the order of sets, are other ones than in the tests' own process.
    fixed = {"TIKTOKEN_CACHE_DIR": str(tiktoken_cache), "PYTHONPATH": "", "PYTHONHASHSEED": "7919"}
    found = Forks(names, os.environ | fixed)
    yield found
    found.close()


@pytest.fixture
def run(tmp_path: Path, tiktoken_cache: Path, forks: Forks) -> Callable[..., list[str]]:
    """Run a program as a process without the project, and with these variables; return the lines that it prints.

    anew: in a new Python, to see that the program itself loads all that it needs.
    """
    fixed = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    fixed |= {"TIKTOKEN_CACHE_DIR": str(tiktoken_cache), "PYTHONPATH": ""}

    def run(program: str, *, anew: bool = False, **variables: str) -> list[str]:
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        # Only on Linux are all libraries below PyTorch known to bear a fork.
        start = run_anew if anew or sys.platform != "linux" else forks.run
        code = start(tmp_path, fixed | variables)
        assert code == 0, (tmp_path / "stderr").read_text()
        return (tmp_path / "stdout").read_text().splitlines()

    return run
