"""The exported program, run for real, prints what the page shows."""

import ast

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.inputs import pytorch_padding
from embedviz.vectors.batches import positions_from_edge, positions_from_mask
from embedviz.vectors.embedding import embed_tokens, tokenize_for, with_vocabulary

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
HOSTILE = 'it\'s "the\\cat"\n\t🐈 </script><script>alert(1)</script> {x} %s \x00 <|endoftext|>'


def expected(c: ev.Comparison) -> list[str]:
    return [
        f"{stage} {pair.i} {pair.j} {pair.id} {same} {distance:.4f}"
        for stage in ("before", "after")
        for pair in c.pairs
        for same, distance in [
            (pair.same_before, pair.distance_before) if stage == "before" else (pair.same_after, pair.distance_after)
        ]
    ]


@pytest.mark.parametrize(
    ("a", "b", "settings"),
    [
        (CAT, MAT, {}),
        (CAT, MAT, {"prefix_space": False, "seed": 4294967295}),
        (CAT, MAT, {"position": "sinusoidal", "position_scale": 0.35, "scale_embeddings": True}),
        (CAT, MAT, {"tokenizer": "words", "output_dim": 3, "context_length": 6}),
        (CAT, MAT, {"tokenizer": "cl100k_base", "position": "none", "output_dim": 5}),
        (CAT, MAT, {"position": "rope", "output_dim": 8, "position_scale": 2.0}),
        (CAT, MAT, {"position": "shaw", "output_dim": 5}),
        ("The dog, the dog", "the Dog; dog", {"tokenizer": "words", "lower_case": True, "output_dim": 8}),
        (HOSTILE, f"{HOSTILE} again", {"output_dim": 16}),
        (HOSTILE, f"again {HOSTILE}", {"tokenizer": "words", "position_scale": 2.0, "output_dim": 16}),
        ("a lone \ud800", "surrogate \ud800", {"output_dim": 4}),
        (CAT, "", {"output_dim": 4}),
        ("", MAT, {"tokenizer": "words", "position": "sinusoidal", "output_dim": 4}),
    ],
    ids=[
        "default", "no prefix space", "sinusoidal", "words", "none", "rope", "shaw", "lower case", "hostile",
        "hostile words", "surrogate", "empty B", "empty A",
    ],
)  # fmt: skip
def test_the_program_prints_the_pairs(a, b, settings, compared, run):
    c = compared(a, b, **settings)
    assert run(pytorch_compare(c.a, c.b)) == expected(c)


@pytest.mark.parametrize("tokenizer", ["words", "o200k_base"])
def test_a_sentence_that_was_cut_is_cut_in_the_program(tokenizer, run):
    spec = with_vocabulary(ev.Spec(tokenizer=tokenizer, output_dim=4), CAT, MAT)
    a, b = (embed_tokens(tokenize_for(text, spec).head(4), spec) for text in (CAT, MAT))
    assert run(pytorch_compare(a, b)) == expected(ev.compare(a, b))


@pytest.mark.parametrize("sentences", [[[1], [1, 2, 3]], [[], [7, 8]], [[5, 6], [7, 8]]])
def test_the_positions_behind_the_padding_are_those_on_the_page(sentences, run):
    width = max(map(len, sentences))
    mask = np.array([[0] * (width - len(ids)) + [1] * len(ids) for ids in sentences])
    from_edge, real = (ast.literal_eval(line) for line in run(pytorch_padding(sentences)))
    assert from_edge == positions_from_edge(mask).tolist()
    assert real == positions_from_mask(mask).tolist()


def test_the_program_of_trained_vectors_runs_in_the_project(run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    spec = ev.Spec(source="trained")
    a, b = (ev.embed(text, spec) for text in ("the cat hears the dog", "the dog hears the cat"))
    c = ev.compare(a, b)
    assert c.n_shared == 7  # "the" twice in both
    assert run(pytorch_compare(a, b)) == expected(c)
