"""In processes of their own: the exported program prints what the page shows, and HF_ENDPOINT and HF_HOME count."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.base.settings import ROOT
from embedviz.models.checkpoints import CHECKPOINTS
from embedviz.programs.compare import pytorch_compare
from tests.models.hub import weights, write_model

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
LOAD = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import embedviz as ev
row = ev.embed("the", ev.Spec(source="gpt2")).token_embeddings.tobytes().hex()
"""
SHOW = f"{LOAD}print(row)"


@pytest.fixture
def at_home(run, tmp_path: Path) -> Iterator[Callable[..., list[str]]]:
    """Run a program with an HF_HOME of its own."""
    home = tmp_path / "another home"
    yield partial(run, HF_HOME=str(home), HF_HUB_DISABLE_TELEMETRY="1", NO_PROXY="127.0.0.1")
    shutil.rmtree(home, ignore_errors=True)


@pytest.mark.parametrize(
    ("source", "dtype", "prefix", "settings"),
    [
        ("gpt2", "F32", "", {}),
        (
            "distilgpt2",
            "BF16",
            "transformer.",
            {"position": "sinusoidal", "scale_embeddings": True, "position_scale": 0.5},
        ),
    ],
    ids=["gpt2", "distilgpt2"],
)
def test_the_program_prints_the_pairs(hub_server, at_home, tmp_path, source, dtype, prefix, settings):  # noqa: PLR0917
    path = tmp_path / "model.safetensors"
    hub_server.files[CHECKPOINTS[source].repo] = write_model(path, source, dtype, prefix)
    spec = ev.Spec(source=source, **settings)
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    assert len(set(map(bytes, a.token_embeddings))) == 5
    printed = at_home(pytorch_compare(a, b), HF_ENDPOINT=hub_server.address, anew=source == "gpt2")
    pairs = ev.compare(a, b).pairs
    assert printed == [
        *(f"before {pair.i} {pair.j} {pair.id} {pair.same_before} {pair.distance_before:.4f}" for pair in pairs),
        *(f"after {pair.i} {pair.j} {pair.id} {pair.same_after} {pair.distance_after:.4f}" for pair in pairs),
    ]


def test_a_mirror_and_a_folder_by_their_variables(hub_server, at_home):
    row = weights("wte", 262, 768).numpy().tobytes().hex()
    assert at_home(SHOW, HF_ENDPOINT=hub_server.address) == [row]
    asked = len(hub_server.requests)
    assert at_home(SHOW, HF_ENDPOINT=hub_server.address, HF_HUB_OFFLINE="1") == [row]
    assert len(hub_server.requests) == asked


def test_two_processes_keep_the_same_rows(hub_server, hf_home, at_home):
    # Both load at once, and print one after the other: a row is longer than what a pipe takes in one piece.
    both = f"import os\nanother = os.fork()\n{LOAD}\nif another: os.wait()\nprint(row)"
    row = weights("wte", 262, 768).numpy().tobytes().hex()
    assert at_home(both, HF_ENDPOINT=hub_server.address) == [row, row]


def test_a_folder_that_someone_else_filled(hub_server, at_home):
    download = (
        'from huggingface_hub import hf_hub_download; hf_hub_download("openai-community/gpt2", "model.safetensors")'
    )
    at_home(download, HF_ENDPOINT=hub_server.address)
    asked = len(hub_server.requests)
    assert at_home(SHOW, HF_ENDPOINT="http://127.0.0.1:9") == [weights("wte", 262, 768).numpy().tobytes().hex()]
    assert len(hub_server.requests) == asked
