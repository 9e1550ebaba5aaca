"""Vectors of one's own as the source of a Spec."""

import gc
import weakref

import numpy as np
import pytest

import embedviz as ev
from embedviz.text.reordering import reordered
from embedviz.vectors import tables
from embedviz.vocabulary import token_map
from embedviz.vocabulary.vocabulary import vocabulary

TEXTS = ["the", " cat", "Ġsat", "▁on"]


def test_words_find_the_vectors_of_their_texts():
    array = np.arange(12).reshape(4, 3)
    added = np.ones((5, 3))
    found = ev.embed("on the cat sat", ev.Spec(source=ev.vectors(array, TEXTS, positions=added)))
    assert found.token_embeddings.tolist() == array[[3, 0, 1, 2]].tolist()
    assert found.input_embeddings.tolist() == (array[[3, 0, 1, 2]] + 1).tolist()
    assert found.tokens.spans == [(0, 2), (3, 6), (7, 10), (11, 14)]


def test_without_texts_a_row_belongs_to_an_id():
    array = np.random.default_rng(0).standard_normal((50_257, 2)).astype(np.float32)
    found = ev.embed("the cat", ev.Spec(source=ev.vectors(array)))
    assert found.token_embeddings.tobytes() == array[found.tokens.ids].tobytes()
    with pytest.raises(ev.EmbedvizError, match=r"ends at 99\. Give each of your vectors the text of its token\."):
        ev.embed("the cat", ev.Spec(source=ev.vectors(array[:100])))


def test_a_word_without_a_vector_is_named():
    with pytest.raises(ev.EmbedvizError, match=r"none for .dog"):
        ev.embed("the dog", ev.Spec(source=ev.vectors(np.eye(4), TEXTS)))


def test_without_positions_there_are_sinusoids_or_none():
    assert ev.Spec(source=ev.vectors(np.eye(4), TEXTS)).position == "sinusoidal"
    assert ev.Spec(source=ev.vectors(np.eye(4, 3), TEXTS)).position == "none"
    assert ev.Spec(source=ev.vectors(np.eye(4), TEXTS, np.eye(4))).position == "learned"


def test_the_array_is_copied_and_read_only():
    array = np.eye(4, dtype=np.float32)
    source = ev.vectors(array, TEXTS)
    array[:] = 7
    assert source.token_table().tolist() == np.eye(4).tolist()
    with pytest.raises(ValueError, match="read-only"):
        source.token_table()[0] = 1


@pytest.mark.parametrize(
    ("array", "texts", "positions", "words"),
    [
        (np.eye(2), ["a"], None, "1 texts of tokens for 2 vectors"),
        (np.eye(2), ["a", "a"], None, "'a' has two vectors that differ, in rows 1 and 2"),
        (np.eye(2), ["a", 1], None, "must be strings"),
        (np.eye(2), ["a", "b"], np.eye(3), "3 numbers each, and the tokens 2"),
        (np.zeros((0, 2)), [], None, "must have rows and columns"),
        ([["a"]], ["a"], None, "must be numbers"),
        ([[1e39]], ["a"], None, "row 1, column 1: 1e\\+39 is not finite, or too large"),
    ],
)
def test_what_is_no_source_is_refused_in_words(array, texts, positions, words):
    with pytest.raises(ev.EmbedvizError, match=words):
        ev.vectors(array, texts, positions)


def test_no_address_holds_them():
    spec = ev.Spec(source=ev.vectors(np.eye(4), TEXTS))
    assert "source: vectors(4 × 4)" in repr(ev.embed("the cat", spec))
    with pytest.raises(ev.EmbedvizError, match="No address holds"):
        ev.show("the cat", "cat the", spec)


def test_words_can_be_moved():
    tokens = ev.embed("the cat sat", ev.Spec(source=ev.vectors(np.eye(4), TEXTS))).tokens
    found = reordered(tokens, [2, 0, 1], prefix_space=True, lower_case=False)
    assert (found.text, found.tokens.ids) == ("sat the cat", [2, 0, 1])


def test_no_cache_keeps_the_vectors():
    source = ev.vectors(np.eye(4), TEXTS, np.eye(4))
    spec = ev.Spec(source=source)
    ev.compare(ev.embed("the cat", spec), ev.embed("cat the", spec))
    tables.token_table(4, spec)
    tables.position_table(4, spec)
    assert vocabulary(spec).texts == tuple(TEXTS)
    assert token_map.draw(spec, token_map.View()) is token_map.draw(spec, token_map.View())
    kept = weakref.ref(source)
    del source, spec
    gc.collect()
    assert kept() is None
