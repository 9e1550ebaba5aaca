"""Exact IDs, and what holds for any text."""

import base64
import inspect
import re
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tiktoken.model import encoding_name_for_model
from tiktoken_ext import openai_public

import embedviz as ev
from embedviz.base.data_files import DATA
from embedviz.text import samples
from embedviz.text.token_ids import encode
from embedviz.text.tokens import build_vocabulary

CAT, MAT = "the cat sat on the mat", "on the mat the cat sat"
BYTE_PAIR = {"gpt2": "r50k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}
ANY_TEXT = st.text(st.characters())  # lone surrogates too


@cache
def token_bytes(tokenizer: str) -> dict[int, bytes]:
    """ID to bytes, read from the rank table by hand."""
    lines = (DATA / f"vocab/{BYTE_PAIR[tokenizer]}.tiktoken").read_bytes().splitlines()
    return {int(rank): base64.b64decode(token) for token, rank in map(bytes.split, lines)}


@pytest.mark.parametrize(
    ("text", "prefix_space", "ids"),
    [
        (CAT, False, [1169, 3797, 3332, 319, 262, 2603]),
        (MAT, False, [261, 262, 2603, 262, 3797, 3332]),
        (CAT, True, [262, 3797, 3332, 319, 262, 2603]),
        (MAT, True, [319, 262, 2603, 262, 3797, 3332]),
        ("the", False, [1169]),
        ("the", True, [262]),
        ("The", False, [464]),
        (" the", True, [262]),
        ("", True, []),
        (" ", True, [220]),
    ],
)
def test_gpt2_ids(text, prefix_space, ids):
    assert ev.tokenize(text, prefix_space=prefix_space).ids == ids


def test_the_added_space_is_in_the_token_but_not_in_the_span():
    tokens = ev.tokenize("the cat")
    assert tokens.texts == [" the", " cat"]
    assert tokens.spans == [(0, 3), (3, 7)]
    assert tokens.text == "the cat"


def test_words_ids():
    assert ev.tokenize(CAT, "words").ids == [4, 0, 3, 2, 4, 1]
    assert ev.tokenize(MAT, "words").ids == [2, 4, 1, 4, 0, 3]
    assert build_vocabulary([CAT, MAT]) == ("cat", "mat", "on", "sat", "the")


def test_words_ignore_the_prefix_space():
    assert ev.tokenize(CAT, "words", prefix_space=False) == ev.tokenize(CAT, "words", prefix_space=True)


def test_words_split_off_punctuation():
    tokens = ev.tokenize('Hello, world--"is this-- (a) test?', "words")
    assert tokens.texts == ["Hello", ",", "world", "--", '"', "is", "this", "--", "(", "a", ")", "test", "?"]
    assert [tokens.text[start:end] for start, end in tokens.spans] == tokens.texts


@given(st.text(st.sampled_from("ab-'_,. \n\u00a0é猫") | st.characters(exclude_categories=("Cs",))))
def test_words_are_the_books(text):
    """Raschka's SimpleTokenizer: split at punctuation, two dashes and white space; drop what is blank."""
    parts = re.split(r'([,.:;?_!"()\']|--|\s)', text)
    assert ev.tokenize(text, "words").texts == [part.strip() for part in parts if part.strip()]


def test_lower_case_joins_two_words_into_one_id():
    assert ev.tokenize("The the", "words").ids == [0, 1]
    assert ev.tokenize("The the", "words", lower_case=True).ids == [0, 0]


def test_lower_case_keeps_spans_where_a_letter_becomes_two():
    assert ev.tokenize("a İb c", "words", lower_case=True).spans == [(0, 1), (2, 4), (5, 6)]


def test_a_given_vocabulary_decides_the_ids():
    tokens = ev.tokenize("the cat", "words", vocabulary=("a", "the", "cat"))
    assert (tokens.ids, tokens.vocab_size) == ([1, 2], 3)


def test_unknown_words_are_listed_with_what_is_known():
    with pytest.raises(ev.EmbedvizError, match=r"^Not in the vocabulary: big, dog\. It holds cat the\.$"):
        ev.tokenize("the dog big dog", "words", vocabulary=("cat", "the"))


def test_an_unknown_tokenizer_lists_the_choices():
    with pytest.raises(ev.EmbedvizError, match="words, gpt2, cl100k_base, o200k_base, not 'bert'"):
        ev.tokenize("the", "bert")


@pytest.mark.parametrize(("tokenizer", "size"), [("gpt2", 50257), ("cl100k_base", 100277), ("o200k_base", 200019)])
def test_vocab_sizes(tokenizer, size):
    assert ev.tokenize("", tokenizer).vocab_size == size


def test_bytes_of_an_emoji_are_marked_partial_and_share_its_span():
    tokens = ev.tokenize("🐈", prefix_space=False)
    assert tokens.texts == [r"\xf0\x9f", r"\x90", r"\x88"]
    assert tokens.partial == [True, True, True]
    assert tokens.spans == [(0, 1)] * 3


@pytest.mark.parametrize("tokenizer", BYTE_PAIR)
@pytest.mark.parametrize("text", ["猫坐在垫子上", "👨\u200d👩\u200d👧", "𝕏𓀀", "e\u0301\u0323"])
def test_a_token_is_partial_just_if_it_is_not_utf8(text, tokenizer):
    tokens = ev.tokenize(text, tokenizer)
    for id_, token, partial in zip(tokens.ids, tokens.texts, tokens.partial, strict=True):
        raw = token_bytes(tokenizer)[id_]
        assert partial == (raw.decode("utf-8", "replace").encode() != raw)
        assert partial or token == raw.decode()


def test_special_tokens_are_ordinary_text_unless_allowed():
    ordinary = ev.tokenize("<|endoftext|>", prefix_space=False)
    assert ordinary.texts == ["<", "|", "end", "of", "text", "|", ">"]
    special = ev.tokenize("a<|endoftext|>b", prefix_space=False, allow_special=True)
    assert (special.ids, special.spans) == ([64, 50256, 65], [(0, 1), (1, 14), (14, 15)])


@pytest.mark.parametrize("tokenizer", ["words", *BYTE_PAIR])
def test_lone_surrogates_become_replacement_characters(tokenizer):
    assert ev.tokenize("a\ud800b \udfff", tokenizer) == ev.tokenize("a\ufffdb \ufffd", tokenizer)


@pytest.mark.parametrize("tokenizer", BYTE_PAIR)
@given(text=ANY_TEXT, prefix_space=st.booleans())
@example(text="🐈", prefix_space=True)
@example(text="\ud83d\ude00", prefix_space=True)
def test_the_bytes_of_the_tokens_are_the_text(tokenizer, text, prefix_space):
    tokens = ev.tokenize(text, tokenizer, prefix_space)
    added = " " if prefix_space and text and not text[0].isspace() else ""
    assert b"".join(token_bytes(tokenizer)[id_] for id_ in tokens.ids) == (added + tokens.text).encode()


@pytest.mark.parametrize("tokenizer", BYTE_PAIR)
@given(text=ANY_TEXT, prefix_space=st.booleans())
@example(text="🐈 猫", prefix_space=True)
@example(text="\x00", prefix_space=True)
def test_a_span_holds_just_the_characters_that_the_token_has_bytes_of(tokenizer, text, prefix_space):
    tokens = ev.tokenize(text, tokenizer, prefix_space)
    owner = [n for n, char in enumerate(tokens.text) for _ in char.encode()]
    if prefix_space and text and not text[0].isspace():
        owner.insert(0, None)
    for id_, span in zip(tokens.ids, tokens.spans, strict=True):
        n_bytes = len(token_bytes(tokenizer)[id_])
        held = [n for n in owner[:n_bytes] if n is not None]
        del owner[:n_bytes]
        assert span == ((held[0], held[-1] + 1) if held else (0, 0))
    assert owner == []


@pytest.mark.parametrize("tokenizer", BYTE_PAIR)
@given(text=ANY_TEXT)
def test_spans_are_in_order_and_cover_every_character(tokenizer, text):
    spans = ev.tokenize(text, tokenizer).spans
    assert spans == sorted(spans)
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert {n for start, end in spans for n in range(start, end)} == set(range(len(text)))


@pytest.mark.parametrize("act", [encode, ev.tokenize])
@pytest.mark.parametrize(
    ("tokenizer", "char"),
    [("gpt2", " "), ("gpt2", "\n"), ("cl100k_base", " "), ("o200k_base", " "), ("o200k_base", "\u00a0")],
)
def test_a_gap_that_tiktoken_cannot_cut_is_refused_in_words(act, tokenizer, char):
    with pytest.raises(ev.EmbedvizError, match=f"^{tokenizer} cannot cut a text with a million spaces or line breaks"):
        act(f"the cat{char * 1_010_000}sat", tokenizer)


@pytest.mark.parametrize(("tokenizer", "char"), [("gpt2", "a"), ("cl100k_base", "\n"), ("o200k_base", "\n")])
def test_a_long_run_that_tiktoken_can_cut_keeps_every_character(tokenizer, char):
    text = f"the cat{char * 1_010_000}sat"
    assert samples.encoding(tokenizer).decode(encode(text, tokenizer).ids.tolist()) == text


def test_head_cuts_every_list_and_says_so():
    tokens = ev.tokenize(CAT)
    head = tokens.head(2)
    assert (head.ids, head.texts, head.spans, head.partial) == (
        [262, 3797],
        [" the", " cat"],
        [(0, 3), (3, 7)],
        [False, False],
    )
    assert (head.is_cut, head.text, len(head)) == (True, CAT, 2)


@pytest.mark.parametrize("n", [6, 7])
def test_head_leaves_short_tokens_alone(n):
    tokens = ev.tokenize(CAT)
    assert tokens.head(n) is tokens
    assert not tokens.is_cut


def test_the_models_that_a_help_text_names_have_these_tokenizers():
    """As tiktoken has it; gpt-oss cuts text as o200k_base does, and has more special tokens."""
    own = {name: encoding_name_for_model(name) for name in ("gpt-2", "gpt-4", "gpt-4o", "gpt-5", "o1", "o3", "o4-mini")}
    assert own == {"gpt-2": "gpt2", "gpt-4": "cl100k_base"} | dict.fromkeys(list(own)[2:], "o200k_base")
    assert encoding_name_for_model("gpt-oss-120b") == "o200k_harmony"
    source = inspect.getsource(openai_public.o200k_harmony)
    assert 'base_enc["mergeable_ranks"]' in source
    assert 'base_enc["pat_str"]' in source
