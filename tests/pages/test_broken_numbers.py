"""Every view that reads a model, with a model whose numbers are none, are infinite or huge, or are all the same."""

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import embedviz as ev
from embedviz.base.pages import page_at
from tests.models.hub import restart
from tests.models.shelf import on_shelf
from tests.pages.site import messages, visit

NAME = "google-bert/bert-base-uncased"  # AppTest sends no name again that is not on the list
WEIGHTS = "model.safetensors"
READ = ("", "attention", "relative", "positions", "vocabulary")  # the pages that read a model
# The views that read no such model.
WITHOUT = {"relative": {"distance", "far"}, "positions": {"models", "pairs", "adding"}}
VIEWS = [
    ("positions", {"view": "adding", "held_numbers": "4"}),
    *(
        (page, {"view": view} | ({"reader": NAME} if view == "whole" else {}))
        for page in READ
        for view in page_at(page).views or [""]
        if view not in WITHOUT.get(page, ())
    ),
]
NOT_FINITE = "holds numbers that are not finite: the file is broken."
HUGE = (
    "holds a number as large as 3e+38, and no weights are above 1,000,000: the file is broken, or the training went "
    "wrong. Choose another model."
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    found = tmp_path_factory.mktemp("shelf") / "model"
    on_shelf("gpt2", found, "the cat", n_embd=16, n_positions=64)
    return found


@pytest.fixture
def fill(shelf, hf_home, tmp_path, configure):
    """A function that puts the model into a folder of the operator's, with one number in all its tensors."""
    configure(models=tmp_path / "models")

    def put(number: float, dtype: torch.dtype = torch.float32) -> None:
        folder = Path(shutil.copytree(shelf, tmp_path / "models" / NAME))
        tensors = load_file(folder / WEIGHTS)
        save_file(
            {name: torch.full(each.shape, number, dtype=dtype) for name, each in tensors.items()}, folder / WEIGHTS
        )
        restart()

    return put


@pytest.mark.parametrize(
    ("number", "said"), [(float("nan"), NOT_FINITE), (float("-inf"), NOT_FINITE), (3e38, HUGE)], ids=str
)
def test_every_view_says_that_the_numbers_cannot_be_used(fill, number, said):
    fill(number)
    for page, view in VIEWS:
        at = visit(page, source=NAME, kind="learned", **view)
        assert not at.exception, (page, view)
        assert said in " ".join(messages(at)), (page, view)


@pytest.mark.parametrize("number", [0.0, 1.0, 1e-42, 1e6], ids=str)
def test_every_view_lives_with_vectors_that_are_all_the_same(fill, number):
    fill(number)
    for page, view in VIEWS:
        at = visit(page, source=NAME, kind="learned", **view)
        assert not at.exception, (page, view)
        assert "cannot be read" not in " ".join(messages(at)), (page, view)
        if page == "vocabulary":
            assert any("All these vectors are equal, so none is nearer" in each.value for each in at.caption)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["F16", "BF16"])
def test_short_numbers_that_are_infinite(fill, dtype):
    fill(float("inf"), dtype)
    with pytest.raises(ev.EmbedvizError, match=f"wte.weight {NOT_FINITE}"):
        ev.embed("the cat", ev.Spec(source=NAME))


def test_the_largest_short_number_is_a_number(fill):
    fill(65_504.0, torch.float16)
    assert (ev.embed("the cat", ev.Spec(source=NAME)).input_embeddings == 2 * 65_504.0).all()
