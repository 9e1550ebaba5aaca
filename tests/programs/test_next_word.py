"""The program of the next word, run for real, prints what the library computes."""

import pytest

from embedviz.base.data_files import DATA
from embedviz.programs.layers import pytorch_prompts
from embedviz.programs.next_word import N_SHOWN, pytorch_next_word
from embedviz.programs.notebook import notebook
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.training.run import follow
from embedviz.training.train import TrainingSettings
from embedviz.ui.inputs.model_runs import LanguageModel, placement_of
from tests.models.shelf import on_shelf

TEXTS = (
    "the cat sat on the mat , who sat ?",
    "on the mat the cat sat , who sat ?",
    "the dog bites the man , who bites ?",
)


def expected(run, prompts):
    lines = []
    for text, placement in prompts:
        found = forward(run, text, placement)
        likeliest = (-found.next_word).argsort(kind="stable")[:N_SHOWN]
        lines += [f"{run.vocabulary[id_]!r} {found.next_word[id_]:.4f}" for id_ in likeliest]
        for n, layer in enumerate(found.attentions[:, :, -1], 1):
            lines += [f"layer {n} head {h} {' '.join(f'{x:.4f}' for x in row)}" for h, row in enumerate(layer, 1)]
    return lines


def numbers(lines):
    return [[float(word) if "." in word and word[0].isdigit() else word for word in line.split()] for line in lines]


@pytest.mark.parametrize(
    ("name", "placements"),
    [
        ("learned", [AS_TRAINED] * 3),
        ("learned", [Placement(scale=0.0)] * 3),
        ("learned", [Placement(exchanged=(1, 5)), Placement(exchanged=(2, 4)), Placement(exchanged=(1, 4))]),
        ("rope", [Placement(exchanged=(1, 5), share=0.3, order=(4, 2, 3, 1, 0, *range(5, n))) for n in (10, 10, 9)]),
        ("none_2_layers", [Placement(positions=(*range(n - 1), 17 - (n - 1))) for n in (10, 10, 9)]),
        ("none", [AS_TRAINED, Placement(order=(8, 2, 3, 1, 0, 5, 6, 7, 4, 9)), Placement(scale=0.0)]),
    ],
    ids=["on", "off", "exchanged", "rope", "two layers", "each another"],
)
def test_the_program_prints_the_next_words_of_a_bundled_run(name, placements, run, tmp_path):
    """Each prompt has a placement of its own, since its nouns and its "?" stand elsewhere."""
    (tmp_path / "data").symlink_to(DATA)
    prompts = [*zip(TEXTS, placements, strict=True)]
    printed = numbers(run(pytorch_next_word(BUNDLED[name], prompts)))
    wanted = numbers(expected(bundled(BUNDLED[name]), prompts))
    for ours, theirs in zip(printed, wanted, strict=True):
        assert ours == [pytest.approx(each, abs=1.1e-4) if isinstance(each, float) else each for each in theirs]


@pytest.mark.parametrize(
    "settings",
    [
        TrainingSettings(steps=20, positions="rope", output_dim=16),
        TrainingSettings(steps=20, text="""the dog bites the "man", it's 'who' bites? </script>\n""" * 9, tied=False),
    ],
    ids=["own language", "hostile text"],
)
def test_the_program_trains_a_run_that_is_not_bundled(settings, run):
    *_, trained = follow(settings)
    prompts = [("the dog bites", AS_TRAINED)]
    printed = numbers(run(pytorch_next_word(settings, prompts)))
    for ours, theirs in zip(printed, numbers(expected(trained, prompts)), strict=True):
        assert ours[1:] == [pytest.approx(each, abs=2e-3) if isinstance(each, float) else each for each in theirs[1:]]


def test_a_notebook_brings_its_run_along():
    prompts = [(text, AS_TRAINED) for text in TEXTS]
    text = notebook(pytorch_next_word(BUNDLED["rope"], prompts), "Next word").decode()
    assert "data/training/rope.safetensors" in text
    assert "b64decode" in text
    hostile = TrainingSettings(text="""x = load_file("data/training/nothing.safetensors") it's\n""" * 9)
    assert "b64decode" not in notebook(pytorch_next_word(hostile, [("x =", AS_TRAINED)]), "Next word").decode()


@pytest.mark.parametrize("change", ["trained", "off", "swapped"])
@pytest.mark.parametrize("kind", ["gpt2", "opt", "llama"])
def test_the_program_of_a_model_prints_the_same_words(kind, change, run, models_folder, tmp_path):
    on_shelf(kind, models_folder / "own/model", "the cat sat", with_head=True)
    (tmp_path / "own").symlink_to(models_folder / "own")
    found = LanguageModel("own/model").read("the cat sat on the mat", change, swap=(1, 5))
    placement = placement_of(change, len(found.tokens), 0, (1, 5))
    printed = [line.split() for line in run(pytorch_prompts("own/model", [(found.tokens, placement)] * 2))]
    likeliest = (-found.next_word).argsort(kind="stable")[:N_SHOWN]
    wanted = [[str(id_), pytest.approx(found.next_word[id_], abs=1.1e-4)] for id_ in likeliest]
    assert [[id_, float(chance)] for id_, chance in printed] == wanted * 2
