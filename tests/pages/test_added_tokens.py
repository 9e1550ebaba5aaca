"""Pages with a model to whose tokenizer tokens were added, but no rows to its table, as in Gemma 3."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from tokenizers import AddedToken, Tokenizer

import embedviz as ev
from embedviz.vectors import tables
from embedviz.vocabulary.vocabulary import vocabulary
from tests.models.hub import restart
from tests.models.shelf import on_shelf
from tests.pages.site import messages, shown, visit

NAME = "google-bert/bert-base-uncased"  # AppTest sends no name again that is not on the list
CAT = "the cat sat on the mat"
ADDED = (AddedToken("<image_soft_token>", special=True), AddedToken("[HL]", normalized=False))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory) -> Path:
    """A tiny Gemma 3 with as many rows as its tokenizer had, before two tokens more were added."""
    found = tmp_path_factory.mktemp("shelf") / "model"
    on_shelf("gemma3_text", found, CAT, vocab_size=400)
    tokenizer = Tokenizer.from_file(str(found / "tokenizer.json"))
    on_shelf("gemma3_text", found, CAT, vocab_size=tokenizer.get_vocab_size(), hidden_size=16)
    tokenizer.add_tokens(list(ADDED))
    tokenizer.save(str(found / "tokenizer.json"))
    return found


@pytest.fixture
def n_rows(shelf, hf_home, tmp_path, configure) -> int:
    """The rows of the model's table, the model being in a folder of the operator's."""
    shutil.copytree(shelf, tmp_path / "models" / NAME)
    configure(models=tmp_path / "models")
    restart()
    return len(table(shelf))


def table(folder: Path) -> np.ndarray:
    with safe_open(folder / "model.safetensors", "np") as file:
        return file.get_tensor("embed_tokens.weight")


def test_the_vocabulary_has_the_rows_that_exist(n_rows, shelf):
    spec = ev.Spec(source=NAME)
    found = vocabulary(spec)
    assert len(found) == n_rows
    assert found.beyond == {n_rows: "<image_soft_token>", n_rows + 1: "[HL]"}
    expected = table(shelf) * np.float32(4)  # √16, which Gemma's vectors are multiplied by
    assert tables.token_table(len(found), spec).tobytes() == expected.tobytes()
    for text in ("[HL]", f"#{n_rows + 1}"):
        with pytest.raises(ev.EmbedvizError) as error:
            found.find(text)
        said = f"[HL] (ID {n_rows + 1}) has no row: the table ends at {n_rows - 1}. Choose another token."
        assert str(error.value) == said
    with pytest.raises(ev.EmbedvizError, match=f"There is no ID {n_rows + 2}"):
        found.find(f"#{n_rows + 2}")


def test_the_map_is_drawn_without_them_and_names_them(n_rows):
    at = visit("vocabulary", source=NAME)
    assert not at.exception
    assert messages(at) == []
    note = f"2 tokens of the tokenizer have no rows in the model's table, which ends at {n_rows - 1}: "
    [said] = [each.value.replace("\\", "") for each in at.caption if note in each.value.replace("\\", "")]
    assert said.endswith(f"{note}<image_soft_token> ({n_rows}), [HL] ({n_rows + 1}).")
    assert f"Map of {n_rows} tokens" in shown(at, "cloud_marks")["alt"]


def test_compare_names_the_token_and_keeps_the_tokens(n_rows):
    at = visit(view="pairs", source=NAME, a="the cat [HL] sat", b="sat the cat")
    assert not at.exception
    assert messages(at) == [
        f"[HL] (ID {n_rows + 1}) has no row: the table ends at {n_rows - 1}. It was probably added to the tokenizer "
        "only. Leave it out."
    ]
    assert n_rows + 1 in [chip["id"] for chip in shown(at, "order")["sentences"][0]]
    at.text_input(key="a").set_value("the cat sat").run()
    assert messages(at) == []


@pytest.mark.parametrize(("page", "query"), [("attention", {"a": "the [HL]"}), ("relative", {"sentence": "the [HL]"})])
def test_every_page_with_vectors_names_it(n_rows, page, query):
    at = visit(page, source=NAME, **query)
    assert not at.exception
    assert f"[HL] (ID {n_rows + 1}) has no row: the table ends at {n_rows - 1}." in " ".join(messages(at))


def test_its_tokenizer_cuts_it_where_no_vectors_are_needed(n_rows):
    at = visit("tokenizers", tokenizers=NAME, text="the [HL]", model_tokenizer=NAME)
    assert not at.exception
    assert messages(at) == []


def test_the_tokenizer_of_another_model_is_said(n_rows, tmp_path):
    path = tmp_path / "models" / NAME / "tokenizer.json"
    config = json.loads(path.read_text())
    config["model"]["vocab"] |= {f"word{n}": n_rows + len(ADDED) + n for n in range(5)}
    path.write_text(json.dumps(config))
    at = visit("vocabulary", source=NAME)
    assert not at.exception
    assert (
        f"The tokenizer {NAME} has the IDs 0 to {n_rows + 6}, but the token table has only {n_rows} rows. They do not "
        "belong together: take the tokenizer.json that comes with the model, or give vectors of your own a text each."
    ) in " ".join(messages(at))
