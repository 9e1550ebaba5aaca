"""The map of MiniLM's words that comes with the app. With the model, `tests/minilm` computes its neighbours again."""

import numpy as np
import pytest
from scipy.spatial import KDTree

import embedviz as ev
from embedviz.base import data_files
from embedviz.vocabulary.word_map import MODEL, N_NEIGHBOURS, N_WORDS, word_map

ANIMALS = {
    "cats",
    "kitten",
    "feline",
    "dog",
    "dogs",
    "pet",
    "puppy",
    "rabbit",
    "monkey",
    "pig",
    "horse",
    "rat",
    "mouse",
}


def near(word: str) -> list[str]:
    known = word_map()
    return [known.tokens.texts[id_] for id_ in known.near(known.tokens.find(word)).ids]


def test_its_words_are_whole_and_have_their_ids():
    known = word_map()
    texts = [known.tokens.texts[id_] for id_ in known.points.ids]
    assert (len(known.tokens), known.tokens.tokenizer) == (30_522, MODEL)
    assert len(set(texts)) == len(texts) == N_WORDS
    assert all(text.isascii() and text.isalpha() and text.islower() and len(text) > 1 for text in texts)
    assert (np.diff(known.points.ids) > 0).all()
    assert [id_ for id_, text in enumerate(known.tokens.texts) if text] == known.points.ids.tolist()
    assert known.tokens.find("the") == 1996  # as in every uncased BERT
    assert known.tokens.lengths[1996] == 3


def test_its_arrays_have_their_shapes_and_are_read_only():
    known = word_map()
    shapes = {known.points.points.shape: (N_WORDS, 2), known.neighbours.shape: (N_WORDS, N_NEIGHBOURS)}
    assert all(found == expected for found, expected in shapes.items())
    assert known.cosines.shape == known.neighbours.shape
    assert known.points.points.dtype == np.float32
    for array in (known.points.points, known.neighbours, known.cosines):
        assert not array.flags.writeable
    assert len((data_files.DATA / "minilm_words.npz").read_bytes()) < 640_000


def test_each_list_of_neighbours_falls_and_has_no_word_twice_nor_the_word_itself():
    known = word_map()
    assert (np.diff(known.cosines, axis=1) <= 0).all()
    assert known.cosines.min() > 0
    assert known.cosines.max() < 1
    assert np.isin(known.neighbours, known.points.ids).all()
    assert (known.neighbours != known.points.ids[:, None]).all()
    assert (np.diff(np.sort(known.neighbours, axis=1), axis=1) > 0).all()


def test_two_words_that_list_each_other_have_one_cosine():
    known = word_map()
    pairs = {
        (a, b): cosine
        for a, near, cosines in zip(known.points.ids.tolist(), known.neighbours.tolist(), known.cosines, strict=True)
        for b, cosine in zip(near, cosines, strict=True)
    }
    both = [(pairs[a, b], pairs[b, a]) for a, b in pairs if a < b and (b, a) in pairs]
    assert len(both) > 20_000
    assert all(one == other for one, other in both)


@pytest.mark.parametrize(("word", "expected"), [("cat", ANIMALS), ("blue", {"red", "green", "purple", "yellow"})])
def test_neighbours_are_used_alike(word, expected):
    assert len(expected & set(near(word))) >= 3


def test_the_map_keeps_so_many_of_ten_neighbours_as_the_readme_of_the_data_says():
    known = word_map()
    _distances, rows = KDTree(known.points.points).query(known.points.points, N_NEIGHBOURS + 1)
    drawn = known.points.ids[rows]
    kept = np.mean([len({*a} & {*b}) for a, b in zip(drawn[:, 1:].tolist(), known.neighbours.tolist(), strict=True)])
    readme = (data_files.DATA / "README.md").read_text("utf-8")
    assert f"{kept:.1f} of them are among its ten nearest points" in readme
    assert kept > 3  # 0.007 if the points were thrown in at random


@pytest.mark.parametrize("text", ["Cat", " cat", "␣cat", "#4937"])
def test_a_word_is_found_as_it_is_typed(text):
    known = word_map()
    assert known.tokens.find(text) == (4937 if text == "#4937" else known.tokens.find("cat"))


@pytest.mark.parametrize("text", ["", "#0", "##ing", "the cat", "Sesquipedalian", "[CLS]"])
def test_what_is_not_on_the_map_is_refused(text):
    with pytest.raises(ev.EmbedvizError, match="is not on this map, which has whole words of MiniLM alone"):
        word_map().tokens.find(text)
