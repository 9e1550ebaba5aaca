"""The programs of the page "Layers", run for real, print what the library computes."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.layers.copies import alike
from embedviz.programs.layers import pytorch_copies, pytorch_head
from embedviz.programs.next_word import pytorch_states, pytorch_weights
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.next_word import forward
from embedviz.training.placement import AS_TRAINED, Placement
from embedviz.ui.inputs.reading import placed
from tests.models.shelf import on_shelf

NAME = "own/model"
A, B = "the cat sat", "sat the cat"


@pytest.fixture
def both(models_folder):
    """A and B through a tiny model of some kind, each with its positions."""

    def read(kind: str, shift: int | None) -> list:
        on_shelf(kind, models_folder / NAME, A, with_head=kind not in ("bert", "roberta"))
        spec = ev.Spec(source=NAME)
        n = len(ev.forward(A, spec).tokens)
        positions = None if shift is None else tuple(range(shift, shift + n))
        return [(ev.forward(text, spec, positions), positions) for text in (A, B)]

    return read


def of_lines(lines: list[str], skip: int = 0) -> list[list[float]]:
    return [[float(number) for number in line.split()[skip:]] for line in lines]


@pytest.mark.parametrize(
    ("kind", "shift"),
    [("bert", None), ("bert", 3), ("roberta", 2), ("gpt2", None), ("opt", 3), ("llama", 5), ("bloom", None)],
)
def test_the_program_prints_the_cosines_of_copies_and_of_sentences(both, models_folder, run, kind, shift):
    a, b = both(kind, shift)
    found = alike(a[0], b[0])
    program = pytorch_copies(NAME, a, b, found.pairs).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    *pairs, sentences = run(program)
    assert [tuple(map(int, line.split()[:2])) for line in pairs] == found.pairs
    np.testing.assert_allclose(of_lines(pairs, 2), found.cosines, atol=6e-4)
    assert float(sentences) == pytest.approx(found.sentences, abs=6e-4)


def test_the_program_prints_the_weights_of_a_head(both, models_folder, run):
    a, b = both("bert", None)
    program = pytorch_head(NAME, a, b, 0, 1).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    wanted = np.concatenate([a[0].attentions[0, 1], b[0].attentions[0, 1]])
    np.testing.assert_allclose(of_lines(run(program)), wanted, atol=6e-5)


@pytest.mark.parametrize("name", ["learned", "rope"])
@pytest.mark.parametrize("placement", [AS_TRAINED, Placement(scale=0.0), Placement(exchanged=(1, 5))])
def test_the_program_of_a_small_gpt_prints_its_cosines(run, tmp_path, name, placement):
    (tmp_path / "data").symlink_to(DATA)
    texts = "the cat sat on the mat , who sat ?", "the mat sat on the cat , who sat ?"
    a, b = forward(bundled(BUNDLED[name]), texts[0], placement), forward(bundled(BUNDLED[name]), texts[1])
    found = alike(a, b)
    program = pytorch_states(
        BUNDLED[name], (a.tokens.texts, placement), (b.tokens.texts, AS_TRAINED), found.pairs
    )  # fmt: skip
    *pairs, sentences = run(program)
    np.testing.assert_allclose(of_lines(pairs, 2), found.cosines, atol=6e-4)
    assert float(sentences) == pytest.approx(found.sentences, abs=6e-4)


@pytest.mark.parametrize("head", [("learned", 0, 2), ("rope", 0, 1), ("none_2_layers", 1, 2)])
@pytest.mark.parametrize("change", ["trained", "off"])
def test_the_program_prints_the_weights_of_a_head_of_the_small_gpt(head, change, run, tmp_path):
    (name, *at), placement = head, placed(change, 3, 0, (0, 1))
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
