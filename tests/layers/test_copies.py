"""Copies and sentences side by side, layer by layer, and the positions that change them."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.layers.copies import alike
from embedviz.layers.positions import CHANGES, changed
from tests.models.shelf import on_shelf

A, B = "the cat sat on the mat", "on the mat the cat sat"
NAME = "own/model"


def test_the_four_positions():
    assert set(CHANGES) == {"trained", "off", "shifted", "swapped"}
    assert changed("trained", 4) == (0, 1, 2, 3)
    assert changed("off", 4) == (0, 0, 0, 0)
    assert changed("shifted", 4, shift=200) == (200, 201, 202, 203)
    assert changed("swapped", 4, swap=(0, 2)) == (2, 1, 0, 3)
    assert changed("swapped", 0 + 1, swap=(0, 0)) == (0,)


@pytest.mark.parametrize(
    ("change", "swap", "said"),
    [
        ("other", (0, 1), "change must be one of trained, off, shifted, swapped, not 'other'."),
        ("swapped", (0, 4), "swap must be a whole number from 0 to 3, not 4."),
        ("swapped", (-1, 0), "swap must be a whole number from 0 to 3, not -1."),
    ],
)
def test_what_is_no_change_is_refused(change, swap, said):
    with pytest.raises(ev.EmbedvizError) as error:
        changed(change, 4, swap=swap)
    assert str(error.value) == said


def cosine(x: np.ndarray, y: np.ndarray) -> float:
    return float(x @ y / np.sqrt((x @ x) * (y @ y)))


@pytest.mark.parametrize("kind", ["bert", "gpt2", "qwen3"])
def test_by_plain_loops(models_folder, kind):
    on_shelf(kind, models_folder / NAME, A, with_head=kind != "bert")
    spec = ev.Spec(source=NAME)
    a, b = ev.forward(A, spec), ev.forward(B, spec)
    found = alike(a, b)
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
    spec = ev.Spec(source=NAME)
    on, off = (alike(*(ev.forward(text, spec, changed(change, 8)) for text in (A, B))) for change in ("trained", "off"))
    assert off.cosines.min() > 1 - 1e-6
    assert off.distances.max() < 1e-5
    assert off.sentences == pytest.approx(1, abs=1e-6)
    assert on.cosines[:, 1:].min() < 0.999
    assert on.sentences < 1 - 5e-6


def test_with_rope_copies_are_the_same_at_the_input_and_part_in_the_first_layer(models_folder):
    on_shelf("llama", models_folder / NAME, A, with_head=True)
    spec = ev.Spec(source=NAME, special_tokens=False)
    a, b = (ev.forward(text, spec) for text in (A, B))
    found = alike(a, b)
    assert all(a.hidden_states[0, i].tobytes() == b.hidden_states[0, j].tobytes() for i, j in found.pairs)
    assert found.distances[:, 0].max() == 0
    assert found.distances[:, 1].max() > 0.01


def test_without_a_common_token_there_is_no_pair_and_without_others_no_yardstick(models_folder):
    on_shelf("gpt2", models_folder / NAME, A, with_head=True)
    spec = ev.Spec(source=NAME, special_tokens=False, prefix_space=False)
    cat, t = (ev.forward(text, spec) for text in ("z", "q"))
    assert alike(cat, t).pairs == []
    assert alike(cat, t).cosines.shape == (0, 2)
    same = alike(cat, cat)
    assert np.isnan(same.other_cosines).all()
    assert np.isnan(same.other_distances).all()
    assert same.sentences == pytest.approx(1, abs=1e-6)
