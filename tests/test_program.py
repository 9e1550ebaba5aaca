"""The training on screen as a program, run for real, prints the same losses."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from embedviz.program import pytorch_training
from embedviz.training import Settings, train

HOSTILE = 'It\'s "the\\cat"\n\t🐈 -- </script> {x} %s \x00 <|endoftext|>? No! ' * 12


@pytest.mark.parametrize(
    "settings",
    [
        Settings(steps=40),
        Settings(steps=15, shuffled=True, positions=False, tied=False, n_layers=2, output_dim=16, seed=4294967295),
        Settings(steps=15, context_length=7, output_dim=64),
        Settings(steps=15, text=HOSTILE, context_length=5),
        Settings(steps=15, text=HOSTILE, context_length=5, shuffled=True),
    ],
    ids=["default", "all else", "sizes", "hostile text", "shuffled text"],
)
def test_the_program_prints_the_losses(settings, tmp_path: Path):
    (tmp_path / "program.py").write_text(pytorch_training(settings), encoding="utf-8")
    done = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    expected = [f"{step.number} {step.loss:.4f}" for step in train(settings) if step.number]
    torch.set_num_threads(threads)
    assert done.stdout.splitlines() == expected
