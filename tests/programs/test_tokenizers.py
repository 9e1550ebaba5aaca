"""The program of the page "Tokenizers", run for real, prints the same IDs."""

import ast

import pytest

from embedviz.programs.tokenizers import pytorch_tokenizers
from embedviz.text.segmentation import segment
from embedviz.text.tokens import TOKENIZERS

CAT = "the cat sat on the mat"
HOSTILE = 'it\'s "the\\cat"\n\t🐈 </script><script>alert(1)</script> {x} %s \x00 <|endoftext|> --a-- \u202e'


@pytest.mark.parametrize("text", [CAT, HOSTILE, "", "a lone \ud800", " leading", "\u2028\u0085 x"])
@pytest.mark.parametrize("prefix_space", [False, True])
def test_the_program_prints_the_ids(text, prefix_space, run):
    found = segment(text, TOKENIZERS, prefix_space)
    program = pytorch_tokenizers(found.text, TOKENIZERS, prefix_space)
    printed = [line.split(" ", 1) for line in run(program, anew=text == CAT and prefix_space)]
    assert [name for name, _ in printed] == list(TOKENIZERS)
    assert [ast.literal_eval(ids) for _, ids in printed] == [cut.tokens.ids for cut in found.cuts]


@pytest.mark.parametrize("names", [["words"], ["gpt2"]])
def test_the_program_imports_just_what_it_needs(names):
    lines = pytorch_tokenizers(CAT, names).splitlines()
    assert ("import tiktoken" in lines) == (names == ["gpt2"])
    assert ("import re" in lines) == (names == ["words"])
