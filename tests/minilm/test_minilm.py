"""The numbers of the real MiniLM that the app shows. `make test-minilm` brings the model, and fails without it."""

import re

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from sklearn.neighbors import NearestNeighbors
from transformers import AutoModel, PreTrainedTokenizerFast

import embedviz as ev
from embedviz.base import data_files
from embedviz.base.settings import configured, read
from embedviz.layers import probe
from embedviz.layers.copies import alike
from embedviz.layers.heads import heads
from embedviz.layers.positions import changed
from embedviz.layers.probe import SOURCE
from embedviz.layers.runnable import runnable
from embedviz.models import minilm
from embedviz.vocabulary.word_map import word_map
from tests.models.hub import restart
from tests.pages.site import shown, visit

MODELS = read().models  # before the tests hide the machine's models
CAT = ("the cat sat on the mat", "on the mat the cat sat")
DOG = ("the dog bites the man", "the man bites the dog")
LOVE = ("only I love you", "I love only you")


@pytest.fixture(scope="module", autouse=True)
def _with_the_model():
    assert minilm.is_there(MODELS), f"MiniLM is not in {MODELS}: make minilm"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDVIZ_MODELS", str(MODELS))
        configured.cache_clear()
        restart()
        yield
    configured.cache_clear()
    restart()


def compared(pair, change="trained", **more):
    spec = ev.Spec(source=SOURCE)
    positions = changed(change, len(ev.tokenize(pair[0], SOURCE)), **more)
    return alike(*(ev.forward(text, spec, positions) for text in pair))


def test_it_can_be_run_here():
    assert runnable()[SOURCE] == "encoder"


def test_it_is_the_same_as_transformers_by_hand():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(MODELS / SOURCE / "tokenizer.json"))
    model = AutoModel.from_pretrained(MODELS / SOURCE, attn_implementation="eager").eval()
    for text in (*CAT, *DOG, *LOVE):
        ids = tokenizer(text, padding=False)["input_ids"]
        found = ev.forward(text, ev.Spec(source=SOURCE))
        assert found.tokens.ids == ids
        with torch.no_grad():
            said = model(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
        np.testing.assert_allclose(found.hidden_states, torch.stack(said.hidden_states)[:, 0], atol=1e-5)
        np.testing.assert_allclose(found.attentions, torch.stack(said.attentions)[:, 0], atol=1e-5)
        np.testing.assert_allclose(found.sentence, said.last_hidden_state[0].mean(0), atol=1e-5)


@pytest.mark.parametrize(("pair", "on"), [(DOG, 0.972), (CAT, 0.945), (LOVE, 0.853)])
def test_two_orders_are_one_sentence_with_positions_off(pair, on):
    assert compared(pair).sentences == pytest.approx(on, abs=5e-4)
    off = compared(pair, "off")
    assert off.sentences == pytest.approx(1, abs=1e-6)
    assert off.cosines.min() > 1 - 1e-6
    assert off.distances.max() < 1e-4


def test_dog_in_each_layer():
    found = compared(DOG)
    at = found.pairs.index((2, 5))  # after [CLS] and "the"
    np.testing.assert_allclose(found.cosines[at], [0.958, 0.955, 0.945, 0.922, 0.931, 0.949, 0.950], atol=6e-4)


def test_an_absolute_table_makes_a_relative_head():
    found = heads(SOURCE)
    assert found.name(0, 2) == "previous token"
    seen = {name: each[0, 2, 2] for name, each in found.weights.items()}
    assert seen["text"] > 0.995
    assert seen["random"] == pytest.approx(0.995, abs=5e-3)
    assert seen["shifted"] > 0.995
    assert seen["off"] == pytest.approx(0.04, abs=5e-3)
    assert found.weights["text"][1, 8, 4] == pytest.approx(0.70, abs=0.03)  # layer 1, head 8: the token after


def test_the_probe_that_comes_with_the_app_is_what_is_measured_here(monkeypatch):
    """With one network of each three, since all of them take minutes."""
    monkeypatch.setattr(probe, "SEEDS", probe.SEEDS[:1])
    text = data_files.read(probe.TEXT).decode()
    known = probe.probes()["minilm"]
    for name, found in probe.of_model(SOURCE, text).items():
        for part in ("fitted", "tested"):
            np.testing.assert_allclose(found["line"][part], getattr(getattr(known, name).line, part), atol=0.02)
            one = getattr(getattr(known, name).network, part)[:1]
            np.testing.assert_allclose(found["network"][part], one, atol=0.2)


def titles(page, key, **query):
    at = visit(page, **query)
    assert not at.exception
    return [card["title"] for card in shown(at, key)["cards"]]


@pytest.mark.parametrize(("change", "alike"), [("off", "1.000"), ("trained", "0.972"), ("swapped", "1.000")])
def test_the_page_layers_opens_on_it_and_says_how_alike_the_two_sentences_are(change, alike):
    assert titles("layers", "about_copies", change=change)[0].endswith(f": {alike}")


def test_heads_have_names_once_they_are_given_positions():
    _now, *said = titles("attention", "about_head", looks="own")  # positions off
    assert said == ["Layer 1, head 3: no name", "0 of 72 heads have a name"]
    _now, *said = titles("attention", "about_head", looks="own", on="true")
    assert said == ["Layer 1, head 3: previous token", "2 of 72 heads have a name"]


def test_the_page_attention_opens_on_that_head_and_shows_a_real_sink():
    at = visit("attention")
    assert shown(at, "about_head")["cards"][0]["title"] == "Positions off: 0.16 of its weight is on the token before"
    at = visit("attention", on="true")
    assert [card["title"] for card in shown(at, "about_head")["cards"]] == [
        "Positions on: 1.00 of its weight is on the token before",
        "Layer 1, head 3: previous token",
        "An absolute table makes a relative head",
    ]
    said = [card["title"] for card in shown(visit("attention", on="true", looks="sink"), "about_head")["cards"]]
    assert said == [
        "Positions on: 0.91 of its weight is on [CLS]",
        "[CLS] is a sink",
        "36 of 72 heads: most of their weight on [CLS]",
    ]


def test_the_map_of_words_has_the_neighbours_that_are_computed_here():
    known, tokens = word_map(), PreTrainedTokenizerFast(tokenizer_file=str(MODELS / SOURCE / "tokenizer.json"))
    ids = known.points.ids
    assert tokens.convert_ids_to_tokens(ids.tolist()) == [known.tokens.texts[id_] for id_ in ids]
    whole = [id_ for word, id_ in tokens.get_vocab().items() if re.fullmatch("[a-z][a-z]+", word)]
    assert ids.tolist() == sorted(whole)[: len(ids)]
    table = load_file(MODELS / SOURCE / "model.safetensors")["embeddings.word_embeddings.weight"]
    rows = table[ids].astype(np.float64)
    oracle = NearestNeighbors(n_neighbors=11, metric="cosine", algorithm="brute").fit(rows)
    distances, found = oracle.kneighbors()  # of each row without the row itself
    np.testing.assert_allclose(known.cosines, 1 - distances[:, :10], atol=6e-5)
    is_clear = np.diff(distances, axis=1) > 1e-6  # which of two that are equally near comes first is left open
    is_clear[:, 1:] &= is_clear[:, :-1].copy()
    assert is_clear.mean() > 0.99
    assert (known.neighbours == ids[found[:, :10]])[is_clear].all()
