"""The program of the page "Tokenizers", run for real, prints the same IDs."""

import ast

import pytest

from embedviz.programs.inputs import pytorch_tokenizers
from embedviz.programs.notebook import needs
from embedviz.text.segmentation import segment
from embedviz.text.tokens import TOKENIZERS, build_vocabulary
from tests.text import tokenizer_files

CAT = "the cat sat on the mat"
HOSTILE = 'it\'s "the\\cat"\n\t🐈 </script><script>alert(1)</script> {x} %s \x00 <|endoftext|> --a-- \u202e'


@pytest.mark.parametrize("text", [CAT, HOSTILE, "", "a lone \ud800", " leading", "\u2028\u0085 x"])
@pytest.mark.parametrize("prefix_space", [False, True])
def test_the_program_prints_the_ids(text, prefix_space, run):
    found = segment(text, TOKENIZERS, prefix_space)
    program = pytorch_tokenizers([found.text], TOKENIZERS, prefix_space)
    printed = [line.split(" ", 1) for line in run(program)]
    assert [name for name, _ in printed] == list(TOKENIZERS)
    assert [ast.literal_eval(ids) for _, ids in printed] == [cut.tokens.ids for cut in found.cuts]


@pytest.mark.parametrize("texts", [(CAT, "the mat sat on the cat"), (CAT, " " + CAT), ("", HOSTILE), ("\n", "")])
@pytest.mark.parametrize("prefix_space", [False, True])
def test_the_program_prints_the_ids_of_each_text_in_one_vocabulary_of_words(texts, prefix_space, run):
    vocabulary = build_vocabulary(texts, lower_case=False)
    printed = [line.split(" ", 1) for line in run(pytorch_tokenizers(texts, TOKENIZERS, prefix_space))]
    assert [name for name, _ in printed] == [name for name in TOKENIZERS for _text in texts]
    found = [segment(text, TOKENIZERS, prefix_space, vocabulary=vocabulary) for text in texts]
    expected = [each.cuts[n].tokens.ids for n in range(len(TOKENIZERS)) for each in found]
    assert [ast.literal_eval(ids) for _, ids in printed] == expected


@pytest.mark.parametrize("names", [["words"], ["gpt2"]])
def test_the_program_imports_just_what_it_needs(names):
    lines = pytorch_tokenizers([CAT], names).splitlines()
    assert ("import tiktoken" in lines) == (names == ["gpt2"])
    assert ("import re" in lines) == (names == ["words"])


@pytest.fixture
def hub_cache(tmp_path):
    """A folder in the place of HF_HOME that holds the files of the small tokenizers."""
    for name in tokenizer_files.NAMES:
        folder = tmp_path / "home/hub" / f"models--{name.replace('/', '--')}"
        for path, data in (
            ("refs/main", b"0" * 40),
            (f"snapshots/{'0' * 40}/tokenizer.json", tokenizer_files.tokenizer_json(name)),
        ):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    return {"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"}


@pytest.mark.parametrize("text", [CAT, HOSTILE, "", "Café [SEP] </s> a lone \ud800"])
@pytest.mark.parametrize(("prefix_space", "special_tokens"), [(False, True), (True, False)])
@pytest.mark.usefixtures("model_tokenizers")
def test_the_program_prints_the_ids_of_models(text, prefix_space, special_tokens, run, hub_cache):
    names = ["gpt2", *tokenizer_files.NAMES]
    found = segment(text, names, prefix_space, special_tokens=special_tokens)
    program = pytorch_tokenizers([found.text], names, prefix_space, special_tokens)
    printed = [line.split(" ", 1) for line in run(program, anew=text == CAT and prefix_space, **hub_cache)]
    assert [name for name, _ in printed] == names
    assert [ast.literal_eval(ids) for _, ids in printed] == [cut.tokens.ids for cut in found.cuts]


@pytest.mark.usefixtures("model_tokenizers")
def test_the_notebook_of_a_model_names_its_package():
    program = pytorch_tokenizers([CAT], ["test/llama"])
    assert [package.partition("==")[0] for package in needs(program)] == ["huggingface_hub", "tokenizers", "torch"]
    assert "tiktoken" not in program
