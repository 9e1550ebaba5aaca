"""Every character of a text lies in the span of a token, or is said to be in none."""

import json
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken, Regex, Tokenizer, normalizers, pre_tokenizers
from tokenizers import models as kinds

import embedviz as ev
from embedviz.base.concurrency import pipe_messages
from embedviz.models import HubModel
from embedviz.text.model_tokenizers.tokenizer_worker import Worker
from embedviz.text.segmentation import segment
from tests.text.tokenizer_files import NAMES, tokenizer_json

JAMO = unicodedata.normalize("NFD", "마실까해요")
TEXTS = st.text(
    st.sampled_from("mug the b😀e\u0301ᄆ\u1161\u11afİﬁ\0\u200b  ab\n") | st.characters(codec="utf-8"), max_size=25
)


def made(model: object, normalizer: object = None, pre_tokenizer: object = None, *added: AddedToken) -> bytes:
    found = Tokenizer(model)
    found.add_tokens(list(added))
    if normalizer:
        found.normalizer = normalizer
    if pre_tokenizer:
        found.pre_tokenizer = pre_tokenizer
    return found.to_str().encode()


def bpe(*merges: tuple[str, str], letters: str = "", **settings: object) -> kinds.BPE:
    vocab = [*dict.fromkeys([*letters, *("".join(pair) for pair in merges)])]
    return kinds.BPE({name: n for n, name in enumerate(vocab)}, list(merges), **settings)


def each_letter() -> kinds.BPE:
    """One token for each letter, which shows what a normalizer has done."""
    return kinds.BPE({"?": 0}, [], unk_token="?", fuse_unk=False)


def cut(data: bytes, text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """The tokens of a text and their spans."""
    _ids, starts, ends, _dropped, *pieces = Worker(data).cut(text.encode(), b"1")
    spans = zip(pipe_messages.numbers(starts), pipe_messages.numbers(ends), strict=True)
    return [piece.decode("utf-8", "backslashreplace") for piece in pipe_messages.split(*pieces)], list(spans)


BUGS = made(bpe(("u", "g"), letters="bughn"), None, pre_tokenizers.Whitespace())
ENDS = kinds.BPE({"##u": 0, "##g</w>": 1, "##ug</w>": 2}, [("##u", "##g</w>")],
                 continuing_subword_prefix="##", end_of_word_suffix="</w>")  # fmt: skip


@pytest.mark.parametrize(
    ("data", "text", "tokens", "spans"),
    [
        (BUGS, "mug", ["ug"], [(1, 3)]),
        (BUGS, "mug bug umg x", ["ug", "b", "ug", "ug"], [(1, 3), (4, 5), (5, 7), (8, 11)]),
        (BUGS, "u😀n 😀ug", ["u", "n", "ug"], [(0, 1), (2, 3), (5, 7)]),
        (BUGS, "😀 😀", [], []),
        (made(ENDS), "mug", ["##ug</w>"], [(1, 3)]),
        (made(kinds.BPE()), "ab", [], []),
        (made(bpe(letters="b"), None, None, AddedToken("[HL]")), "xb[HL]x", ["b", "[HL]"], [(1, 2), (2, 6)]),
        (made(bpe(("해", "요"), letters="마실까해요"), normalizers.NFKC()), JAMO, ["마", "실", "까", "해요"],
         [(0, 2), (2, 5), (5, 7), (7, 11)]),
        (made(bpe(letters="마"), normalizers.NFC()), JAMO[:2] + "x" + JAMO[:2], ["마", "마"], [(0, 2), (3, 5)]),
    ],
)  # fmt: skip
def test_tokens_cover_what_they_stand_for(data, text, tokens, spans):
    assert cut(data, text) == (tokens, spans)


@pytest.mark.parametrize(
    ("normalizer", "text", "spans"),
    [
        (normalizers.NFC(), "e\u0301a", [(0, 2), (2, 3)]),
        (normalizers.NFKC(), "aﬁb", [(0, 1), (1, 2), (1, 2), (2, 3)]),
        (normalizers.Lowercase(), "aİb", [(0, 1), (1, 2), (1, 2), (2, 3)]),
        (normalizers.StripAccents(), "e\u0301a", [(0, 2), (2, 3)]),
        (normalizers.Replace("ab", "c"), "xabx", [(0, 1), (1, 3), (3, 4)]),
        (normalizers.Replace(Regex("b+"), "X"), "abbbc", [(0, 1), (1, 4), (4, 5)]),
        (normalizers.Replace("b", ""), "abc", [(0, 1), (2, 3)]),
        (normalizers.Prepend("▁"), "ab", [(0, 1), (0, 1), (1, 2)]),
        (normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace("b", "")]), "abc",
         [(0, 1), (0, 1), (2, 3)]),
        (normalizers.Strip(), "  a ", [(2, 3)]),
        (normalizers.BertNormalizer(), "a\u200bbc\u0301", [(0, 1), (2, 3), (3, 5)]),
    ],
)  # fmt: skip
def test_what_a_normalizer_has_joined_belongs_to_one_token_and_what_it_has_removed_to_none(normalizer, text, spans):
    assert cut(made(each_letter(), normalizer), text)[1] == spans


