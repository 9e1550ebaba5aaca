"""The program of "Order and meaning", run for real, prints the cosines of the picture."""

import numpy as np
import pytest

from embedviz.layers.triples import likeness
from embedviz.programs.layers import pytorch_likeness
from tests.models.shelf import on_shelf

NAME = "own/model"
LONG = {"gpt2": "n_positions"}


@pytest.mark.parametrize("positions", [True, False])
@pytest.mark.parametrize("kind", ["bert", "gpt2", "opt", "llama"])
def test_the_program_prints_the_cosines_of_each_triple_and_their_means(models_folder, run, kind, positions):
    room = {LONG.get(kind, "max_position_embeddings"): 90}
    on_shelf(kind, models_folder / NAME, "the cat", with_head=kind != "bert", **room)
    found = likeness(NAME, positions=positions)
    program = pytorch_likeness(NAME, found.tokens, positions=positions)
    *lines, means = run(program.replace(f'"{NAME}"', repr(str(models_folder / NAME))))
    printed = np.array([[float(number) for number in line.split()] for line in lines])
    np.testing.assert_allclose(printed, np.stack([found.same, found.other], axis=1), atol=6e-4)
    wanted = [each.mean() for each in (found.same, found.other, found.apart)]
    np.testing.assert_allclose([float(number) for number in means.split()[2:]], wanted, atol=6e-4)
