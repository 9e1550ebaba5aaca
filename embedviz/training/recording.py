"""Make what lies in `data/training` again: `python -m embedviz.training.recording`."""

import json
from dataclasses import replace

import torch

from embedviz.base import data_files
from embedviz.training.answers import RECORDED, answers
from embedviz.training.bundled import BUNDLED, SEEDS, TRIED
from embedviz.training.run import Run, follow, pack
from embedviz.training.train import TrainingSettings


def trained(settings: TrainingSettings) -> Run:
    """Train on one thread, because the last digits depend on the number of threads."""
    torch.set_num_threads(1)
    *_, run = follow(settings)
    return run


def counted(run: Run) -> dict[str, list[int]]:
    """After each change, how many questions the run answers right, and how many with the other noun."""
    found = {change: answers(run, change) for change in RECORDED}
    return {change: [each.n_right, each.n_other] for change, each in found.items()}


def main() -> None:
    """Train each of the models with each seed. Write the run of the first seed, and what all of them answer."""
    tried = {}
    for name, settings in BUNDLED.items():
        runs = [trained(replace(settings, seed=seed)) for seed in SEEDS]
        (data_files.DATA / "training" / f"{name}.safetensors").write_bytes(pack(runs[0]))
        each = list(map(counted, runs))
        tried[name] = {change: [found[change] for found in each] for change in RECORDED}
    (data_files.DATA / TRIED).write_text(json.dumps(tried) + "\n", "utf-8")
    data_files.seal()


if __name__ == "__main__":
    main()
