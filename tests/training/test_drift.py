"""What is shown of a run, against plain loops."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from embedviz.text import grammar
from embedviz.training import drift
from embedviz.training.bundled import bundled
from embedviz.training.run import follow
from embedviz.training.train import TrainingSettings

RUN = bundled(TrainingSettings())


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(
        np.dot(a.astype(float), b.astype(float))
        / math.sqrt((a.astype(float) ** 2).sum() * (b.astype(float) ** 2).sum())
    )


def test_all_snapshots_are_drawn_in_the_basis_of_the_last():
    found = drift.words(RUN)
    last = RUN.tokens[-1].astype(float)
    centred = last - last.mean(axis=0)
    values, axes = np.linalg.eigh(centred.T @ centred)
    for n in range(2):
        assert found.explained[n] == pytest.approx(values[-1 - n] / values.sum(), rel=1e-6)
        expected = (RUN.tokens.astype(float) - last.mean(axis=0)) @ axes[:, -1 - n]  # (S, V)
        sign = np.sign((expected * found.points[:, :, n]).sum())
        assert found.points[:, :, n] == pytest.approx(sign * expected, abs=1e-5)


def test_the_map_of_a_run_that_goes_on_does_not_turn_over():
    looks = [drift.words(replace(RUN, tokens=RUN.tokens[:n], steps=RUN.steps[:n])) for n in range(1, 26)]
    for n, (earlier, later) in enumerate(pairwise(looks), start=1):
        for axis in range(2):
            before, after = earlier.points[n - 1, :, axis], later.points[n - 1, :, axis]
            assert np.corrcoef(before, after)[0, 1] > -0.5  # about 0 where the axes are others by then


def test_same_class_counts_nearest_neighbours_by_a_plain_loop():
    found = drift.words(RUN)
    for at in (0, 3, -1):
        hits = 0
        for n, word in enumerate(RUN.vocabulary):
            others = [k for k in range(len(RUN.vocabulary)) if k != n]
            nearest = max(others, key=lambda k: cosine(RUN.tokens[at][n], RUN.tokens[at][k]))
            hits += grammar.CLASS_OF[word] == grammar.CLASS_OF[RUN.vocabulary[nearest]]
        assert found.same_class[at] == hits


def test_a_word_alone_in_its_class_is_not_counted():
    assert drift.words(RUN).counted == len(RUN.vocabulary) - 1
    table = np.array([[1, 0], [0.9, 0.1], [0, 1]], np.float32)
    assert drift.same_class(table, ("x", "x", "y")).tolist() == [True, True, False]


def test_the_classes_of_a_readers_own_text_are_words_and_marks():
    *_, run = follow(TrainingSettings(text='Go, cat -- go! "Yes?" ' * 20, steps=1, output_dim=8, context_length=4))
    found = drift.words(run)
    assert {word for word, kind in zip(run.vocabulary, found.classes, strict=True) if kind == "mark"} == set(',!"?') | {
        "--"
    }


def test_similarity_near_and_far_by_a_plain_loop():
    found = drift.positions(RUN)
    for at in (0, -1):
        table = RUN.positions[at]
        every = {(a, b): cosine(table[a], table[b]) for a in range(11) for b in range(11)}
        assert found.similarity[at] == pytest.approx(
            np.array([[every[a, b] for b in range(11)] for a in range(11)]), abs=1e-5
        )
        near = [value for (a, b), value in every.items() if abs(a - b) == 1]
        far = [value for (a, b), value in every.items() if abs(a - b) >= 5]
        assert found.near[at] == pytest.approx(np.mean(near), abs=1e-5)
        assert found.far[at] == pytest.approx(np.mean(far), abs=1e-5)


def test_neighbouring_positions_become_alike_and_far_ones_unlike_where_windows_begin_anywhere():
    text = "the cat sat on the mat . the dog ran to the man . a bird sang . " * 12
    *_, run = follow(TrainingSettings(text=text, steps=100, context_length=16), every=math.inf)
    found = drift.positions(run)
    assert found.near[-1] > found.near[0] + 0.1
    assert found.far[-1] < found.far[0] - 0.1


def test_neighbouring_positions_of_items_become_no_more_alike():
    """Each item begins at position 0, so that neighbours have different tasks."""
    found = drift.positions(RUN)
    assert found.near[0] == pytest.approx(0.04, abs=0.01)
    assert found.near[-1] == pytest.approx(-0.09, abs=0.01)


def test_a_table_of_zeros_has_no_direction():
    assert (drift.cosines(np.zeros((3, 4), np.float32)) == 0).all()
    nothing = replace(RUN, positions=np.zeros_like(RUN.positions))
    assert not drift.positions(nothing).similarity.any()
