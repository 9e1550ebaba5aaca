"""The notebook and the vectors of every view, as its page makes them, against the program and the backend."""

import ast
import csv
import io
import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from streamlit.runtime.media_file_manager import MediaFileManager

import embedviz as ev
from embedviz.attention.attention import self_attention
from embedviz.base.pages import page_at
from embedviz.text import samples
from embedviz.training.bundled import bundled
from embedviz.training.train import TrainingSettings
from embedviz.vectors import position_tables
from tests.pages.site import programs, visit
from tests.programs.test_notebook import in_one, opened
from tests.views import FIRST, query

# A list of lessons has none, nor has what others have computed; a model that could read is not there.
WITHOUT_PROGRAM = ("lessons", "layers meaning", "layers memory", "vocabulary")
# These train, which takes minutes; tests of training run them with fewer steps.
TRAINING = ("training words", "training positions", "relative far")
# Views whose programs differ by what a visitor has set, beside the examples.
OTHERS = {
    "compare, two orders of Arabic": ("", {"view": "pairs", "a": "القطة على الحصيرة", "b": "على الحصيرة القطة"}),
    "compare, trained": ("", {"view": "pairs", "source": "trained"}),
    "compare, all orders": ("", {"view": "orders", "a": "dog bites man"}),
    "batches, words": ("batches", {"tokenizer": "words"}),
    "attention, shaw": ("attention", {"position": "shaw", "causal": "true"}),
    "layers": ("layers", {"positions": "swapped"}),
    "next word": ("next_word", {"positions": "shuffled", "asked": "shuffled"}),
    "positions, adding 4": ("positions", {"view": "adding", "held_numbers": "4"}),
    "positions, adding random": ("positions", {"source": "random", "a": "the dog bites the cat"}),
    "positions, adding by hand": ("positions", {"held_numbers": "2"}),
    "lookup, ids": ("lookup", {"looked_up": "ids"}),
    "lookup, one-hot of ids": ("lookup", {"view": "one-hot", "looked_up": "ids"}),
    "lookup, random": ("lookup", {"source": "random", "seed": "7", "b": "the dog 猫"}),
    "lookup, words of two lengths": ("lookup", {"a": "the dog bites", "b": "cat"}),
    "tokenizers, a text": ("tokenizers", {"text": "The cat 🐈"}),
    "next word, own sentences": ("next_word", {"sentences": "own"}),
    "positions, trained": ("positions", {"view": "table", "source": "trained"}),
    "relative, trained": ("relative", {"source": "trained"}),
    "vocabulary, words": ("vocabulary", {"tokenizer": "words", "output_dim": "8"}),
}
STATES = OTHERS | {name: (page_at(view.page).address, query(view)) for name, view in FIRST.items()}
RUN = [name for name in STATES if name not in (*WITHOUT_PROGRAM, *TRAINING)]

Taken = tuple[str, dict[str, bytes]]  # the program, and its files by their ending


@pytest.fixture(scope="module")
def take() -> Callable[[str], Taken]:
    """The program of a state of a view, and its files, made as for a visitor who asks for them."""

    @cache
    def take(state: str) -> Taken:
        page, asked = STATES[state]
        made = {}
        with pytest.MonkeyPatch.context() as patch:
            add = MediaFileManager.add_deferred

            def watched(self, make, *args, **more):
                made[more["file_name"]] = make
                return add(self, make, *args, **more)

            patch.setattr(MediaFileManager, "add_deferred", watched)
            at = visit(page, **asked)
            if page == "vocabulary":
                at.session_state["code"] = True
                at.run()
        assert not at.exception
        files = {name.rpartition(".")[2]: make() for name, make in made.items() if name.startswith("embedviz-")}
        return next(iter(programs(at)), ""), files

    return take


@pytest.mark.parametrize("state", WITHOUT_PROGRAM)
def test_a_view_without_a_program_has_no_notebook_either(state, take):
    program, files = take(state)
    assert program == ""
    assert files == {}


@pytest.mark.parametrize("state", TRAINING)
def test_the_notebook_of_what_trains_has_the_code_of_its_program(state, take):
    program, files = take(state)
    assert ast.dump(ast.parse(in_one(opened(files["ipynb"])))) == ast.dump(ast.parse(program))


@pytest.mark.parametrize("state", RUN)
def test_the_notebook_prints_what_the_program_prints(state, take, run, tmp_path):
    program, files = take(state)
    code = in_one(opened(files["ipynb"]))
    printed = run(code)  # alone; the trained tables that it leaves are the program's
    assert printed
    if ast.dump(ast.parse(code)) != ast.dump(ast.parse(program)):  # the same code prints the same
        (tmp_path / "text.txt").write_bytes(samples.texts()[0].text.encode())
        assert printed == run(program)


def test_the_notebook_of_a_training_prints_its_losses(take, run):
    code = in_one(opened(take("training words")[1]["ipynb"]))
    few = code.replace(f"= 1, {TrainingSettings().steps}, ", "= 1, 20, ")
    assert few != code
    losses = [float(line.split()[1]) for line in run(few)]
    assert np.allclose(losses, bundled(TrainingSettings()).losses[:20], atol=0.05)


def arrays(take, view: str) -> dict[str, np.ndarray]:
    """The NPZ file of a view; its CSV file must have the same numbers and texts."""
    files = take(view)[1]
    with np.load(io.BytesIO(files["npz"]), allow_pickle=False) as file:
        found = dict(file)
    rows = list(csv.DictReader(io.StringIO(files["csv"].decode("utf-8-sig"), newline="")))
    for name, values in found.items():
        if values.ndim == 2:
            sentence, _, own = name.partition("_") if "sentence" in rows[0] else ("", "", name)
            lines = [row for row in rows if row["vectors"] == own and row.get("sentence", "") == sentence]
            numbers = [[row[str(n)] for n in range(values.shape[1])] for row in lines]
            assert np.array(numbers, np.float32).tobytes() == values.tobytes()
            prefix = f"{sentence}_" if sentence else ""
            if lines[0].get("token"):
                assert [json.loads(row["token"]) for row in lines] == found[f"{prefix}token"].tolist()
    return found


