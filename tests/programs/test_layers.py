"""The programs of the page "Layers", run for real, print what the library computes."""

import numpy as np
import pytest

from embedviz.base.data_files import DATA
from embedviz.layers.copies import copy_similarity
from embedviz.programs.layers import pytorch_copies, pytorch_head
from embedviz.programs.next_word import pytorch_states, pytorch_weights
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.ui.inputs.model_runs import LanguageModel, placement_of
from tests.models.shelf import on_shelf

NAME = "own/model"
A, B = "the cat sat", "sat the cat"


@pytest.fixture
def both(models_folder):
    """A, B and another sentence through a tiny model of some kind, each with where its tokens stand after a change."""

    def read(kind: str, change: str, shift: int = 0) -> list:
        on_shelf(kind, models_folder / NAME, A, with_head=kind not in ("bert", "roberta"))
        found = [LanguageModel(NAME).read(text, change, shift, (0, 1)) for text in (A, B, "a red fox")]
        return [(each, placement_of(change, len(each.tokens), shift, (0, 1))) for each in found]

    return read


def of_lines(lines: list[str], skip: int = 0) -> list[list[float]]:
    return [[float(number) for number in line.split()[skip:]] for line in lines]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        *(("bert", ("trained",)), ("bert", ("off",)), ("bert", ("shifted", 3)), ("bert", ("swapped",))),
        *(("roberta", ("shifted", 2)), ("roberta", ("off",)), ("gpt2", ("trained",)), ("gpt2", ("off",))),
        *(("opt", ("shifted", 3)), ("opt", ("off",)), ("llama", ("shifted", 5)), ("llama", ("off",))),
        ("bloom", ("trained",)),
    ],
)
def test_the_program_prints_the_cosines_of_copies_and_of_sentences(both, models_folder, run, kind, change):
    a, b, other = both(kind, *change)
    found = copy_similarity(a[0], b[0], other[0])
    program = pytorch_copies(NAME, a, b, found.pairs, other).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    *pairs, sentences, to_a, to_b = run(program)
    assert [tuple(map(int, line.split()[:2])) for line in pairs] == found.pairs
    np.testing.assert_allclose(of_lines(pairs, 2), found.cosines, atol=6e-4)
    assert float(sentences) == pytest.approx(found.sentences, abs=6e-4)
    np.testing.assert_allclose([float(to_a), float(to_b)], found.unrelated, atol=6e-4)


@pytest.mark.parametrize("change", ["trained", "off"])
def test_the_program_prints_the_weights_of_a_head(both, models_folder, run, change):
    a, b, _other = both("bert", change)
    program = pytorch_head(NAME, a, b, 0, 1).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    wanted = np.concatenate([a[0].attentions[0, 1], b[0].attentions[0, 1]])
    np.testing.assert_allclose(of_lines(run(program)), wanted, atol=6e-5)


@pytest.mark.parametrize("name", ["learned", "rope"])
@pytest.mark.parametrize("placement", [AS_TRAINED, Placement(scale=0.0), Placement(exchanged=(1, 5))])
def test_the_program_of_a_small_gpt_prints_its_cosines(run, tmp_path, name, placement):
    (tmp_path / "data").symlink_to(DATA)
    texts = "the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?"
    a, b = forward(bundled(BUNDLED[name]), texts[0], placement), forward(bundled(BUNDLED[name]), texts[1])
    other = forward(bundled(BUNDLED[name]), "the fox stood under the box", placement)
    found = copy_similarity(a, b, other)
    placed_texts = (a.tokens.texts, placement), (b.tokens.texts, AS_TRAINED)
    program = pytorch_states(BUNDLED[name], *placed_texts, found.pairs, (other.tokens.texts, placement))
    *pairs, sentences, to_a, to_b = run(program)
    np.testing.assert_allclose([float(to_a), float(to_b)], found.unrelated, atol=6e-4)
    np.testing.assert_allclose(of_lines(pairs, 2), found.cosines, atol=6e-4)
    assert float(sentences) == pytest.approx(found.sentences, abs=6e-4)


@pytest.mark.parametrize("head", [("learned", 0, 2), ("rope", 0, 1), ("none_2_layers", 1, 2)])
@pytest.mark.parametrize("change", ["trained", "off"])
def test_the_program_prints_the_weights_of_a_head_of_the_small_gpt(head, change, run, tmp_path):
    (name, *at), placement = head, placement_of(change, 3, 0, (0, 1))
    a, b = (
        forward(bundled(BUNDLED[name]), text, placement)
        for text in ("the cat sat", "the mat sat on the cat , who sat ?")
    )
    tokens = [(each.tokens.texts, placement) for each in (a, b)]
    (tmp_path / "data").symlink_to(DATA)
    printed = of_lines(run(pytorch_weights(BUNDLED[name], *tokens, *at)))
    wanted = [row for each in (a, b) for row in each.attentions[tuple(at)]]
    for line, row in zip(printed, wanted, strict=True):
        np.testing.assert_allclose(line, row, atol=6e-5)
