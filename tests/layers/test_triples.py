"""Sentences beside two other orders of their words: the sentences themselves, and what a model makes of them."""

import copy
from collections import defaultdict

import numpy as np
import pytest
import torch

from embedviz.layers import model_queue
from embedviz.layers.triples import likeness, triples
from tests.models.shelf import ids_of, on_shelf

NAME = "own/model"
LONG = {"bert": "max_position_embeddings", "gpt2": "n_positions", "llama": "max_position_embeddings"}
TABLES = {"bert": "embeddings.position_embeddings.weight", "gpt2": "transformer.wpe.weight"}


def test_there_are_some_twenty_at_least_and_the_sites_own_come_first():
    assert len(triples()) >= 20
    assert triples()[0].texts == ("the cat sat on the mat", "on the mat the cat sat", "the mat sat on the cat")


def test_no_sentence_is_there_twice():
    every = [text for triple in triples() for text in triple.texts]
    assert len({*every}) == len(every)


def test_the_other_orders_have_exactly_the_same_words():
    for triple in triples():
        words = [sorted(text.split(" ")) for text in triple.texts]
        assert words[0] == words[1] == words[2]
        assert all(word.isascii() and word.isalpha() and word.islower() for word in words[0])


@pytest.fixture
def tiny(models_folder):
    """A tiny model that has room for all sentences, as transformers itself has it."""

    def put(kind: str):
        room = {LONG[kind]: 90}
        return on_shelf(kind, models_folder / NAME, "the cat", with_head=kind != "bert", **room).model.eval()

    return put


def by_hand(kind: str, model: torch.nn.Module, positions: bool) -> dict[str, np.ndarray]:
    """The cosines by transformers, a sentence at a time, without a table of positions or with angles of 0 if off."""
    model = copy.deepcopy(model)
    if not positions and kind in TABLES:
        model.get_parameter(TABLES[kind]).data.zero_()

    def sentence(text: str) -> np.ndarray:
        ids = torch.tensor([ids_of(kind, text)])
        given = {"attention_mask": torch.ones_like(ids)}
        if not positions and kind not in TABLES:
            given["position_ids"] = torch.zeros_like(ids)
        with torch.no_grad():
            return model(ids, output_hidden_states=True, **given).hidden_states[-1][0].double().mean(0).numpy()

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    read = [[sentence(text) for text in triple.texts] for triple in triples()]
    return {
        "same": np.array([cosine(a, same) for a, same, _other in read]),
        "other": np.array([cosine(a, other) for a, _same, other in read]),
        "unrelated": np.array([[cosine(a, b) for b, *_orders in read] for a, *_orders in read]),
    }


@pytest.mark.parametrize("positions", [True, False])
@pytest.mark.parametrize("kind", ["bert", "gpt2", "llama"])
def test_the_cosines_are_those_of_transformers_by_hand(tiny, kind, positions):
    wanted = by_hand(kind, tiny(kind), positions)
    found = likeness(NAME, positions=positions)
    for name, values in wanted.items():
        np.testing.assert_allclose(getattr(found, name), values, atol=2e-6)
        assert not getattr(found, name).flags.writeable
    n = len(triples())
    apart = wanted["other"] - wanted["same"]
    clear = np.abs(apart) > 1e-5  # more than rounding
    np.testing.assert_array_equal(found.is_reversed[clear], apart[clear] > 0)
    assert clear.any() == (positions or kind != "bert")
    others = [wanted["unrelated"][i, j] for i in range(n) for j in range(n) if i != j]
    np.testing.assert_allclose(found.apart, others, atol=2e-6)


def test_without_positions_an_encoder_hears_no_order_and_still_tells_sentences_apart(tiny):
    tiny("bert")
    on, off = (likeness(NAME, positions=positions) for positions in (True, False))
    for name in ("same", "other"):
        np.testing.assert_allclose(getattr(off, name), 1, atol=1e-6)
        assert getattr(on, name).min() < 1 - 1e-5
    assert off.apart.max() < 1 - 1e-5


def test_a_causal_model_hears_order_without_positions(tiny):
    tiny("gpt2")
    assert likeness(NAME, positions=False).same.min() < 1 - 1e-5


def test_how_far_tokens_move(tiny):
    """With [CLS] and [SEP] "the cat sat on the mat" has eight tokens, of which each copy goes to the nearest place."""
    tiny("bert")
    found = likeness(NAME)
    assert found.moved[0].tolist() == [(1 + 3 + 3 + 3 + 1 + 3) / 8, (4 + 4) / 8]
    for triple, moved in zip(triples(), found.moved, strict=True):
        places = [defaultdict(list) for _text in triple.texts]
        for text, of in zip(triple.texts, places, strict=True):
            for n, id_ in enumerate(ids_of("bert", text)):
                of[id_].append(n)
        n_tokens = sum(map(len, places[0].values()))
        for order, value in zip(places[1:], moved, strict=True):
            ways = [abs(i - j) for id_ in places[0] for i, j in zip(places[0][id_], order[id_], strict=True)]
            assert value == pytest.approx(sum(ways) / n_tokens)


def test_a_run_for_each_length_and_none_for_what_is_known(tiny, monkeypatch):
    tiny("bert")
    shapes, run = [], model_queue.run

    def counted(whole, ids, **more):
        shapes.append(ids.shape)
        return run(whole, ids, **more)

    monkeypatch.setattr(model_queue, "run", counted)
    likeness(NAME)
    lengths = [len(ids_of("bert", text)) for triple in triples() for text in triple.texts]
    assert sorted(shapes) == sorted((lengths.count(length), length) for length in {*lengths})
    likeness(NAME)
    assert len(shapes) == len({*lengths})
