"""In processes of their own: the exported program prints what the page shows, and HF_ENDPOINT and HF_HOME count."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.checkpoints import CHECKPOINTS
from embedviz.export import pytorch_compare
from tests.hub import weights, write_model

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
ROOT = Path(__file__).resolve().parents[1]
SHOW = 'import embedviz as ev; print(ev.embed("the", ev.Spec(source="gpt2")).token_embeddings.tobytes().hex())'


@pytest.fixture
def run(tmp_path: Path, tiktoken_cache: Path):
    """Run a program with an HF_HOME of its own and give its lines; whether it succeeds is for the test to say."""
    home = tmp_path / "another home"

    def run(program: str, **variables: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        environment |= {"HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1", "NO_PROXY": "127.0.0.1"}
        environment |= {"TIKTOKEN_CACHE_DIR": str(tiktoken_cache), "PYTHONPATH": str(ROOT)} | variables
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        command = [sys.executable, "program.py"]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    yield run
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
def test_the_program_prints_the_pairs(hub_server, run, tmp_path, source, dtype, prefix, settings):  # noqa: PLR0917
    path = tmp_path / "model.safetensors"
    hub_server.files[CHECKPOINTS[source].repo] = write_model(path, source, dtype, prefix)
    spec = ev.Spec(source=source, **settings)
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    assert len(set(map(bytes, a.token_embeddings))) == 5
    done = run(pytorch_compare(a, b), HF_ENDPOINT=hub_server.address)
    assert done.returncode == 0, done.stderr
    pairs = ev.compare(a, b).pairs
    assert done.stdout.splitlines() == [
        *(f"before {pair.i} {pair.j} {pair.id} {pair.same_before} {pair.distance_before:.4f}" for pair in pairs),
        *(f"after {pair.i} {pair.j} {pair.id} {pair.same_after} {pair.distance_after:.4f}" for pair in pairs),
    ]


def test_a_mirror_and_a_folder_by_their_variables(hub_server, run):
    row = weights("wte", 262, 768).numpy().tobytes().hex()
    online = run(SHOW, HF_ENDPOINT=hub_server.address)
    assert online.stdout.split() == [row], online.stderr
    asked = len(hub_server.requests)
    again = run(SHOW, HF_ENDPOINT=hub_server.address, HF_HUB_OFFLINE="1")
    assert again.stdout.split() == [row], again.stderr
    assert len(hub_server.requests) == asked


def test_two_processes_keep_the_same_rows(hub_server, hf_home, run):
    both = f"""
import subprocess, sys
command = [sys.executable, "-c", {SHOW!r}]
started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
print(*(process.communicate()[0] for process in started))
"""
    done = run(both, HF_ENDPOINT=hub_server.address)
    assert done.stdout.split() == [weights("wte", 262, 768).numpy().tobytes().hex()] * 2, done.stderr


def test_a_folder_that_someone_else_filled(hub_server, run):
    download = (
        'from huggingface_hub import hf_hub_download; hf_hub_download("openai-community/gpt2", "model.safetensors")'
    )
    assert run(download, HF_ENDPOINT=hub_server.address).returncode == 0
    asked = len(hub_server.requests)
    offline = run(SHOW, HF_ENDPOINT="http://127.0.0.1:9")
    assert offline.stdout.split() == [weights("wte", 262, 768).numpy().tobytes().hex()], offline.stderr
    assert len(hub_server.requests) == asked
