"""What lies in `data/training`: the runs, what those of all seeds answer, and how both are made again."""

import hashlib
import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch

from embedviz.base import data_files
from embedviz.training import recording
from embedviz.training.answers import CHANGES, OTHER, PROMPTS, RECORDED, RIGHT, answers
from embedviz.training.bundled import BUNDLED, SEEDS, bundled, tried
from embedviz.training.next_word import forward
from embedviz.training.placement import Placement
from embedviz.training.recording import counted, trained
from embedviz.training.run import pack, unpack
from embedviz.training.train import TrainingSettings

N = 576
MOVED = {9: (*range(8), 9), 10: (*range(9), 8)}  # the positions of a question of so many words whose "?" moves


def at(prompt: tuple[str, ...]) -> tuple[int, int]:
    """Where the two nouns stand."""
    return (2, 4) if prompt[0] != "the" else (1, 4) if prompt[3] == "the" else (1, 5)


def placed(change: str, prompt: tuple[str, ...]) -> Placement:
    return {
        "on": Placement(),
        "off": Placement(scale=0.0),
        "exchanged": Placement(exchanged=at(prompt)),
        "moved": Placement(positions=MOVED[len(prompt)]),
        "padded": Placement(positions=tuple(n + 1 for n in range(len(prompt)))),
    }[change]


def test_all_seeds_of_all_models_after_all_changes_are_told():
    assert SEEDS == (1, 2, 3, 4, 5)
    assert (*CHANGES, "padded") == RECORDED
    assert CHANGES == ("on", "off", "exchanged", "shuffled", "moved")
    assert set(tried()) == set(BUNDLED) == {"learned", "rope", "none", "none_2_layers", "shuffled"}
    for after in tried().values():
        assert set(after) == set(RECORDED)
        for counts in after.values():
            assert len(counts) == len(SEEDS)
            for right, other in counts:
                assert right >= 0 <= other
                assert right + other <= N
    assert all(settings.seed == SEEDS[0] for settings in BUNDLED.values())


@pytest.mark.parametrize("name", BUNDLED)
def test_of_the_first_seed_it_is_what_the_recorded_run_answers(name):
    run = bundled(BUNDLED[name])
    assert counted(run) == {change: counts[0] for change, counts in tried()[name].items()}


@pytest.mark.parametrize("change", ["on", "off", "exchanged", "moved", "padded"])
@pytest.mark.parametrize("name", ["learned", "none_2_layers"])
def test_and_that_is_counted_question_by_question(name, change):
    run, counts = bundled(BUNDLED[name]), Counter()
    for prompt, right, other in zip(PROMPTS, RIGHT, OTHER, strict=True):
        word = run.vocabulary[int(forward(run, " ".join(prompt), placed(change, prompt)).next_word.argmax())]
        counts[{right: "right", other: "other"}.get(word, "third")] += 1
    assert [counts["right"], counts["other"]] == tried()[name][change][0]


def test_what_must_be_so_is_so_with_every_seed():
    """One layer: without positions no order is better than another, and exchanged positions are exchanged nouns."""
    for name in ("learned", "rope", "shuffled"):
        after = tried()[name]
        assert all(right == other for right, other in after["off"])
        assert [[other, right] for right, other in after["on"]] == after["exchanged"]
        assert after["shuffled"] == after["on"]
    assert tried()["rope"]["padded"] == tried()["rope"]["on"]  # which reads distances alone
    without = tried()["none"]
    for change in RECORDED:
        assert without[change] == without["on"]
    assert all(right == other <= N / 2 for right, other in without["on"])
    two_layers = tried()["none_2_layers"]
    for change in ("off", "exchanged", "moved"):
        assert two_layers[change] == two_layers["on"]


def test_what_the_site_says_of_its_models_is_so_with_every_seed():
    for name in ("learned", "rope"):
        assert tried()[name]["on"] == [[N, 0]] * 5
    assert min(right for right, _other in tried()["none_2_layers"]["on"]) > 0.85 * N
    assert max(right for right, _other in tried()["none_2_layers"]["shuffled"]) < N / 3
    assert max(right for right, _other in tried()["shuffled"]["on"]) < N / 8


def test_another_seed_is_no_recorded_run():
    assert bundled(TrainingSettings()) is bundled(BUNDLED["learned"])
    assert bundled(TrainingSettings(seed=2)) is None


@pytest.mark.parametrize("settings", BUNDLED.values(), ids=BUNDLED)
def test_what_is_recorded_twice_is_the_same_to_the_last_bit(settings):
    short = replace(settings, steps=6)
    torch.set_num_threads(2)
    assert pack(trained(short)) == pack(trained(short)) != pack(trained(replace(short, seed=2)))
    assert torch.get_num_threads() == 1


def test_all_is_written_and_sealed(tmp_path, monkeypatch):
    settings = {"one": TrainingSettings(steps=4), "other": TrainingSettings(steps=3, positions="rope")}
    monkeypatch.setattr(recording, "BUNDLED", settings)
    monkeypatch.setattr(recording, "SEEDS", (1, 7))
    monkeypatch.setattr(data_files, "DATA", tmp_path)
    (tmp_path / "training").mkdir()
    try:
        recording.main()
        written = {path.name: path.read_bytes() for path in (tmp_path / "training").iterdir()}
        assert sorted(written) == ["one.safetensors", "other.safetensors", "seeds.json"]
        for name, each in settings.items():
            assert written[f"{name}.safetensors"] == pack(trained(each))
            runs = [unpack(written[f"{name}.safetensors"]), trained(replace(each, seed=7))]
            told = json.loads(written["seeds.json"])[name]
            for change in RECORDED:
                found = [answers(run, change) for run in runs]
                assert told[change] == [[int(np.sum(one.is_right)), int(np.sum(one.is_other))] for one in found]
        for name, content in written.items():
            assert data_files.read(f"training/{name}") == content
            assert data_files.sums()[f"training/{name}"] == hashlib.sha256(content).hexdigest()
    finally:
        data_files.sums.cache_clear()  # those of the project again
