"""Where tokenizers cut, and how GPT-2's vocabulary file spells a token."""

import re
from itertools import pairwise
from math import isnan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.text import samples
from embedviz.text.model_tokenizers.spelling import byte_letters
from embedviz.text.segmentation import boundaries, segment
from embedviz.text.tokens import TOKENIZERS

CAT = "the cat sat on the mat"
ANY_TEXT = st.text(st.sampled_from("ab T1.-\n'🐈猫\u0301") | st.characters(), max_size=40)
SOME = st.lists(st.sampled_from(TOKENIZERS), min_size=1, unique=True)


def byte_edges(tokens: ev.Tokens) -> set[int]:
    """Where a byte-pair tokenizer cuts, in bytes of the text, from the bytes of its tokens alone."""
    encoding = samples.encoding(tokens.tokenizer)
    edges, at = set(), 0
    for id_ in tokens.ids:
        at += len(encoding.decode_single_token_bytes(id_))
        edges.add(at)
    return edges


@pytest.mark.parametrize("tokenizer", TOKENIZERS[1:])
@given(text=ANY_TEXT)
@example(text="a 🐈 b")
@example(text="")
def test_boundaries_are_the_cuts_between_whole_characters(tokenizer, text):
    tokens = ev.tokenize(text, tokenizer, prefix_space=False)
    edges = byte_edges(tokens)
    expected = {n for n in range(1, len(tokens.text)) if len(tokens.text[:n].encode()) in edges}
    assert boundaries(tokens) == expected


@given(ANY_TEXT, SOME, st.booleans())
@example("", ["words"], True)
def test_boundaries_agree_with_spans(text, tokenizers, prefix_space):
    found = segment(text, tokenizers, prefix_space)
    assert [cut.tokens for cut in found.cuts] == [ev.tokenize(text, name, prefix_space) for name in tokenizers]
    for cut in found.cuts:
        spans = cut.tokens.spans
        for n in range(1, len(found.text)):
            edge = any(n in span for span in spans)
            assert (n in cut.boundaries) == (edge and not any(start < n < end for start, end in spans))
    cutting = {n: sum(n in cut.boundaries for cut in found.cuts) for n in range(len(found.text) + 1)}
    assert found.shared == {n for n, times in cutting.items() if times == len(found.cuts)}
    assert found.differing == {n for n, times in cutting.items() if 0 < times < len(found.cuts)}


@given(ANY_TEXT, SOME, st.booleans())
def test_pieces_make_the_text_and_no_token_ends_inside_one(text, tokenizers, prefix_space):
    found = segment(text, tokenizers, prefix_space)
    assert "".join(found.text[start:end] for start, end in found.pieces) == found.text
    assert all(end == start for (_, end), (start, _) in pairwise(found.pieces))
    for start, end in (span for cut in found.cuts for span in cut.tokens.spans):
        assert all(end <= a or b <= start or (start <= a and b <= end) for a, b in found.pieces)


@given(ANY_TEXT, SOME, st.booleans())
def test_bytes_are_those_of_the_tokens(text, tokenizers, prefix_space):
    for cut in segment(text, tokenizers, prefix_space).cuts:
        name, ids = cut.tokens.tokenizer, cut.tokens.ids
        if name == "words":
            words = [word for word in re.split(r'([,.:;?_!"()\']|--|\s)', cut.tokens.text) if word.strip()]
            expected = sum(len(word.encode()) for word in words)
        else:
            expected = len(samples.encoding(name).decode_bytes(ids))
        assert cut.n_bytes == expected
        assert isnan(cut.bytes_per_token) if not ids else cut.bytes_per_token == expected / len(ids)


def test_the_default_text_differs_before_each_later_word():
    found = segment(CAT, TOKENIZERS)
    assert found.differing == {4, 8, 12, 15, 19}
    assert found.shared == {3, 7, 11, 14, 18}
    assert [cut.n_bytes for cut in found.cuts] == [17, 22, 22, 22]


def test_characters_spread_over_tokens_are_counted():
    (cut,) = segment("a 🐈 cat, 猫", ["gpt2"]).cuts
    assert cut.split == {2, 9}


def test_the_letters_are_openais():
    """OpenAI's `bytes_to_unicode`, its ranges written as there."""
    kept = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in kept]
    letters = byte_letters()
    assert all(letters[byte] == chr(byte) for byte in kept)
    assert [letters[byte] for byte in others] == [chr(256 + n) for n in range(len(others))]
    assert len(letters) == len(set(letters)) == 256
    assert (letters[32], letters[10]) == ("Ġ", "Ċ")
    assert all(letter.isprintable() and letter != " " for letter in letters)


@pytest.mark.usefixtures("model_tokenizers")
def test_bytes_of_a_models_tokens_are_those_that_they_cover():
    text = "the  café sat"
    names = ["test/byte-level", "test/word-pieces", "test/llama", "test/gemma"]
    for prefix_space, expected in ((False, [14, 11, 14, 14]), (True, [15, 11, 14, 15])):
        found = segment(text, names, prefix_space)
        assert [cut.n_bytes for cut in found.cuts] == expected


@pytest.mark.usefixtures("model_tokenizers")
def test_special_tokens_cut_nothing():
    text = " the cat "
    names = ["gpt2", "test/word-pieces", "test/unigram"]
    with_special, without = (segment(text, names, special_tokens=wanted) for wanted in (True, False))
    assert [len(cut.tokens) for cut in with_special.cuts] == [
        len(cut.tokens) + n for cut, n in zip(without.cuts, (0, 2, 1), strict=True)
    ]
    assert [cut.boundaries for cut in with_special.cuts] == [cut.boundaries for cut in without.cuts]
    assert with_special.pieces == without.pieces
