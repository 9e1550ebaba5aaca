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
from embedviz.layers.copies import copy_similarity
from embedviz.layers.heads import heads
from embedviz.layers.probe import SOURCE
from embedviz.layers.runnable import runnable
from embedviz.layers.triples import likeness, triples
from embedviz.models import minilm
from embedviz.ui.inputs.model_runs import LanguageModel
from embedviz.vocabulary.word_map import word_map
from tests.models.hub import restart
from tests.pages.site import findings, shown, visit

MODELS = read().models  # before the tests hide the machine's models
CAT = ("the cat sat on the mat", "on the mat the cat sat")
DOG = ("the dog bites the man", "the man bites the dog")
HERO = ("the cat sat on the mat", "the mat sat on the cat")  # on which the page opens
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


UNRELATED = "the stock market fell today"


def compared(pair, change="trained"):
    return copy_similarity(*(LanguageModel(SOURCE).read(text, change) for text in (*pair, UNRELATED)))


def by_hand(text, positions=None, *, is_off=False):
    """What transformers says of a text, with a table of zeros if positions are off, and the lengths of all values."""
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(MODELS / SOURCE / "tokenizer.json"))
    model = AutoModel.from_pretrained(MODELS / SOURCE, attn_implementation="eager").eval()
    ids = tokenizer(text, padding=False, return_tensors="pt")["input_ids"]
    more = {} if positions is None else {"position_ids": torch.tensor([positions])}
    with torch.no_grad():
        if is_off:
            model.embeddings.position_embeddings.weight.zero_()
        said = model(ids, output_hidden_states=True, output_attentions=True, **more)
        values = [
            layer.attention.self.value(states[0]).view(ids.shape[1], 12, 32).norm(dim=-1).T  # (H, T)
            for layer, states in zip(model.encoder.layer, said.hidden_states, strict=False)
        ]
    return said.last_hidden_state[0], torch.cat(said.attentions), torch.stack(values)


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
    assert max(off.unrelated) < 0.5  # so that it is blind to order, and not to everything


def test_with_nothing_added_two_orders_are_one_and_an_unrelated_sentence_is_another():
    means = [by_hand(text, is_off=True)[0].mean(0) for text in (*DOG, UNRELATED)]
    both, to_a, to_b = (
        float(torch.cosine_similarity(means[i], means[j], dim=0)) for i, j in ((0, 1), (0, 2), (1, 2))
    )  # fmt: skip
    assert both == pytest.approx(1, abs=1e-5)
    assert (to_a, to_b) == (pytest.approx(0.33, abs=5e-3), pytest.approx(0.33, abs=5e-3))
    np.testing.assert_allclose(compared(DOG, "off").unrelated, (to_a, to_b), atol=1e-4)


def test_if_all_tokens_have_position_0_every_sentence_is_one_vector():
    """Why off is not that: the row belongs to [CLS], which makes every token a sink."""
    texts = (*DOG, UNRELATED)
    a, _b, other = (by_hand(text, [0] * len(ev.tokenize(text, SOURCE)))[0].mean(0) for text in texts)
    assert float(torch.cosine_similarity(a, other, dim=0)) > 0.9995


def leaning(attentions, at):
    """How many heads have more than half of their weight on one token, from all others."""
    rows = [n for n in range(attentions.shape[-1]) if n != at]
    return int((attentions[:, :, rows, at].mean(-1) > 0.5).sum())


def test_the_value_of_a_sink_is_short():
    _end, attentions, lengths = by_hand(CAT[0])
    is_sink = attentions[:, :, 1:, 0].mean(-1) > 0.5  # (n_layers, H)
    shares = (lengths[..., 0] / lengths[..., 1:].median(-1).values)[is_sink]
    assert float(shares.median()) == pytest.approx(0.035, abs=0.01)
    assert lengths[2, 7, 0] == pytest.approx(0.055, abs=5e-3)
    assert lengths[2, 7, 1:].min() > 4
    np.testing.assert_allclose(LanguageModel(SOURCE).read(CAT[0], "trained").value_lengths, lengths, atol=1e-4)
    text = shown(visit("attention", view="head", positions="on", looks="sink"), "about_head")["cards"][1]["text"]
    assert f"has {float(lengths[2, 7, 0] / np.median(lengths[2, 7, 1:])):.0%} of the length" in text


