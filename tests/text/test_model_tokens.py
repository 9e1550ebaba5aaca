"""The tokenizers of models against the library `tokenizers`, and files that are hostile."""

import json
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer

import embedviz as ev
from embedviz.base.concurrency import pipe_messages
from embedviz.base.errors import Unavailable
from embedviz.models import HubModel
from embedviz.text.model_tokenizers import model_tokens
from embedviz.text.model_tokenizers.model_tokenizer import built
from embedviz.text.model_tokenizers.tokenizer_process import MAX_FILE
from embedviz.text.model_tokenizers.tokenizer_worker import Refused, Worker
from embedviz.text.token_ids import TokenIds, encode
from embedviz.text.tokens import prefixed
from tests.text.tokenizer_files import NAMES, changed, reference, tokenizer_json

BYTE_LEVEL, ROBERTA, WORD_PIECES, UNIGRAM, LLAMA, GEMMA = NAMES
CAT = "the cat sat"
BEGIN, END, AT = "<|begin_of_text|>", "[SEP]", "at"
TEXTS = st.text(st.sampled_from("the cat  THE é🐈猫\n\u0301ﬁ▁#<0x41>") | st.characters(), max_size=40)


@pytest.fixture(autouse=True, scope="module")
def _files():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HubModel, "tokenizer_json", lambda model: tokenizer_json(model.name))
        yield


def parts(tokens: ev.Tokens) -> list[tuple[str, tuple[int, int]]]:
    return list(zip(tokens.texts, tokens.spans, strict=True))


# Exact tokens --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "prefix_space", "expected"),
    [
        (BYTE_LEVEL, False, [(BEGIN, (0, 0)), ("the", (0, 3)), (" cat", (3, 7)), (" sat", (7, 11))]),
        (BYTE_LEVEL, True, [(BEGIN, (0, 0)), (" the", (0, 3)), (" cat", (3, 7)), (" sat", (7, 11))]),
        (WORD_PIECES, True, [("[CLS]", (0, 0)), ("the", (0, 3)), ("cat", (4, 7)), ("sat", (8, 11)), (END, (11, 11))]),
        (GEMMA, True, [(" the", (0, 3)), (" cat", (3, 7)), (" ", (7, 8)), ("s", (8, 9)), ("at", (9, 11))]),
        (GEMMA, False, [("t", (0, 1)), ("he", (1, 3)), (" cat", (3, 7)), (" ", (7, 8)), ("s", (8, 9)), (AT, (9, 11))]),
    ],
)  # fmt: skip
def test_tokens_and_their_spans(name, prefix_space, expected):
    assert parts(ev.tokenize(CAT, name, prefix_space)) == expected


def test_a_token_covers_the_letters_it_came_from():
    text = "UNbelieving  Cafe\u0301 x"
    tokens = ev.tokenize(text, WORD_PIECES, special_tokens=False)
    covered = [text[start:end] for start, end in tokens.spans]
    assert "".join(token.removeprefix("##") for token in tokens.texts[: covered.index("Cafe\u0301")]) == "unbelieving"
    assert "".join(covered[: covered.index("Cafe\u0301")]) == "UNbelieving"
    assert parts(ev.tokenize("Ten NAI\u0308VE", WORD_PIECES, special_tokens=False))[0] == ("ten", (0, 3))


def test_parts_of_a_character_share_its_span():
    for name in (BYTE_LEVEL, LLAMA, GEMMA):
        tokens = ev.tokenize("a🐈", name, prefix_space=False, special_tokens=False)
        assert tokens.texts[-4:] == [r"\xf0", r"\x9f", r"\x90", r"\x88"]
        assert tokens.spans[-4:] == [(1, 2)] * 4
        assert tokens.partial[-5:] == [False, True, True, True, True]


def test_a_byte_that_is_a_whole_character_is_shown_as_it():
    tokens = ev.tokenize("a\nB", GEMMA, prefix_space=False)
    assert (tokens.texts, tokens.partial) == (["a", "\n", "B"], [False] * 3)
    assert tokens.ids[1:] == [3 + ord("\n"), 3 + ord("B")]


def test_a_space_that_the_tokenizer_itself_puts_before_the_text_covers_nothing():
    assert parts(ev.tokenize("Ca", LLAMA)) == [("<s>", (0, 0)), (" ", (0, 0)), ("C", (0, 1)), ("a", (1, 2))]
    assert parts(ev.tokenize(" the", LLAMA)) == [("<s>", (0, 0)), (" ", (0, 0)), (" the", (0, 4))]
    assert parts(ev.tokenize("Ca", ROBERTA, special_tokens=False))[0] == (" ", (0, 0))


