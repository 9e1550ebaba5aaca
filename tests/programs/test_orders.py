"""The programs of "All orders", run for real, print the distances of the picture."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.programs.orders import pytorch_distances, pytorch_model, pytorch_small
from embedviz.text.orders import orders
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.vectors.orders import sentence_map
from tests.models.shelf import on_shelf

TEXTS = orders("the cat sat").texts
NAME = "own/model"


def printed(lines: list[str], name: str) -> np.ndarray:
    return np.array([[float(x) for x in line.removeprefix(name).split()] for line in lines if line.startswith(name)])


@pytest.mark.parametrize("texts", [TEXTS, ["the cat", "cat the the", "a dog"]], ids=["orders", "other words"])
def test_the_program_prints_the_distances_of_sums(texts, run):
    embedded = [ev.embed(text, ev.Spec(output_dim=8)) for text in texts]
    vectors = ([getattr(each, name) for each in embedded] for name in ("token_embeddings", "input_embeddings"))
    found = sentence_map([each.tokens.ids for each in embedded], *vectors)
    lines = run(pytorch_distances(embedded))
    np.testing.assert_allclose(printed(lines, "without positions"), found.before, atol=6e-5)
    np.testing.assert_allclose(printed(lines, "with positions"), found.after, atol=6e-5)


@pytest.mark.parametrize("layer", [1, None], ids=["layer", "sentence"])
@pytest.mark.parametrize("kind", ["bert", "gpt2", "opt", "llama"])
def test_the_program_prints_the_distances_of_a_models_vectors(kind, layer, models_folder, run):
    on_shelf(kind, models_folder / NAME, TEXTS[0], with_head=kind != "bert")
    read = {change: [LanguageModel(NAME).read(text, change) for text in TEXTS] for change in ("off", "trained")}
    tokens = [each.tokens for each in read["trained"]]
    program = pytorch_model(NAME, tokens, layer).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    check(run(program), read, layer)


def test_a_model_with_alibi_is_read_in_one_way(models_folder, run):
    on_shelf("bloom", models_folder / NAME, TEXTS[0], with_head=True)
    read = [LanguageModel(NAME).read(text, "trained") for text in TEXTS]
    program = pytorch_model(NAME, [each.tokens for each in read], 1)
    check(run(program.replace(f'"{NAME}"', repr(str(models_folder / NAME)))), {"off": read, "trained": read}, 1)


@pytest.mark.parametrize("name", ["small-gpt", "small-gpt-rope"])
def test_the_program_prints_the_distances_of_the_small_gpt(name, run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    texts = orders("dog bites man").texts
    read = {change: [LanguageModel(name).read(text, change) for text in texts] for change in ("off", "trained")}
    program = pytorch_small(LanguageModel(name).run, [each.tokens for each in read["trained"]], 1)
    check(run(program), read, 1)


def check(lines: list[str], read: dict[str, list[ev.Forward]], layer: int | None) -> None:
    ids = [[0] if layer is None else each.tokens.ids for each in read["off"]]
    vectors = (
        [each.sentence[None] if layer is None else each.hidden_states[layer] for each in read[change]]
        for change in ("off", "trained")
    )
    found = sentence_map(ids, *vectors)
    np.testing.assert_allclose(printed(lines, "positions off"), found.before, atol=1e-3)
    np.testing.assert_allclose(printed(lines, "as trained"), found.after, atol=1e-3)