def test_the_token_at_position_0_becomes_the_sink():
    _end, before, lengths = by_hand(CAT[0])
    _end, after, moved = by_hand(CAT[0], [1, 0, *range(2, 8)])  # [CLS] and the first word
    assert (leaning(before, 0), leaning(before, 1)) == (36, 0)
    assert (leaning(after, 0), leaning(after, 1)) == (1, 10)
    assert lengths[2, 7, 1] > 4
    assert moved[2, 7, 1] == pytest.approx(0.09, abs=5e-3)
    card = shown(visit("attention", view="head", positions="on", looks="sink"), "about_head")["cards"][2]
    said = card["text"].replace("\u2068", "").replace("\u2069", "")
    assert said.startswith(
        "If [CLS] and “the” exchange their positions in A, 10 heads have most of their weight on “the”"
    )
    assert "instead of 0, and 1 on [CLS] instead of 36." in said


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
    assert seen["off"] == pytest.approx(0.063, abs=5e-3)
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


def test_the_orders_of_each_triple_have_the_same_ids_and_no_two_are_the_same():
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(MODELS / SOURCE / "tokenizer.json"))
    for triple in triples():
        ids = [tokenizer(text, padding=False)["input_ids"] for text in triple.texts]
        assert sorted(ids[0]) == sorted(ids[1]) == sorted(ids[2])
        assert tokenizer.unk_token_id not in ids[0]
        assert len({*map(tuple, ids)}) == 3


def test_it_hears_order_and_hardly_what_order_means():
    on, off = (likeness(SOURCE, positions=positions) for positions in (True, False))
    assert (on.same[0], on.other[0]) == pytest.approx((0.945, 0.973), abs=5e-4)
    assert on.is_reversed.sum() == 22
    assert (on.same.mean(), on.other.mean()) == pytest.approx((0.979, 0.986), abs=5e-4)
    assert max(on.same.max(), on.other.max()) < 0.9995
    assert (on.apart.mean(), off.apart.mean()) == pytest.approx((0.113, 0.339), abs=5e-4)
    assert on.apart.max() < on.same.min()
    np.testing.assert_allclose([off.same, off.other], 1, atol=1e-6)


def titles(page, key, **query):
    at = visit(page, **query)
    assert not at.exception
    return [card["title"] for card in findings(at, key)]


@pytest.mark.parametrize("change", ["off", "on"])
def test_the_page_layers_opens_on_it_and_says_how_alike_the_two_sentences_are(change):
    a, b, other = (by_hand(text, is_off=change == "off")[0].mean(0) for text in (*HERO, UNRELATED))
    both, to_a, to_b = (float(torch.cosine_similarity(*each, dim=0)) for each in ((a, b), (a, other), (b, other)))
    unrelated = f"{to_a:.2f}" if change == "off" else f"{to_a:.2f} to A, {to_b:.2f} to B"
    said = titles("layers", "about_copies", positions=change)[1]
    assert said == f"Likeness: A and B {both:.3f}, an unrelated sentence {unrelated}"


def test_if_two_words_exchange_their_positions_a_is_b_on_the_page():
    b, other = (by_hand(text)[0].mean(0) for text in (HERO[1], UNRELATED))
    unrelated = float(torch.cosine_similarity(b, other, dim=0))
    said = titles("layers", "about_copies", positions="swapped")[1]
    assert said == f"Likeness: A and B 1.000, an unrelated sentence {unrelated:.2f}"


def test_heads_have_names_once_they_are_given_positions():
    _now, *said = titles("attention", "about_head", view="head", looks="own", positions="off")
    assert said == ["Layer 1, head 3: no name", "0 of 72 heads have a name"]
    _now, *said = titles("attention", "about_head", view="head", looks="own", positions="on")
    assert said == ["Layer 1, head 3: previous token", "2 of 72 heads have a name"]


def test_the_page_attention_opens_on_that_head_and_shows_a_real_sink():
    off = titles("attention", "about_head", view="head", positions="off")
    assert off[0] == "Without positions, this head puts 0.16 of its weight on the token before"
    assert titles("attention", "about_head", view="head") == [  # positions on
        "This head puts 1.00 of its weight on the token before",
        "Layer 1, head 3: previous token",
        "An absolute table makes a relative head",
    ]
    rows = torch.cat([by_hand(text)[1][:, :, 1:, 0] for text in HERO], dim=-1)  # of all tokens, on [CLS]
    n_sinks = int((rows.mean(-1) > 0.5).sum())
    assert titles("attention", "about_head", view="head", looks="sink") == [
        f"This head puts {float(rows.mean(-1).max()):.2f} of its weight on [CLS]",
        f"[CLS] is the sink of {n_sinks} of 72 heads",
        "Place 0 makes the sink",
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
