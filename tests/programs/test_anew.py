"""Programs in a new Python, which has loaded nothing: each imports all that it needs.

One new Python runs them all, since to load PyTorch takes seconds. Programs that import more than PyTorch, tiktoken and
Python's own modules, and the one that trains, have a new Python of their own in the tests beside this one.
"""

import ast
import sys

import pytest

import embedviz as ev
from embedviz.attention.one_head import Sentence
from embedviz.programs.attention import pytorch_attention
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.inputs import pytorch_batches, pytorch_lookup, pytorch_tokenizers
from embedviz.programs.schemes.architectures import pytorch_reach
from embedviz.programs.schemes.relative import pytorch_distance, pytorch_shift
from embedviz.programs.schemes.rope import pytorch_clocks
from embedviz.programs.vocabulary import Asked, pytorch_vocabulary
from embedviz.text.token_ids import encode
from embedviz.text.tokens import TOKENIZERS
from embedviz.vectors.batches import Loader
from embedviz.vectors.embedding import tokenize_for
from embedviz.vocabulary.token_map import View
from embedviz.vocabulary.vocabulary import vocabulary

CAT = "the cat sat on the mat"
SMALL = ev.Spec(output_dim=32, context_length=600)
WORDS = ev.Spec(tokenizer="words", output_dim=64)
ALLOWED = {*sys.stdlib_module_names, "tiktoken", "torch"}


def programs() -> list[str]:
    a, loader = ev.embed(CAT, ev.Spec(output_dim=32)), Loader(encode(CAT * 12, "gpt2"))
    asked = Asked(11, "cosine", 12)
    return [
        pytorch_lookup(6, 3, 123, [2, 5]),
        pytorch_clocks(12, 8, 0),
        pytorch_reach("a model", 3, 4),
        pytorch_attention(a, ev.embed("on the mat the cat sat", a.spec), 4, True),
        pytorch_distance(150, None),
        pytorch_shift(Sentence(tokenize_for(CAT, SMALL), SMALL, 2)),
        pytorch_vocabulary(WORDS, len(vocabulary(WORDS)), View(sphereize=True), asked),
        pytorch_batches(loader, loader.tokens.text()),
        pytorch_compare(a, ev.embed("on the mat the cat sat", a.spec)),
        pytorch_tokenizers([CAT], TOKENIZERS, prefix_space=True),
    ]


def imported(program: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(program)))
    named = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {*named, *(node.module for node in nodes if isinstance(node, ast.ImportFrom))}


@pytest.fixture
def one_after_the_other(tmp_path) -> str:
    """A program that runs the programs, each with names of its own."""
    found = programs()
    assert set().union(*map(imported, found)) <= ALLOWED  # so none loads a package for another
    for n, program in enumerate(found):
        (tmp_path / f"{n}.py").write_text(program, encoding="utf-8")
    return f"import runpy\nfor n in range({len(found)}):\n    runpy.run_path(f'{{n}}.py', run_name='__main__')\n"


def test_programs_load_all_that_they_need(one_after_the_other, run):
    printed = run(one_after_the_other, anew=True)
    assert len(printed) > 200
    assert printed == run(one_after_the_other)
