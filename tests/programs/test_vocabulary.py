"""The program of the page "Vocabulary", run for real, prints what the page shows."""

import ast

import pytest

import embedviz as ev
from embedviz.programs.vocabulary import Asked, pytorch_vocabulary
from embedviz.vectors.neighbours import nearest
from embedviz.vectors.tables import token_table
from embedviz.vocabulary.token_map import View, draw
from embedviz.vocabulary.vocabulary import vocabulary

WORDS = ev.Spec(tokenizer="words", output_dim=64)


def rows(near) -> list[str]:
    return [f"{id_} {value:.4f}" for id_, value in zip(near.ids.tolist(), near.values.tolist(), strict=True)]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
@pytest.mark.parametrize(
    ("spec", "view"),
    [
        (ev.Spec(), View()),
        (WORDS, View(sphereize=True)),
        (WORDS, View(only=tuple(range(5, 40)))),
        (WORDS, View(method="axis", ends=(7, 99))),
        (ev.Spec(output_dim=8, seed=7), View(method="axis", ends=(7, 99))),
    ],
    ids=["gpt2", "sphereized", "isolated", "axis", "axis of gpt2"],
)
def test_shares_and_neighbours(spec, view, metric, run):
    table = token_table(len(vocabulary(spec)), spec)
    near = nearest(table[11], table, 12, metric, exclude=(11,))
    program = pytorch_vocabulary(spec, len(table), view, Asked(11, metric, 12))
    shares, *lines = run(program)
    assert ast.literal_eval(shares) == pytest.approx(draw(spec, view).explained.tolist(), abs=2e-6)
    assert lines == rows(near)


def test_without_a_token_only_the_shares(run):
    (shares,) = run(pytorch_vocabulary(WORDS, 100, View(), None))
    assert len(ast.literal_eval(shares)) == 2
