"""How alike two sentences are to MiniLM, for which a tiny BERT stands here."""

import numpy as np
import pytest
import torch
from transformers import AutoModel

import embedviz as ev
from embedviz.layers.likeness import is_here, likeness
from embedviz.layers.probe import SOURCE
from tests.models.shelf import ids_of, on_shelf

A, B = "the cat sat on the mat", "on the mat the cat sat"


def by_hand(folder, text: str, share: float) -> np.ndarray:
    """The mean over the tokens of what transformers makes of a text, with so much of the positional table."""
    model = AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        model.embeddings.position_embeddings.weight.mul_(share)
        return model(torch.tensor([ids_of("bert", text)])).last_hidden_state[0].mean(0).numpy()


def test_it_is_the_cosine_of_what_transformers_makes_of_both(models_folder):
    on_shelf("bert", models_folder / SOURCE, A)
    spec = ev.Spec(source=SOURCE)
    assert ev.tokenize(A, SOURCE).ids == ev.forward(A, spec).tokens.ids
    shares = (0, 0.5, 1)
    found = likeness(A, B, shares)
    for value, share in zip(found, shares, strict=True):
        x, y = (by_hand(models_folder / SOURCE, text, share) for text in (A, B))
        assert value == pytest.approx(float(x @ y / np.sqrt((x @ x) * (y @ y))), abs=1e-5)
    assert found[0] == pytest.approx(1, abs=1e-6)  # without positions two orders are one sentence
    assert found[2] < 1 - 1e-4
    assert is_here()


def test_without_the_model_there_is_none(models_folder):
    assert not is_here()


def test_other_words_are_not_alike_without_positions_either(models_folder):
    on_shelf("bert", models_folder / SOURCE, A)
    [value] = likeness(A, "dog", [0])
    assert value < 0.999


def test_what_the_model_cannot_read_is_refused(models_folder):
    on_shelf("bert", models_folder / SOURCE, A)
    with pytest.raises(ev.EmbedvizError):
        likeness(A, "the " * 3000, [1])
