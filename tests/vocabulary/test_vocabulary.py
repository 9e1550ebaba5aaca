"""Every token of every tokenizer, told apart by its text."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModel

import embedviz as ev
from embedviz.models import HubModel
from embedviz.text.samples import encoding
from embedviz.text.tokens import TOKENIZERS
from embedviz.vectors import tables
from embedviz.vectors.tables import token_table
from embedviz.vocabulary.vocabulary import KINDS, Vocabulary, vocabulary, words_of
from tests.text import tokenizer_files
from tests.text.tokenizer_files import tokenizer_json


def tokens(name: str = "gpt2", **settings) -> Vocabulary:
    return vocabulary(ev.Spec(tokenizer=name, **settings))


def kind(found: Vocabulary, id_: int) -> str:
    return KINDS[found.kinds[id_]]


@pytest.mark.parametrize(("name", "size"), [("gpt2", 50_257), ("cl100k_base", 100_277), ("o200k_base", 200_019)])
def test_every_id_has_a_text(name, size):
    found = tokens(name)
    assert len(found) == size == len(found.kinds) == len(found.lengths) == encoding(name).n_vocab
    whole = [n for n in range(size) if kind(found, n) not in ("part of a character", "unused")]
    pieces = encoding(name).decode_tokens_bytes(whole)
    assert [found.texts[n].encode() for n in whole] == pieces


@pytest.mark.parametrize(("name", "n_unused"), [("gpt2", 0), ("cl100k_base", 16), ("o200k_base", 19)])
def test_ids_that_stand_for_nothing_are_said_to(name, n_unused):
    found = tokens(name)
    known = set(encoding(name).token_byte_values()) | {
        encoding(name).encode_single_token(text).to_bytes(4, "big") for text in encoding(name).special_tokens_set
    }
    assert (found.kinds == KINDS.index("unused")).sum() == n_unused == len(found) - len(known)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" cat", "word, space before"),
        ("cat", "word, no space"),
        ("2016", "number"),
        (" 2016", "number"),
        (".", "punctuation"),
        (" (", "punctuation"),
        ("\n", "white space"),
        (" ", "white space"),
        ("<|endoftext|>", "special"),
    ],
)
def test_kinds(text, expected):
    found = tokens()
    assert kind(found, found.find(text)) == expected


def test_a_part_of_a_character_is_one_and_counts_bytes():
    id_ = encoding("gpt2").encode("🐈")[0]
    found = tokens()
    assert (kind(found, id_), found.texts[id_], found.lengths[id_]) == ("part of a character", r"\xf0\x9f", 2)


def test_words_are_those_of_the_sample_texts_or_of_the_spec():
    assert len(tokens("words")) == len(words_of(ev.Spec(tokenizer="words"))) > 500
    own = tokens("words", vocabulary=("a", "7", "cat", "."))
    assert own.texts == ("a", "7", "cat", ".")
    assert [kind(own, n) for n in range(4)] == ["word, no space", "number", "word, no space", "punctuation"]
    assert own.lengths.tolist() == [1, 1, 3, 1]


def test_a_token_is_found_as_one_would_type_it():
    found = tokens()
    assert [found.find(text) for text in (" cat", "␣cat", "cat", "#3797", "⏎", " ")] == [
        3797, 3797, 9246, 3797, 198, 220,
    ]  # fmt: skip
    assert found.texts[found.find("elephant")] == " elephant"  # without a space it is no token


@pytest.mark.parametrize("text", ["", "two words", "#50257", "#99999999999999", "#", "#-1", "#²"])
def test_what_is_no_token_is_refused(text):
    found = tokens()
    if text == "#":
        assert found.texts[found.find(text)] == "#"
        return
    with pytest.raises(ev.EmbedvizError, match=r"is not one token of gpt2|There is no ID"):
        found.find(text)


@pytest.mark.parametrize("name", TOKENIZERS)
@given(data=st.data())
def test_the_id_leads_to_the_token(name, data):
    found = tokens(name)
    id_ = data.draw(st.integers(0, len(found) - 1))
    assert found.find(f"#{id_}") == id_


def test_arrays_are_read_only_and_a_vocabulary_is_made_once():
    found = tokens()
    assert not found.kinds.flags.writeable
    assert not found.lengths.flags.writeable
    assert found is tokens(seed=7, output_dim=3)
    assert np.array_equal(found.lengths[:3], [1, 1, 1])


@pytest.mark.parametrize("name", tokenizer_files.NAMES)
@pytest.mark.usefixtures("model_tokenizers")
def test_every_token_of_a_model_has_its_text_and_its_kind(name):
    found, reference = tokens(name), tokenizer_files.reference(name)
    assert len(found) == reference.get_vocab_size()
    special = {id_ for id_, token in reference.get_added_tokens_decoder().items() if token.special}
    assert {n for n in range(len(found)) if kind(found, n) == "special"} == special
    assert all(found.texts[n] == reference.id_to_token(n) for n in special)
    cut = ev.tokenize(" the cat", name, False)
    assert [found.texts[id_] for id_ in cut.ids] == cut.texts
    assert tokens(name) is found


@pytest.mark.usefixtures("model_tokenizers")
def test_the_kinds_of_a_models_tokens():
    letters, pieces, fallback = (tokens(f"test/{name}") for name in ("byte-level", "word-pieces", "gemma"))
    assert kind(letters, letters.find(" cat")) == "word, space before"
    assert kind(pieces, pieces.find("##s")) == kind(pieces, pieces.find("cat")) == "word, no space"
    assert kind(fallback, 3 + 0xF0) == "part of a character"
    assert found_text(fallback, "\n") == {3 + ord("\n")}


def found_text(found: Vocabulary, text: str) -> set[int]:
    return {n for n, each in enumerate(found.texts) if each == text}


def test_a_gap_between_the_ids_of_a_model_is_named(monkeypatch):
    vocab = {"[UNK]": 0, "the": 3}
    gap = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocab}
    data = tokenizer_files.changed("test/word-pieces", model=gap, added_tokens=[], post_processor=None)
    monkeypatch.setattr(HubModel, "tokenizer_json", lambda _model: data)
    found = tokens("owner/gap")
    assert found.texts == ("[UNK]", "<unused 1>", "<unused 2>", "the")
    assert found.find("the") == 3


# Models ---------------------------------------------------------------------------------------------------


def put(folder: Path, vocab_size: int) -> str:
    """A real model, tiny, with the tokenizer of word pieces; its name."""
    model = AutoModel.from_config(AutoConfig.for_model("bert", **_SMALL | {"vocab_size": vocab_size}))
    model.save_pretrained(folder / "own/model")
    (folder / "own/model/tokenizer.json").write_bytes(tokenizer_json("test/word-pieces"))
    return "own/model"


_SMALL = {"hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 4}


def n_ids() -> int:
    return max(Tokenizer.from_str(tokenizer_json("test/word-pieces").decode()).get_vocab().values()) + 1


def test_the_rows_of_the_table_count_and_those_without_a_token_are_unused(models_folder):
    more = n_ids() + 7
    spec = ev.Spec(source=put(models_folder, more))
    found = vocabulary(spec)
    assert len(found) == more == len(token_table(more, spec))
    assert found.texts[-1] == f"<unused {more - 1}>"
    assert [kind(found, n) for n in range(n_ids() - 1, more)][1:] == ["unused"] * 7
    assert found.texts[:2] == vocabulary(ev.Spec(tokenizer="own/model")).texts[:2]


def test_a_tokenizer_with_more_ids_than_the_table_has_rows_is_refused(models_folder):
    spec = ev.Spec(source=put(models_folder, n_ids() - 1))
    with pytest.raises(ev.EmbedvizError, match=f"has the IDs 0 to {n_ids() - 1:,}, but .* only {n_ids() - 1:,} rows"):
        vocabulary(spec)


def test_a_model_larger_than_the_limit_is_refused_with_what_would_help(models_folder, monkeypatch):
    spec = ev.Spec(source=put(models_folder, n_ids()))
    monkeypatch.setattr(tables, "MAX_TABLE_BYTES", n_ids() * 4 * 4 - 1)
    with pytest.raises(ev.EmbedvizError, match=r"Take a smaller model.*EMBEDVIZ_TABLE_MIB"):
        token_table(n_ids(), spec)
