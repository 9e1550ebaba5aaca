"""Copies and sentences side by side, layer by layer, and the positions that change them."""

import numpy as np
import pytest
import torch

import embedviz as ev
from embedviz.layers.copies import copy_similarity
from embedviz.ui.inputs.model_runs import LanguageModel
from tests.models.shelf import on_shelf

A, B = "the cat sat on the mat", "on the mat the cat sat"
NAME = "own/model"
TABLES = ("position_embeddings.weight", "wpe.weight", "embed_positions.weight")


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


@pytest.mark.parametrize("kind", ["bert", "gpt2", "qwen3"])
def test_by_plain_loops(models_folder, kind):
    on_shelf(kind, models_folder / NAME, A, with_head=kind != "bert")
    spec = ev.Spec(source=NAME)
    a, b = ev.forward(A, spec), ev.forward(B, spec)
    found = copy_similarity(a, b)
    seen: dict[int, int] = {}
    for i, id_ in enumerate(a.tokens.ids):
        nth = seen[id_] = seen.get(id_, -1) + 1
        j = [n for n, other in enumerate(b.tokens.ids) if other == id_][nth]
        p = found.pairs.index((i, j))
        for layer, (x, y) in enumerate(zip(a.hidden_states[:, i], b.hidden_states[:, j], strict=True)):
            assert found.cosines[p, layer] == pytest.approx(cosine(x, y), abs=1e-6)
            assert found.distances[p, layer] == pytest.approx(float(np.linalg.norm(x - y)), abs=1e-5)
    assert len(found.pairs) == len(a.tokens)
    for layer, (rows_a, rows_b) in enumerate(zip(a.hidden_states, b.hidden_states, strict=True)):
        others = [
            (x, y)
            for i, x in zip(a.tokens.ids, rows_a, strict=True)
            for j, y in zip(b.tokens.ids, rows_b, strict=True)
            if i != j
        ]
        assert found.other_cosines[layer] == pytest.approx(np.mean([cosine(x, y) for x, y in others]), abs=1e-5)
        squares = [np.sum((x - y) ** 2) for x, y in others]
        assert found.other_distances[layer] == pytest.approx(np.sqrt(np.mean(squares)), rel=1e-5)
    assert found.sentences == pytest.approx(cosine(a.sentence, b.sentence), abs=1e-6)


def test_with_positions_off_an_encoder_cannot_tell_two_orders_apart(models_folder):
    on_shelf("bert", models_folder / NAME, A, num_hidden_layers=3)
    of = LanguageModel(NAME)
    on, off = (
        copy_similarity(*(of.read(text, change) for text in (A, B, "a red fox"))) for change in ("trained", "off")
    )  # fmt: skip
    assert off.cosines.min() > 1 - 1e-6
    assert off.distances.max() < 1e-5
    assert off.sentences == pytest.approx(1, abs=1e-6)
    assert on.cosines[:, 1:].min() < 0.999
    assert on.sentences < 1 - 5e-6
    assert off.unrelated[0] == pytest.approx(off.unrelated[1], abs=1e-6)
    assert max(off.unrelated) < 1 - 3e-6  # which a random model gives any two sentences, but for rounding


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert", "gpt2", "opt", "llama", "gpt_neox"])
def test_off_adds_nothing_as_transformers_does_with_a_table_of_zeros(models_folder, kind):
    """By hand: all rows of the table are zero, or all positions are, by which RoPE then turns nothing."""
    model = on_shelf(kind, models_folder / NAME, A, with_head=kind not in ("bert", "roberta", "distilbert")).model
    model.set_attn_implementation("eager")
    tables = [each for name, each in model.named_parameters() if name.endswith(TABLES)]
    ids = torch.tensor([LanguageModel(NAME).read(A, "off").tokens.ids])
    more = {} if tables else {"position_ids": torch.zeros_like(ids)}
    with torch.no_grad():
        for table in tables:
            table.zero_()
        said = model(
            ids, attention_mask=torch.ones_like(ids), output_hidden_states=True, output_attentions=True, **more
        )
    found = LanguageModel(NAME).read(A, "off")
    assert bool(tables) == (kind not in ("llama", "gpt_neox"))
    np.testing.assert_allclose(found.hidden_states, torch.cat(said.hidden_states), atol=1e-5)
    np.testing.assert_allclose(found.attentions, torch.cat(said.attentions), atol=1e-5)


def test_an_unrelated_sentence_is_compared_with_both(models_folder):
    on_shelf("bert", models_folder / NAME, A)
    a, b, other = (ev.forward(text, ev.Spec(source=NAME)) for text in (A, B, "a red fox"))
    found = copy_similarity(a, b, other)
    for value, read in zip(found.unrelated, (a, b), strict=True):
        means = [each.hidden_states[-1].mean(axis=0) for each in (read, other)]
        assert value == pytest.approx(cosine(*means), abs=1e-6)
    assert copy_similarity(a, b).unrelated is None


def test_with_rope_copies_are_the_same_at_the_input_and_part_in_the_first_layer(models_folder):
    on_shelf("llama", models_folder / NAME, A, with_head=True)
    spec = ev.Spec(source=NAME, special_tokens=False)
    a, b = (ev.forward(text, spec) for text in (A, B))
    found = copy_similarity(a, b)
    assert all(a.hidden_states[0, i].tobytes() == b.hidden_states[0, j].tobytes() for i, j in found.pairs)
    assert found.distances[:, 0].max() == 0
    assert found.distances[:, 1].max() > 0.01


def test_without_a_common_token_there_is_no_pair_and_without_others_no_yardstick(models_folder):
    on_shelf("gpt2", models_folder / NAME, A, with_head=True)
    spec = ev.Spec(source=NAME, special_tokens=False, prefix_space=False)
    cat, t = (ev.forward(text, spec) for text in ("z", "q"))
    assert copy_similarity(cat, t).pairs == []
    assert copy_similarity(cat, t).cosines.shape == (0, 2)
    same = copy_similarity(cat, cat)
    assert np.isnan(same.other_cosines).all()
    assert np.isnan(same.other_distances).all()
    assert same.sentences == pytest.approx(1, abs=1e-6)
