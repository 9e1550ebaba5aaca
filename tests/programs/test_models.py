"""In processes of their own: the program of Compare prints the page's pairs, for models of several families."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

import embedviz as ev
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.inputs import pytorch_tokenizers
from tests.models.hub import Hub
from tests.models.shelf import on_shelf

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat [SEP]"


@pytest.fixture
def at_home(run, tmp_path: Path) -> Iterator[Callable[..., list[str]]]:
    """Run a program with an HF_HOME of its own."""
    home = tmp_path / "another home"
    yield partial(run, HF_HOME=str(home), HF_HUB_DISABLE_TELEMETRY="1", NO_PROXY="127.0.0.1")
    shutil.rmtree(home, ignore_errors=True)


# RoBERTa's first position is row 2, BERT has a segment and a norm, ELECTRA a matrix after it, OPT one before the sum.
@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "opt, projected", "gemma3_text", "llama"])
def test_the_program_prints_the_pairs(hub_server: Hub, at_home, tmp_path, family):
    on_shelf(family, tmp_path / "model", CAT, max_shard_size="6KB" if family == "llama" else "50GB")
    hub_server.files["owner/name"] = tmp_path / "model"
    spec = ev.Spec(source="owner/name")
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    printed = [line.split() for line in at_home(pytorch_compare(a, b), HF_ENDPOINT=hub_server.address)]
    pairs = ev.compare(a, b).pairs
    assert pairs
    for stage, of, distance in (
        ("before", "same_before", "distance_before"),
        ("after", "same_after", "distance_after"),
    ):
        found = [line[1:] for line in printed if line[0] == stage]
        assert found == [
            [str(pair.i), str(pair.j), str(pair.id), str(getattr(pair, of)), f"{getattr(pair, distance):.4f}"]
            for pair in pairs
        ]
    entered = {tuple(line[2:4]): line[6] for line in printed if line[:2] == ["first", "layer"]}
    assert bool(entered) == (a.first_layer is not a.input_embeddings)
    for pair in pairs if entered else ():
        difference = a.first_layer[pair.i].astype(float) - b.first_layer[pair.j]
        assert float(entered[str(pair.i), str(pair.j)]) == pytest.approx((difference**2).sum() ** 0.5, abs=2e-4)


def test_offline_the_programs_read_a_model_that_is_only_in_a_folder(hf_home, at_home, configure, tmp_path):
    """As its reader would run it: the folder is named by the variable, or lies beside the program as `models`."""
    folder = tmp_path / "models"
    on_shelf("bert", folder / "mine" / "own", CAT)
    configure(models=folder)
    spec = ev.Spec(source="mine/own")
    a, b = ev.embed(CAT, spec), ev.embed(MAT, spec)
    pairs = [f"before {pair.i} {pair.j} {pair.id} True {pair.distance_before:.4f}" for pair in ev.compare(a, b).pairs]
    compared, cut = pytorch_compare(a, b), pytorch_tokenizers([CAT], ["mine/own"])
    assert str(tmp_path) not in compared + cut
    offline = {"HF_HUB_OFFLINE": "1", "HF_ENDPOINT": "http://127.0.0.1:9"}
    printed = at_home(compared, EMBEDVIZ_MODELS=str(folder), **offline)
    assert printed[: len(pairs)] == pairs
    assert at_home(cut, EMBEDVIZ_MODELS=str(folder), **offline) == [f"mine/own {a.tokens.ids}"]
    beside = f"import os\nos.chdir({str(tmp_path)!r})\nos.environ.pop('EMBEDVIZ_MODELS', None)\n{cut}"
    assert at_home(beside, **offline) == [f"mine/own {a.tokens.ids}"]