def test_special_tokens_cover_nothing_and_can_be_left_out():
    whole, bare = (ev.tokenize("  the ", WORD_PIECES, special_tokens=wanted) for wanted in (True, False))
    assert parts(whole) == [("[CLS]", (0, 0)), ("the", (2, 5)), ("[SEP]", (6, 6))]
    assert (bare.ids, bare.spans) == (whole.ids[1:-1], whole.spans[1:-1])
    assert ev.tokenize("", WORD_PIECES).texts == ["[CLS]", "[SEP]"]


def test_the_name_of_a_special_token_in_a_text_is_ordinary_text():
    assert "[SEP]" not in ev.tokenize("the [SEP] cat", WORD_PIECES, special_tokens=False).texts
    text = "<|end_of_text|>"
    assert "".join(ev.tokenize(text, BYTE_LEVEL, False, special_tokens=False).texts) == text


def test_runs_of_spaces_are_spaces():
    assert ev.tokenize("a  a", GEMMA, prefix_space=False).texts == ["a", "  ", "a"]


def test_what_a_tokenizer_adds():
    assert {name: [*model_tokens.tokenizer(name).adds] for name in NAMES} == {
        BYTE_LEVEL: ["<|begin_of_text|>"],
        ROBERTA: ["<|begin_of_text|>", "<|end_of_text|>"],
        WORD_PIECES: ["[CLS]", "[SEP]"],
        UNIGRAM: ["</s>"],
        LLAMA: ["<s>"],
        GEMMA: [],
    }


def test_a_space_before_the_text_matters_only_where_the_tokenizer_puts_none():
    assert [name for name in NAMES if model_tokens.tokenizer(name).prefix_means] == [BYTE_LEVEL, GEMMA]
    for name in (ROBERTA, WORD_PIECES, UNIGRAM, LLAMA):
        assert ev.tokenize(CAT, name, True) == ev.tokenize(CAT, name, False)


def test_settings_of_other_tokenizers_change_nothing():
    for name in ("words", "gpt2"):
        assert ev.tokenize(CAT, name, special_tokens=False) == ev.tokenize(CAT, name)


# Any text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, prefix_space=st.booleans(), special_tokens=st.booleans())
@example(text="e\u0301\u0301", prefix_space=True, special_tokens=True)
@example(text=" ", prefix_space=True, special_tokens=True)
@example(text="the </s> [SEP]", prefix_space=True, special_tokens=True)
def test_the_ids_are_the_librarys_and_spans_are_in_order(name, text, prefix_space, special_tokens):
    tokens = ev.tokenize(text, name, prefix_space, special_tokens=special_tokens)
    given_text = prefixed(tokens.text, prefix_space and model_tokens.tokenizer(name).prefix_means)
    assert tokens.ids == reference(name).encode(given_text, add_special_tokens=special_tokens).ids
    assert len(tokens.ids) == len(tokens.texts) == len(tokens.spans) == len(tokens.partial)
    assert all(0 <= id_ < tokens.vocab_size == reference(name).get_vocab_size() for id_ in tokens.ids)
    assert all(0 <= start <= end <= len(tokens.text) for start, end in tokens.spans)
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(tokens.spans))


@pytest.mark.parametrize("name", [BYTE_LEVEL, ROBERTA, LLAMA, GEMMA])
@given(text=TEXTS)
@example(text="🐈é")
def test_nothing_of_a_text_is_lost(name, text):
    tokens = ev.tokenize(text, name, prefix_space=False, special_tokens=False)
    found = b"".join(model_tokens.tokenizer(name).pieces(tokens.ids)).decode()
    own = " " if text and (name == LLAMA or (name == ROBERTA and text[0] != " ")) else ""
    assert found == own + tokens.text.replace("▁", " " if name in (LLAMA, GEMMA) else "▁")
    assert {n for span in tokens.spans for n in range(*span)} == set(range(len(text)))


# IDs alone -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_long_texts_have_the_same_ids(name):
    text = "the cat sat on the mat, " * 500
    ids = encode(text, name)
    assert ids.ids.tolist() == reference(name).encode(text, add_special_tokens=False).ids
    assert ids.vocab_size == reference(name).get_vocab_size()
    assert ids.texts(ids.ids[:20]) == ev.tokenize(text, name, False, special_tokens=False).texts[:20]
    assert not ids.ids.flags.writeable
    assert ids.text() == reference(name).decode(ids.ids.tolist(), skip_special_tokens=False)


def test_an_id_without_a_token_is_named():
    assert model_tokens.tokenizer(WORD_PIECES).texts([0, 2, 10**6, -1]) == [
        "[PAD]",
        "[CLS]",
        "<unused 1000000>",
        "<unused -1>",
    ]
    assert TokenIds(WORD_PIECES, encode("the", WORD_PIECES).ids, 106).texts([2**40]) == [f"<unused {2**40}>"]


