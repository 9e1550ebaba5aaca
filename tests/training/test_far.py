"""How far small models read: the texts, and that the bundled numbers are those of the models."""

import json
from itertools import pairwise

import numpy as np
import pytest
import torch

from embedviz.base import data_files
from embedviz.text import grammar
from embedviz.training import far
from embedviz.training.far import LENGTHS, LINES, SEEDS, TRAINED, measure, measured, scaling, texts, train
from embedviz.training.schemes import NAMES

N = len(grammar.WHO_HELD_OUT)


def words(row: torch.Tensor) -> list[str]:
    return [grammar.WHO_VOCABULARY[id_] for id_ in row]


def test_each_question_that_nobody_learned_from_ends_a_text_of_learned_ones():
    found = texts()
    assert found.shape == (N, LENGTHS[-1] + 1)
    for row, item in zip(found, grammar.WHO_HELD_OUT, strict=True):
        said = words(row)
        assert tuple(said[-len(item) + 1 :]) == item[:-1]
        before = " ".join(said[: -len(item) + 1]).split(" . ")[1:]  # the first one is cut
        assert {tuple(f"{each} .".replace(" . .", " .").split()) for each in before} <= set(grammar.WHO_LEARNED)


def test_every_text_of_the_trained_length_holds_a_question_and_its_answer():
    for row in texts():
        assert "?" in words(row[-TRAINED - 1 : -1])
    assert max(map(len, grammar.WHO_LEARNED)) < TRAINED


@pytest.mark.parametrize("positions", NAMES)
def test_what_is_measured_is_what_the_model_says_of_each_text_alone(positions):
    model = train(positions, 1, steps=3)
    for n_tokens in (16, TRAINED):
        right, loss = measure(model, positions, n_tokens)
        chances = [model(row[None, -n_tokens - 1 : -1])[0, -1].double().softmax(-1) for row in texts()]
        answers = [int(row[-1]) for row in texts()]
        hits = [int(each.argmax()) == answer for each, answer in zip(chances, answers, strict=True)]
        assert right == pytest.approx(np.mean(hits), abs=1e-6)
        surprise = [-float(each[answer].log()) for each, answer in zip(chances, answers, strict=True)]
        assert loss == pytest.approx(np.mean(surprise), rel=1e-4)


def test_a_training_is_the_same_again_and_another_seed_is_not():
    one, again, other = (train("rope", seed, steps=3) for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), again.parameters(), strict=True))
    assert not torch.equal(one.token_embedding.weight, other.token_embedding.weight)


def test_a_table_ends_and_nothing_is_measured_past_it():
    found = measured()
    for line in LINES:
        for of in (found[line].right, found[line].loss):
            assert of.shape == (len(SEEDS), len(LENGTHS))
            past = np.array(LENGTHS) > TRAINED
            assert (np.isnan(of) == (past & (line == "learned"))).all()
    assert np.isnan(measure(train("learned", 1, steps=1), "learned", TRAINED + 1)).all()


def test_a_stretch_begins_past_the_trained_length():
    found = measured()
    for line in ("rope_linear", "rope_ntk"):
        assert scaling(line, TRAINED) is None
        upto = LENGTHS.index(TRAINED) + 1
        assert np.array_equal(found[line].right[:, :upto], found["rope"].right[:, :upto])
        assert not np.array_equal(found[line].loss[:, upto:], found["rope"].loss[:, upto:])
    assert scaling("rope_linear", 4 * TRAINED)["factor"] == 4
    assert scaling("rope", 4 * TRAINED) is None


def test_shares_are_of_the_questions_and_lengths_grow():
    for each in measured().values():
        shares = each.right[~np.isnan(each.right)]
        assert np.allclose(shares * N, np.rint(shares * N), atol=0.03)  # four digits are kept
        assert (each.loss[~np.isnan(each.loss)] > 0).all()
    assert all(a < b for a, b in pairwise(LENGTHS))


def test_the_bundled_numbers_come_of_training_again(tmp_path, monkeypatch, capsys):
    """With few steps and two schemes: the file is what the models answer, and nothing else."""
    monkeypatch.setattr(far, "STEPS", 2)
    monkeypatch.setattr(far, "NAMES", ("learned", "rope"))
    monkeypatch.setattr(far, "LINES", ("learned", "rope", "rope_ntk"))
    monkeypatch.setattr(far, "SEEDS", (4,))
    monkeypatch.setattr(far, "LENGTHS", (16, TRAINED, 2 * TRAINED))
    monkeypatch.setattr(data_files, "DATA", tmp_path)
    monkeypatch.setattr(data_files, "seal", lambda: None)
    texts.cache_clear()
    far.main()
    kept = json.loads((tmp_path / far.FILE).read_text())
    for line in far.LINES:
        model = train(line.split("_")[0], 4, steps=2)
        expected = [measure(model, line, n) for n in far.LENGTHS]
        for n, of in enumerate(("right", "loss")):
            (row,) = kept[line][of]
            assert [np.nan if value is None else value for value in row] == pytest.approx(
                [each[n] for each in expected], abs=6e-5, nan_ok=True
            )
    assert kept["learned"]["right"][0][2] is None
    assert "rope_ntk 4" in capsys.readouterr().out
    (tmp_path / far.FILE).unlink()
    far.main("rope", "5")
    said = capsys.readouterr().out
    assert [line.split()[:2] for line in said.splitlines()] == [["rope", "5"], ["rope_ntk", "5"]]
    assert not (tmp_path / far.FILE).exists()  # one model is no reason to change the file
    texts.cache_clear()
