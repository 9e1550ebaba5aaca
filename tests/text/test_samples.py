"""The tokenizers in data/ against tiktoken's own, and the ready pairs."""

from pathlib import Path

import pytest
import tiktoken

import embedviz as ev
from embedviz.base.locale.catalogues import languages
from embedviz.text import samples

NASTY = [
    "",
    " ",
    "the cat sat on the mat",
    "I'LL they're WE'VE 'tis",
    "x = 3.14159; print(123456789)\r\n\r\n\tif (x):\n    return",
    "trailing spaces   \n\n  \t",
    "naïve café e\u0301 ﬁ Straße İstanbul",
    "猫坐在垫子上 🐈\u200d⬛ 👨\u200d👩\u200d👧 \u202eabc\u2066",
    "\x00\x01\ufffd\u00a0\u3000\u2028",
    "!!!...---___/// </s> <|endoftext|> <|endofprompt|> <|fim_prefix|>",
]


@pytest.fixture
def real(tiktoken_cache: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tiktoken_cache))
    return tiktoken.get_encoding


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("gpt2", "gpt2"), ("gpt2", "r50k_base"), ("cl100k_base", "cl100k_base"), ("o200k_base", "o200k_base")],
)
def test_an_encoding_is_tiktokens_own(ours, theirs, real):
    own, original = samples.encoding(ours), real(theirs)
    assert own is not original
    assert own._pat_str == original._pat_str
    assert own._special_tokens == original._special_tokens
    assert own.token_byte_values() == original.token_byte_values()
    assert all(own.encode_single_token(piece) == rank for piece, rank in original._mergeable_ranks.items())
    assert own.n_vocab == original.n_vocab
    for text in NASTY:
        assert own.encode(text, disallowed_special=()) == original.encode(text, disallowed_special=())
        assert own.encode(text, allowed_special="all") == original.encode(text, allowed_special="all")


def test_an_encoding_is_loaded_once():
    assert samples.encoding("gpt2") is samples.encoding("gpt2")


def test_the_default_pair_comes_first():
    first = samples.usual_pair()
    assert first is samples.pairs()[0]
    assert (first.a, first.b, first.prefix_space) == ("the cat sat on the mat", "the mat sat on the cat", True)


def test_the_names_of_the_pairs_differ():
    names = [pair.name for pair in samples.pairs()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("pair", samples.pairs(), ids=lambda pair: pair.name)
def test_every_pair_shares_tokens_that_positions_set_apart(pair, compared):
    c = compared(pair.a, pair.b, prefix_space=pair.prefix_space, output_dim=8)
    assert c.n_same_before == c.n_shared > c.n_same_after


OTHERS = [pair for tag in languages() if tag != "en" for pair in samples.pairs(tag) if pair.language == tag]


def test_whoever_reads_a_language_finds_the_english_pairs_first_and_then_those_of_the_language():
    for tag in languages():
        found = samples.pairs(tag)
        assert found[: len(samples.pairs())] == samples.pairs()
        assert {pair.language for pair in found} == {"en", tag}
        assert len({pair.name for pair in found}) == len(found)
    assert samples.pairs("it") == samples.pairs()


@pytest.mark.parametrize("tokenizer", ["gpt2", "cl100k_base", "o200k_base"])
@pytest.mark.parametrize("pair", OTHERS, ids=lambda pair: f"{pair.language} {pair.name}")
def test_a_pair_in_another_language_is_a_permutation_that_positions_set_apart(pair, tokenizer, compared):
    a, b = (ev.tokenize(text, tokenizer, pair.prefix_space) for text in (pair.a, pair.b))
    assert a.ids != b.ids
    assert sorted(a.ids) == sorted(b.ids)
    c = compared(pair.a, pair.b, tokenizer=tokenizer, prefix_space=pair.prefix_space, output_dim=8)
    assert c.n_same_before == c.n_shared > c.n_same_after


@pytest.mark.parametrize("pair", [p for p in samples.pairs() if p.prefix_space], ids=lambda pair: pair.name)
def test_pairs_with_a_prefix_space_are_permutations(pair):
    a, b = ev.tokenize(pair.a), ev.tokenize(pair.b)
    assert a.ids != b.ids
    assert sorted(a.ids) == sorted(b.ids)
