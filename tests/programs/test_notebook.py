"""A program as a notebook: valid, the same code, and run for real it prints what the page shows."""

import ast
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import embedviz as ev
from embedviz.base.settings import ROOT
from embedviz.programs.compare import pytorch_compare
from embedviz.programs.inputs import pytorch_batches, pytorch_lookup
from embedviz.programs.notebook import needs, notebook
from embedviz.programs.training import pytorch_training
from embedviz.text.token_ids import encode
from embedviz.training.train import TrainingSettings
from embedviz.vectors.batches import Loader
from tests.programs.test_compare import expected

HOSTILE = (
    'it\'s "the\\cat"\n\t\r\n🐈 ```\n# no\n\nimport os\n</script><script>alert(1)</script> {x} %s \x00 قطة '
    "\u202e \u2028 $x$ '''"
)


def opened(file: bytes) -> nbformat.NotebookNode:
    found = nbformat.reads(file.decode(), as_version=4)
    nbformat.validate(found)
    return found


def read(program: str, title: str = "A page") -> nbformat.NotebookNode:
    return opened(notebook(program, title))


def cells(found: nbformat.NotebookNode, kind: str) -> list[str]:
    return [cell.source for cell in found.cells if cell.cell_type == kind]


def in_one(found: nbformat.NotebookNode) -> str:
    """Its cells as one program, which prints what stands below them in Jupyter: that would show a last value too."""
    code = cells(found, "code")
    values = [ast.unparse(last) for cell in code if isinstance(last := ast.parse(cell).body[-1], ast.Expr)]
    assert [value for value in values if not value.startswith("print(")] == []
    return "\n".join(code)


def run_by_jupyter(found: nbformat.NotebookNode, folder: Path, tiktoken_cache: Path) -> list[str]:
    """What its cells print, and that nothing else stands below them."""
    client = NotebookClient(found, timeout=600, resources={"metadata": {"path": str(folder)}})
    client.execute(env=os.environ | {"TIKTOKEN_CACHE_DIR": str(tiktoken_cache), "PYTHONPATH": ""})
    outputs = [output for cell in found.cells for output in cell.get("outputs", [])]
    assert {output.output_type for output in outputs} == {"stream"}
    return "".join(output.text for output in outputs).splitlines()


def test_jupyter_runs_it_and_it_prints_the_pairs(compared, tmp_path, tiktoken_cache):
    c = compared(HOSTILE, f"{HOSTILE} again", output_dim=16)
    assert run_by_jupyter(read(pytorch_compare(c.a, c.b)), tmp_path, tiktoken_cache) == expected(c)


def test_a_notebook_of_trained_vectors_has_them(run):
    spec = ev.Spec(source="trained")
    a, b = (ev.embed(text, spec) for text in ("the cat hears the dog", "the dog hears the cat"))
    assert run(in_one(read(pytorch_compare(a, b)))) == expected(ev.compare(a, b))


def test_cells_have_the_code_of_the_program_and_each_a_heading(compared):
    c = compared("dog bites man", "man bites dog")
    program = pytorch_compare(c.a, c.b)
    found = read(program)
    code = "\n".join(cells(found, "code"))
    assert [line for line in code.split("\n") if line.strip()] == [line for line in program.split("\n") if line.strip()]
    assert [text for text in cells(found, "markdown") if text.startswith("##")] == [
        "## Import",
        "## Make `tokenizer`, `ids_a`, `ids_b`",
        "## Make `token_embedding`, `position_embedding`",
        "## Define `positional_embeddings`, `embed`",
        "## Print the numbers",
    ]


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_long_program_is_cut_between_statements_only(shuffled):
    program = pytorch_training(TrainingSettings(steps=2, shuffled=shuffled, text=HOSTILE * 30, context_length=5))
    code = cells(read(program), "code")
    assert len(code) > 4
    statements = [ast.dump(node) for cell in code for node in ast.parse(cell).body]
    assert statements == [ast.dump(node) for node in ast.parse(program).body]


def test_texts_stay_texts(compared):
    c = compared(HOSTILE, HOSTILE, output_dim=4)
    found = read(pytorch_compare(c.a, c.b))
    assert not any("alert" in text or "قطة" in text for text in cells(found, "markdown"))
    line = next(line for line in "\n".join(cells(found, "code")).split("\n") if line.startswith("ids_a"))
    assert ast.literal_eval(ast.parse(line).body[0].value.args[0]) == f" {HOSTILE}"


def test_the_first_cell_names_title_and_packages():
    first = read(pytorch_lookup(6, 3, 123, [2]), "Rows of a table").cells[0]
    assert first.source.startswith("# Rows of a table\n")
    assert f"pip install torch=={_pinned('torch')}\n" in first.source


def test_needs_are_what_is_imported_in_the_versions_of_the_project(compared):
    random, trained = (
        compared("cat", "cat", source=source, **more) for source, more in (("random", {}), ("trained", {}))
    )
    assert needs(pytorch_compare(random.a, random.b)) == [f"{n}=={_pinned(n)}" for n in ("tiktoken", "torch")]
    assert needs(pytorch_compare(trained.a, trained.b)) == [f"{n}=={_pinned(n)}" for n in ("safetensors", "torch")]


def _pinned(name: str) -> str:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{name}=="))


def test_the_same_program_gives_the_same_file():
    program = pytorch_lookup(6, 3, 123, [2])
    assert notebook(program, "A page") == notebook(program, "A page")


@pytest.mark.parametrize("tokenizer", ["gpt2", "words"])
@pytest.mark.parametrize("text", ["the cat sat\r\non the mat. " * 3, HOSTILE * 2])
def test_a_batch_program_with_its_text_needs_no_file(tokenizer, text, run):
    loader = Loader(encode(text, tokenizer), batch_size=2, max_length=3, stride=2)
    printed = run(in_one(read(pytorch_batches(loader, loader.tokens.text()))))
    assert [ast.literal_eval(line) for line in printed] == [batch.inputs.tolist() for batch in loader]
