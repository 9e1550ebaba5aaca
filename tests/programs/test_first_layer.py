"""The program of a model's own first attention layer prints the distances of the page."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.two_sentences import AttentionCases, cases_of_model
from embedviz.base.data_files import DATA
from embedviz.layers.positions import first_layer
from embedviz.programs.first_layer import pytorch_first_layer
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors.comparison import Comparison
from tests.models.shelf import on_shelf

NAME = "own/model"
A, B = "the cat sat on the mat", "on the mat the cat sat"
WIDE = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "initializer_range": 0.2}


def compared(spec: ev.Spec) -> Comparison:
    return ev.compare(*(ev.embed(text, spec) for text in (A, B)))


def assert_prints(lines: list[str], comparison: Comparison, cases: AttentionCases) -> None:
    pairs = np.argwhere(comparison.shared).tolist()
    named = [(name, getattr(cases, name)) for name in ("plain", "chosen", "masked")]
    said = [line.split() for line in lines]
    ids = comparison.ids[0]
    assert [line[:4] for line in said] == [
        [name, str(i), str(j), str(ids[i])] for name, _case in named for i, j in pairs
    ]
    apart = [case.distances[i, j] for _name, case in named for i, j in pairs]
    assert [float(line[4]) for line in said] == pytest.approx(apart, abs=2e-3)


@pytest.mark.parametrize("kind", ["gpt2", "opt", "llama", "gemma2", "smollm3"])
def test_the_program_of_a_model_prints_what_the_page_shows(models_folder, run, kind):
    sizes = {"gpt2": {"n_embd": 64, "n_head": 4}, "opt": {}}.get(kind, WIDE | {"num_key_value_heads": 2})
    on_shelf(kind, models_folder / NAME, A, with_head=True, **sizes)
    comparison = compared(ev.Spec(source=NAME))
    a, b = comparison.a.tokens, comparison.b.tokens
    cases = cases_of_model(comparison, *first_layer(NAME, a.ids, b.ids), True)
    program = pytorch_first_layer(NAME, a, b, True).replace(f'"{NAME}"', repr(str(models_folder / NAME)))
    assert_prints(run(program), comparison, cases)


@pytest.mark.parametrize("name", ["learned", "rope", "none"])
@pytest.mark.parametrize("causal", [True, False])
def test_the_program_of_a_small_gpt_prints_what_the_page_shows(run, tmp_path, name, causal):
    (tmp_path / "data").symlink_to(DATA)
    words = bundled(BUNDLED[name]).vocabulary
    comparison = compared(ev.Spec(tokenizer="words", vocabulary=tuple(words), position="none"))
    a, b = comparison.a.tokens, comparison.b.tokens
    cases = cases_of_model(comparison, *first_layer(bundled(BUNDLED[name]), a.ids, b.ids), causal)
    assert_prints(run(pytorch_first_layer(BUNDLED[name], a, b, causal)), comparison, cases)
