"""The training on screen as a program, run for real, prints the same losses."""

import pytest
import torch

from embedviz.programs.training import pytorch_training
from embedviz.training.train import TrainingSettings, train

HOSTILE = 'It\'s "the\\cat"\n\t🐈 -- </script> {x} %s \x00 <|endoftext|>? No! ' * 12


@pytest.mark.parametrize(
    "settings",
    [
        TrainingSettings(steps=40),
        TrainingSettings(
            steps=15, shuffled=True, positions="none", tied=False, n_layers=2, output_dim=16, seed=4294967295
        ),
        TrainingSettings(steps=15, context_length=7, output_dim=64),
        TrainingSettings(steps=15, shuffled=True),
        TrainingSettings(steps=15, context_length=16, positions="rope"),
        TrainingSettings(steps=15, text=HOSTILE, context_length=5),
        TrainingSettings(steps=15, text=HOSTILE, context_length=5, shuffled=True),
    ],
    ids=["default", "all else", "sizes", "shuffled", "rope", "hostile text", "shuffled text"],
)
def test_the_program_prints_the_losses(settings, run):
    printed = run(pytorch_training(settings), anew=settings == TrainingSettings(steps=40))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    expected = [f"{step.number} {step.loss:.4f}" for step in train(settings) if step.number]
    torch.set_num_threads(threads)
    assert printed == expected
