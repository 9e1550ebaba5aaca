"""Tables that come from elsewhere: what a source decides, and that its numbers are its own."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

import embedviz as ev
from embedviz.base import data_files
from embedviz.text.grammar import VOCABULARY
from embedviz.vectors import tables
from embedviz.vectors.embedding import with_vocabulary
from embedviz.vectors.sources import Random, Trained, source_of

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
TRAINED = ev.Spec(source="trained")


@pytest.fixture(scope="module")
def tensors() -> dict[str, np.ndarray]:
    return load_file(data_files.DATA / "training/learned.safetensors")


@pytest.mark.parametrize("name", ["random", "trained", "gpt2", "Qwen/Qwen3-0.6B"])
def test_a_name_leads_to_one_object_that_answers_whatever_others_do(name):
    found = source_of(name)
    assert found is source_of(name)
    assert found.name == name
    for other in (Random, Trained):
        asked = {each for each in dir(other) if not each.startswith("_")}
        assert asked <= set(dir(found))


def test_the_object_of_a_spec_is_that_of_its_source():
    assert TRAINED.origin is source_of("trained")
    assert ev.Spec(source="gpt2").origin is source_of("gpt2")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gpt3", "source must be one of random, trained, gpt2, .*, not 'gpt3'"),
        (["gpt2"], r"source must be one of .*, not \['gpt2'\]"),
        ("a/b/c", "owner, slash, name. a/b/c is no such name"),
    ],
)
def test_what_is_no_source_is_refused_with_what_would_be_one(name, message):
    with pytest.raises(ev.EmbedvizError, match=message):
        source_of(name)


def test_what_the_source_decides_is_taken_from_it():
    assert (TRAINED.tokenizer, TRAINED.output_dim, TRAINED.context_length) == ("words", 32, 11)
    assert TRAINED.vocabulary == VOCABULARY
    assert ev.Spec(source="trained", tokenizer="words", output_dim=32, vocabulary=VOCABULARY) == TRAINED
    assert replace(TRAINED, position="sinusoidal").output_dim == 32
    assert hash(TRAINED) == hash(ev.Spec(source="trained"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("tokenizer", "o200k_base", "The source trained has tokenizer words, not 'o200k_base'."),
        ("output_dim", 64, "The source trained has output_dim 32, not 64. Leave output_dim out, or give 32."),
        ("context_length", 12, "The source trained has context_length 11, not 12."),
        ("vocabulary", ("cat",), "The source trained has a vocabulary of its own. Leave vocabulary out."),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(field, value, message):
    with pytest.raises(ev.EmbedvizError) as error:
        ev.Spec(source="trained", **{field: value})
    assert str(error.value).startswith(message)


def test_trained_vectors_are_the_rows_of_the_bundled_tables(tensors):
    found = ev.embed(CAT, TRAINED)
    ids = [VOCABULARY.index(word) for word in CAT.split()]
    assert found.tokens.ids == ids
    assert np.array_equal(found.token_embeddings, tensors["token_embedding.weight"][ids])
    assert np.array_equal(found.positional_embeddings, tensors["position_embedding.weight"][:6])
    assert np.array_equal(found.input_embeddings, found.token_embeddings + found.positional_embeddings)


def test_trained_vectors_prove_the_same(compared):
    c = compared(CAT, MAT, source="trained")
    assert (c.n_shared, c.n_same_before, c.n_same_after) == (8, 8, 0)
    assert c.is_permutation


def test_the_texts_do_not_change_the_vocabulary():
    assert with_vocabulary(TRAINED, "zebra") == TRAINED


def test_a_word_that_was_not_learned_is_named():
    with pytest.raises(ev.EmbedvizError, match=r"Not in the vocabulary: zebra\. It holds bed behind"):
        ev.embed("the zebra sat", TRAINED)
    assert ev.embed("The CAT", replace(TRAINED, lower_case=True)).tokens.texts == ["the", "cat"]


def test_a_sentence_longer_than_the_trained_table_is_refused():
    with pytest.raises(ev.EmbedvizError, match=r"^12 tokens .* ends at context_length 11\. Shorten the sentence\."):
        ev.embed("the " * 12, TRAINED)
    assert ev.embed("the " * 17, replace(TRAINED, position="sinusoidal")).input_embeddings.shape == (17, 32)
    assert ev.embed("the " * 11, TRAINED).input_embeddings.shape == (11, 32)


def test_trained_tables_are_read_only_ready_and_need_no_seed():
    assert tables.is_ready(len(VOCABULARY), TRAINED)
    other = replace(TRAINED, seed=9)
    for table in (tables.token_table, tables.position_table):
        weights = table(len(VOCABULARY), TRAINED)
        assert weights is table(len(VOCABULARY), other)
        assert weights.dtype == np.float32
        with pytest.raises(ValueError, match="read-only"):
            weights[0, 0] = 0