STEPS = [
    normalizers.NFC(), normalizers.NFD(), normalizers.NFKC(), normalizers.NFKD(), normalizers.StripAccents(),
    normalizers.Lowercase(), normalizers.BertNormalizer(), normalizers.Strip(), normalizers.Prepend("▁"),
    normalizers.Replace(Regex("b+"), "X"), normalizers.Replace("m", ""), normalizers.Nmt(),
]  # fmt: skip
CUTS = [
    None, pre_tokenizers.Whitespace(), pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(),
    pre_tokenizers.ByteLevel(), pre_tokenizers.BertPreTokenizer(), pre_tokenizers.Split("e", "removed"),
]  # fmt: skip
MODELS = [
    each_letter(), bpe(("u", "g"), letters="bug the▁"), kinds.BPE({"?": 0}, [], unk_token="?", fuse_unk=True),
    kinds.WordLevel({"?": 0, "the": 1}, unk_token="?"), kinds.Unigram([("?", 0.0), ("▁the", -1.0), ("m", -2.0)], 0),
]  # fmt: skip
MADE = {(n, c, m): made(model, step, before) for n, step in enumerate(STEPS) for c, before in enumerate(CUTS)
        for m, model in enumerate(MODELS)}  # fmt: skip


@given(st.sampled_from(sorted(MADE)), TEXTS)
@example((2, 0, 1), JAMO)
@example((9, 4, 1), "abbm b😀")
def test_spans_are_in_order_and_within_the_text(which, text):
    check_spans(text, cut(MADE[which], text)[1])


@given(st.sampled_from(NAMES), TEXTS)
def test_spans_of_the_usual_kinds_are_in_order(name, text):
    check_spans(text, cut(tokenizer_json(name), text)[1])


def check_spans(text: str, spans: list[tuple[int, int]]) -> None:
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    assert all(a <= c and b <= d for (a, b), (c, d) in pairwise(spans))


# What the public functions say -----------------------------------------------------------------------------


def test_what_no_token_covers_is_named(monkeypatch):
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: BUGS)
    tokens = ev.tokenize("mug bug 😀", "u/bpe")
    assert (tokens.texts, tokens.spans) == (["ug", "b", "ug"], [(1, 3), (4, 5), (5, 7)])
    assert (tokens.uncovered, tokens.lost) == ((0, 3, 7, 8), "m😀")
    assert (tokens.head(1).uncovered, tokens.head(1).lost) == ((0,), "m")
    emoji = ev.tokenize("😀 😀", "u/bpe")
    assert (emoji.ids, emoji.uncovered, emoji.lost) == ([], (0, 1, 2), "😀😀")


@pytest.mark.parametrize(
    ("data", "text", "tokens", "lost"),
    [
        (BUGS, "umg", [("ug", (0, 3))], "m"),
        (BUGS, "mumgm mm", [("ug", (1, 4))], "mmmmm"),
        (made(bpe(("a", "b"), letters="ab"), normalizers.Replace("x", "")), "xaxb", [("ab", (1, 4))], "xx"),
        (made(bpe(("a", "b"), letters="ab"), normalizers.BertNormalizer()), "a\u200bb", [("ab", (0, 3))], "\u200b"),
        (made(bpe(("a", "b"), letters="ab"), normalizers.StripAccents()), "a\u0301b", [("ab", (0, 3))], ""),
        (made(bpe(letters="e"), normalizers.NFD()), "é", [("e", (0, 1))], ""),
        (made(bpe(("a", "x"), letters="ax"), normalizers.Replace(Regex("^x"), "")), "xax", [("ax", (1, 3))], "x"),
        (made(bpe(letters="a"), normalizers.Replace("H", ""), None, AddedToken("[H]", normalized=False)), "aH[H]",
         [("a", (0, 1)), ("[H]", (2, 5))], "H"),
    ],
)  # fmt: skip
def test_a_letter_that_is_dropped_in_the_middle_of_a_token_is_named(monkeypatch, data, text, tokens, lost):
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: data)
    for prefix_space in (False, True):
        found = ev.tokenize(text, "u/bpe", prefix_space)
        assert ([*zip(found.texts, found.spans, strict=True)], found.lost) == (tokens, lost)
    (cut,) = segment(text, ["u/bpe"]).cuts
    assert cut.n_bytes == len(text.replace(" ", "").encode()) - len(lost.encode())


@given(TEXTS, st.sampled_from(("words", "gpt2", "cl100k_base")), st.booleans())
@example("---- -- -", "words", True)
def test_our_own_tokenizers_lose_nothing(text, tokenizer, prefix_space):
    tokens = ev.tokenize(text, tokenizer, prefix_space)
    assert tokens.lost == ""
    covered = {place for start, end in tokens.spans for place in range(start, end)}
    assert covered | set(tokens.uncovered) == set(range(len(text)))
    assert not covered & set(tokens.uncovered)


def test_bytes_count_what_is_covered(monkeypatch):
    data = made(bpe(("해", "요"), letters="마실까해요"), normalizers.NFKC())
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: data)
    (found,) = segment(JAMO, ["u/jamo"]).cuts
    assert (len(JAMO), len(found.tokens), found.n_bytes) == (11, 4, 33)
    assert found.boundaries == {2, 5, 7}
    assert json.loads(data)["normalizer"] == {"type": "NFKC"}