@pytest.mark.parametrize("view", ["compare pairs", "compare, two orders of Arabic", "compare, trained"])
def test_vectors_of_compare_are_those_of_the_library(view, take):
    query = STATES[view][1]
    found = arrays(take, view)
    for sentence, default in (("A", samples.usual_pair().a), ("B", samples.usual_pair().b)):
        text = query.get(sentence.lower(), default)
        expected = ev.embed(text, ev.Spec(source=query.get("source", "random")))
        for name in ("token_embeddings", "positional_embeddings", "input_embeddings"):
            assert found[f"{sentence}_{name}"].tobytes() == getattr(expected, name).tobytes()
        assert found[f"{sentence}_token"].tolist() == expected.tokens.texts
        assert found[f"{sentence}_id"].tolist() == expected.tokens.ids
        assert found[f"{sentence}_position"].tolist() == list(range(len(expected.tokens)))


def test_vectors_of_attention_are_outputs_and_weights_of_every_head(take):
    found = arrays(take, "attention, shaw")
    expected = self_attention(ev.embed(samples.usual_pair().b, ev.Spec(position="shaw")), 4, causal=True)
    assert np.array_equal(found["B_outputs"], expected.outputs)
    for head in range(4):
        assert np.array_equal(found[f"B_weights_head_{head + 1}"], expected.weights[head])


def test_vectors_of_lookup_are_those_of_both_sentences(take):
    found, run = arrays(take, "lookup rows"), bundled(TrainingSettings())
    for name, text in (("A", samples.usual_pair().a), ("B", samples.usual_pair().b)):
        ids = [run.vocabulary.index(word) for word in text.split()]
        assert found[f"{name}_id"].tolist() == ids
        assert found[f"{name}_token"].tolist() == text.split()
        assert found[f"{name}_token_embeddings"].tobytes() == run.tokens[-1][ids].tobytes()


def test_vectors_of_one_hot_are_the_small_table_and_the_rows_of_a(take):
    found = arrays(take, "lookup one-hot")
    words = sorted({*samples.usual_pair().a.split(), *samples.usual_pair().b.split()})
    assert found["table"].shape == (len(words), 3)
    assert found["rows"].tolist() == found["table"][found["id"]].tolist()
    assert [words[id_] for id_ in found["id"]] == samples.usual_pair().a.split()


@pytest.mark.parametrize("view", ["lookup, ids", "lookup, one-hot of ids"])
def test_vectors_of_lookup_are_the_table_and_the_rows(view, take):
    found = arrays(take, view)
    assert found["table"].shape == (6, 3)
    assert found["rows"].tolist() == found["table"][found["id"]].tolist()
    assert found["id"].tolist() == [2, 3, 5, 1]


@pytest.mark.parametrize("view", ["positions table"])
def test_vectors_of_positions_are_both_tables(view, take):
    found = arrays(take, view)
    for kind in position_tables.KINDS:
        table = position_tables.table(kind, position_tables.TableSettings())
        assert found[kind].tobytes() == table.tobytes()


def test_vectors_of_positions_that_a_model_has_learned_are_its_table(take):
    found = arrays(take, "positions, trained")
    assert found["position"].tolist() == list(range(11))
    assert np.array_equal(found["learned"], bundled(TrainingSettings()).positions[-1])


def test_vectors_of_adding_are_those_of_the_sentence(take):
    found = arrays(take, "positions, adding 4")
    run, words = bundled(TrainingSettings()), samples.usual_pair().a.split()
    assert found["token"].tolist() == words
    assert np.array_equal(found["token_embeddings"], run.tokens[-1][[run.vocabulary.index(word) for word in words]])
    assert np.array_equal(found["positional_embeddings"], run.positions[-1][: len(words)])
    assert np.array_equal(found["input_embeddings"], found["token_embeddings"] + found["positional_embeddings"])
    found, expected = arrays(take, "positions, adding random"), ev.embed("the dog bites the cat", ev.Spec())
    for name in ("token_embeddings", "positional_embeddings", "input_embeddings"):
        assert found[name].tobytes() == getattr(expected, name).tobytes()
    assert found["token"].tolist() == expected.tokens.texts


def test_vectors_of_training_are_its_last_tables(take):
    found, run = arrays(take, "training words"), bundled(TrainingSettings())
    assert np.array_equal(found["token_embeddings"], run.tokens[-1])
    assert np.array_equal(found["positional_embeddings"], run.positions[-1])
    assert found["token"].tolist() == list(run.vocabulary)


def test_files_are_named_after_the_page(take):
    assert set(take("compare pairs")[1]) == {"ipynb", "csv", "npz"}
    assert set(take("tokenizers")[1]) == {"ipynb"}


def test_a_button_costs_an_edit_few_bytes():
    at = visit(view="pairs")
    sizes = [button.proto.ByteSize() for button in at.get("download_button")]
    assert len(sizes) == 3
    assert sum(sizes) < 1500


@pytest.mark.parametrize("page", ["attention", "lookup", "training"])
def test_a_program_has_its_colours_only_while_its_fold_is_open(page):
    at = visit(page)
    assert not at.code
    (closed,) = programs(at)
    at.session_state["code"] = True
    at.run()
    assert not at.text
    assert [code.value for code in at.code] == [closed]
