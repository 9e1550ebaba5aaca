"""The program of the page "Lookup" for both sentences, run for real, prints their rows of the table."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.programs.inputs import pytorch_rows
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.vectors.embedding import embed_tokens, tokenize_for, with_vocabulary

CAT, MAT = "the cat sat on the mat", "the mat sat on the cat"
HOSTILE = 'it\'s "the\\cat"\n\t🐈 </script> {x} %s \x00 <|endoftext|>'


def lines(ids: list[int], rows: np.ndarray) -> list[str]:
    """An ID and the numbers of its row on each line."""
    return [" ".join([str(id_), *(f"{number:.4f}" for number in row)]) for id_, row in zip(ids, rows, strict=True)]


def test_the_rows_of_the_small_gpt_are_those_of_its_table(run, tmp_path):
    (tmp_path / "data").symlink_to(DATA)
    small = bundled(BUNDLED["learned"])
    a, b = (ev.embed(text, ev.Spec(source="trained")) for text in (CAT, MAT))
    ids = [small.vocabulary.index(word) for word in f"{CAT} {MAT}".split()]
    assert run(pytorch_rows(a, b, 8)) == lines(ids, small.tokens[-1][ids][:, :8])


@pytest.mark.parametrize(
    ("a", "b", "settings"),
    [
        (CAT, MAT, {}),
        ("my brother hates the dog", "the dog hates my brother", {"seed": 7}),
        (HOSTILE, f"{HOSTILE} again", {"output_dim": 16}),
        (CAT, "", {"output_dim": 4}),
        ("", MAT, {"tokenizer": "words", "output_dim": 9}),
    ],
    ids=["default", "seed", "hostile", "empty B", "words"],
)
def test_random_rows_are_those_of_the_library(a, b, settings, compared, run):
    c = compared(a, b, **settings)
    expected = [line for each in (c.a, c.b) for line in lines(each.tokens.ids, each.token_embeddings[:, :8])]
    assert run(pytorch_rows(c.a, c.b, 8)) == expected


def test_a_sentence_that_was_cut_is_cut_in_the_program(run):
    spec = with_vocabulary(ev.Spec(output_dim=8), CAT, MAT)
    a, b = (embed_tokens(tokenize_for(text, spec).head(4), spec) for text in (CAT, MAT))
    expected = [line for each in (a, b) for line in lines(each.tokens.ids, each.token_embeddings)]
    assert len(expected) == 8
    assert run(pytorch_rows(a, b, 8)) == expected