# Files ---------------------------------------------------------------------------------------------------


def test_padding_and_truncation_of_the_file_are_not_done():
    asked = json.loads(tokenizer_json(WORD_PIECES))
    assert asked["padding"]
    assert asked["truncation"]
    assert len(ev.tokenize("the cat " * 20, WORD_PIECES)) == 42
    assert len(ev.tokenize("the", WORD_PIECES)) == 3


def test_a_tokenizer_is_built_once_and_again_when_its_file_has_changed(monkeypatch):
    before = model_tokens.tokenizer(WORD_PIECES)
    assert model_tokens.tokenizer(WORD_PIECES) is before
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: changed(WORD_PIECES, post_processor=None))
    assert model_tokens.tokenizer(WORD_PIECES).adds == ()
    assert model_tokens.tokenizer(WORD_PIECES) is not before


def test_what_cannot_be_had_is_said(monkeypatch):
    def fail(_name: str) -> bytes:
        raise Unavailable("no connection")

    monkeypatch.setattr(HubModel, "tokenizer_json", fail)
    with pytest.raises(Unavailable, match="no connection"):
        ev.tokenize("the", "owner/away")


REPLACE = {"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaa"}
BAD_REGEX = {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}
MANY = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}] * 1000
HOSTILE = {
    "empty": b"",
    "no JSON": b"<!doctype html>",
    "cut short": tokenizer_json(BYTE_LEVEL)[:-100],
    "a list": b"[]",
    "a number": b"7",
    "null": b"null",
    "nothing in it": b"{}",
    "deep": b"[" * 10**5,
    "deep steps": b'{"normalizer":' + b'{"normalizers":[' * 400 + b"]}" * 400 + b"}",
    "no UTF-8": b'{"version": "\xff"}',
    "wrong types": changed(WORD_PIECES, added_tokens={"a": 1}),
    "vocabulary of strings": changed(WORD_PIECES, model={"type": "WordPiece", "vocab": {"a": "b"}}),
    "negative ID": changed(WORD_PIECES, model={"type": "WordLevel", "unk_token": "u", "vocab": {"u": -1}}),
    "unknown kind": changed(WORD_PIECES, model={"type": "Perceptron"}),
    "a panic while it is read": changed(UNIGRAM, normalizer={"type": "Precompiled", "precompiled_charsmap": "AAAA"}),
    "a huge ID": changed(UNIGRAM, model={"type": "WordLevel", "unk_token": "u", "vocab": {"u": 4_000_000_000}}),
    "thousand special tokens": changed(
        WORD_PIECES, post_processor=json.loads(tokenizer_json(WORD_PIECES))["post_processor"] | {"single": MANY}
    ),
    "too large": b" " * (MAX_FILE + 1),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_file_that_cannot_be_used_is_refused_in_words(kind):
    with pytest.raises(ev.EmbedvizError, match=r"^The tokenizer\.json of owner/name [a-z][^{}]+\.$"):
        built("owner/name", HOSTILE[kind])


def word_level(**words: int) -> bytes:
    """A tokenizer of whole words, whose token for unknown ones is not in the vocabulary."""
    model = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": words}
    settings = {"normalizer": None, "post_processor": None, "added_tokens": [], "padding": None, "truncation": None}
    return changed(WORD_PIECES, model=model, pre_tokenizer={"type": "Whitespace"}, **settings)


def unigram(*names: str) -> bytes:
    return changed(UNIGRAM, model={"type": "Unigram", "unk_id": None, "vocab": [[name, -1.0] for name in names]},
                   post_processor=None, added_tokens=[])  # fmt: skip


WORD_PIECE = {
    "type": "WordPiece",
    "unk_token": "[UNK]",
    "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 9,
}
LETTERS = {"type": "BPE", "unk_token": "[UNK]", "vocab": {"a": 0, "b": 1, " ": 2}, "merges": []}


@pytest.mark.parametrize(
    ("data", "text", "part"),
    [
        (word_level(the=0, cat=1), "the cat!", "!"),
        (word_level(the=0, cat=1), "the sat cat", "sat"),
        (unigram("▁", *"thecat"), "the cat!", "!"),
        (unigram("▁", *"thecat"), "the 🐈 cat", "🐈"),
        (unigram("▁", *"thecat"), "the c\u0000", "\\x00"),
        (changed(WORD_PIECES, model=WORD_PIECE | {"vocab": {"the": 0, "##s": 1}}, added_tokens=[], post_processor=None,
                 padding=None, truncation=None),
         "the thes cats", "cats"),
        (changed(LLAMA, model=LETTERS, normalizer=None, post_processor=None, added_tokens=[]), "ab bax a", "x"),
    ],
)  # fmt: skip
def test_a_text_without_a_token_is_named_and_the_rest_can_be_cut(data, text, part):
    found = built("owner/name", data)
    with pytest.raises(ev.EmbedvizError) as error:
        found.cut(text, special_tokens=True)
    assert str(error.value) == f"owner/name has no token for '{part}' and none for unknown text. Leave it out."
    rest = text.replace(part.replace("\\x00", "\0"), "")
    assert found.cut(rest, special_tokens=True).ids == tuple(Tokenizer.from_str(data.decode()).encode(rest).ids)


def test_a_tokenizer_that_knows_no_probe_is_used():
    assert not built("owner/name", word_level(dog=0)).prefix_means


def test_a_pattern_that_fails_at_a_text_is_said():
    found = built("owner/name", changed(BYTE_LEVEL, pre_tokenizer=BAD_REGEX))
    with pytest.raises(ev.EmbedvizError, match=r"^The tokenizer of owner/name fails at this text\."):
        found.cut("a" * 40 + "b", special_tokens=True)
    assert found.cut("aa", special_tokens=False).spans[-1][1] == 2


def test_more_tokens_than_a_text_can_have_are_refused():
    growing = {"type": "Sequence", "normalizers": [REPLACE] * 4}
    with pytest.raises(ev.EmbedvizError, match="asks for more than any tokenizer needs"):
        built("owner/name", changed(BYTE_LEVEL, normalizer=growing)).cut("a", special_tokens=True)


def test_a_special_token_without_an_id_of_the_vocabulary_is_refused():
    template = json.loads(tokenizer_json(WORD_PIECES))["post_processor"]
    template["special_tokens"]["[SEP]"]["ids"] = [999_999]
    with pytest.raises(ev.EmbedvizError, match="damaged"):
        built("owner/name", changed(WORD_PIECES, post_processor=template)).cut("the", special_tokens=True)


def in_here(data: bytes) -> Worker:
    """The tokenizer in this process, since a process for each example would take minutes."""
    try:
        found = Worker(data)
        found.about()
    except Refused as refused:
        raise Refused(refused.args[0].decode()) from refused
    return found


@given(st.binary(max_size=50) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["model", "type", "normalizer", "pre_tokenizer", "decoder", "vocab", "added_tokens"]), inner),
    max_leaves=12,
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_any_rubbish_is_refused_in_words(data):
    with pytest.raises(Refused, match=r"^(damaged|more)$"):
        in_here(data)


