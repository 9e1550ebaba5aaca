"""Token vectors, positional vectors and their sum, against PyTorch."""

import math

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

import embedviz as ev
from embedviz.positions import ADDING
from embedviz.vectors import tables
from embedviz.vectors.embedding import tokenize_for, with_vocabulary

CAT = "the cat sat on the mat"
ANY_TEXT = st.text(st.characters(), max_size=60)
PARTS = ("token_embeddings", "positional_embeddings", "input_embeddings")


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"seed": 7, "output_dim": 5},
        {"position_scale": 0.3},
        {"scale_embeddings": True, "output_dim": 12},
        {"scale_embeddings": True, "position_scale": 2.5, "output_dim": 3},
    ],
)
def test_vectors_are_pytorchs(settings):
    spec = ev.Spec(**settings)
    embedded = ev.embed(CAT, spec)
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(spec.seed)
        tokens = torch.nn.Embedding(50257, spec.output_dim)(torch.tensor([262, 3797, 3332, 319, 262, 2603]))
        positions = torch.nn.Embedding(spec.context_length, spec.output_dim)(torch.arange(6))
    if spec.scale_embeddings:
        tokens = tokens * math.sqrt(spec.output_dim)
    positions = positions * spec.position_scale
    expected = (tokens, positions, tokens + positions)
    assert [getattr(embedded, part).tobytes() for part in PARTS] == [rows.numpy().tobytes() for rows in expected]


@pytest.mark.parametrize("position", ["none", *ADDING])
@pytest.mark.parametrize("text", ["", "the", CAT])
def test_shapes_types_and_read_only(text, position):
    embedded = ev.embed(text, ev.Spec(position=position, output_dim=8))
    for part in PARTS:
        rows = getattr(embedded, part)
        assert (rows.shape, rows.dtype) == ((len(embedded.tokens), 8), np.float32)
        assert not rows.flags.writeable


def test_scale_embeddings_multiplies_token_vectors_by_the_root_of_the_width():
    plain = ev.embed(CAT, ev.Spec(output_dim=16))
    scaled = ev.embed(CAT, ev.Spec(output_dim=16, scale_embeddings=True))
    assert np.array_equal(scaled.token_embeddings, plain.token_embeddings * 4)
    assert np.array_equal(scaled.positional_embeddings, plain.positional_embeddings)


@pytest.mark.parametrize("tokenizer", ["words", "gpt2", "cl100k_base"])
@given(text=ANY_TEXT)
def test_one_id_has_one_vector_whatever_the_text(tokenizer, text):
    embedded = ev.embed(text, ev.Spec(tokenizer=tokenizer, output_dim=4))
    rows: dict[int, set[bytes]] = {}
    for id_, row in zip(embedded.tokens.ids, embedded.token_embeddings, strict=True):
        rows.setdefault(id_, set()).add(row.tobytes())
    assert all(len(found) == 1 for found in rows.values())


@given(a=ANY_TEXT, b=ANY_TEXT, lower_case=st.booleans())
@example(a="a lone \ud800", b="surrogate", lower_case=False)
def test_words_of_several_texts_share_one_vocabulary(a, b, lower_case):
    spec = with_vocabulary(ev.Spec(tokenizer="words", lower_case=lower_case), a, b)
    found = [tokenize_for(text, spec) for text in (a, b)]
    ids = {(word, id_) for tokens in found for word, id_ in zip(tokens.texts, tokens.ids, strict=True)}
    assert ids == {(word, n) for n, word in enumerate(spec.vocabulary)}


def test_byte_pair_tokenizers_need_no_vocabulary():
    spec = ev.Spec()
    assert with_vocabulary(spec, "a", "b") is spec


def test_a_sentence_longer_than_the_table_is_refused_with_what_would_do():
    with pytest.raises(ev.EmbedvizError) as error:
        ev.embed(CAT, ev.Spec(output_dim=4, context_length=3))
    assert str(error.value) == (
        "6 tokens need 6 positions, but the learned table ends at context_length 3. "
        "Raise context_length to 6 or more, or shorten the sentence."
    )


@pytest.mark.parametrize("name", ADDING)
def test_position_scale_multiplies_the_positional_vectors_alone(name):
    plain = ev.embed(CAT, ev.Spec(position=name, output_dim=8))
    scaled = ev.embed(CAT, ev.Spec(position=name, output_dim=8, position_scale=0.25))
    assert np.array_equal(scaled.positional_embeddings, plain.positional_embeddings / 4)
    assert np.array_equal(scaled.token_embeddings, plain.token_embeddings)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_vectors_that_are_not_finite_are_refused(monkeypatch, value):
    monkeypatch.setattr(tables, "token_rows", lambda ids, _size, spec: np.full((len(ids), spec.output_dim), value))
    with pytest.raises(ev.EmbedvizError, match="not finite"):
        ev.embed("the cat", ev.Spec(output_dim=8))