WILD = st.sampled_from(
    [
        None,
        True,
        -1,
        0,
        1,
        2**32,
        2**64,
        1e308,
        "",
        "a",
        "▁",
        [],
        {},
        [[]],
        ["a"],
        "ByteLevel",
        "Sequence",
        "Precompiled",
    ]
)


@given(st.sampled_from(NAMES), st.data())
def test_a_file_with_anything_in_it_is_used_or_refused_in_words(name, data):
    config = json.loads(tokenizer_json(name))
    for _ in range(data.draw(st.integers(1, 2))):
        section = config
        while isinstance(section, dict | list) and section:
            keys = sorted(section)[:40] if isinstance(section, dict) else range(len(section))
            key = data.draw(st.sampled_from(keys))
            if not isinstance(section[key], dict | list) or data.draw(st.booleans()):
                section[key] = data.draw(WILD)
                break
            section = section[key]
    try:
        _ids, starts, ends, *_pieces = in_here(json.dumps(config).encode()).cut("the café 🐈 a".encode(), b"1")
    except Refused as refused:
        assert refused.args[0] in {"damaged", "more", "fails", b"damaged", b"more", b"fails", b"unknown"}  # noqa: PT017
    else:
        spans = zip(pipe_messages.numbers(starts), pipe_messages.numbers(ends), strict=True)
        assert all(0 <= start <= end <= len("the café 🐈 a") for start, end in spans)


def test_a_span_that_the_library_puts_beyond_the_text_is_within_it():
    model = json.loads(tokenizer_json(GEMMA))["model"] | {"end_of_word_suffix": "a"}
    found = built("owner/name", changed(GEMMA, model=model))
    assert reference_spans(changed(GEMMA, model=model), "the café")[-1] == (11, 12)
    assert found.cut("the café", special_tokens=True).spans[-1] == (8, 8)


def reference_spans(data: bytes, text: str) -> list[tuple[int, int]]:
    return Tokenizer.from_str(data.decode()).encode(text).offsets


@pytest.mark.parametrize(
    "name", ["", "/", "owner", "owner/", "/name", "a/b/c", "../etc", "owner/name\n", "-a/b", None, 7]
)
def test_what_is_no_name_is_no_tokenizer(name):
    with pytest.raises(ev.EmbedvizError, match="tokenizer must be one of words, gpt2"):
        ev.tokenize("the", name)
