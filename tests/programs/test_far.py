"""The program of "How far": its models against a forward of their own in float64, and what it prints and keeps."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import torch

from embedviz.base import data_files
from embedviz.positions import t5
from embedviz.programs.schemes import far as module
from embedviz.programs.schemes.far import pytorch_far
from embedviz.text import grammar
from embedviz.training import far
from embedviz.training.far import LINES, SCHEMES, SINUSOIDAL_SIZE, T5_BUCKETS, T5_MAX_DISTANCE, TRAINED
from embedviz.training.model import GPT, Shape

LENGTHS = (16, 32, 80)
SHAPE = Shape(vocab_size=11, context_length=7, output_dim=16, n_heads=4, n_layers=2)
LONGER = 20
Ran = Callable[[str, int, int], dict]


@pytest.fixture(scope="module")
def ran() -> Iterator[Ran]:
    """The names of a program that has run, and under "printed" what it said."""
    threads = torch.get_num_threads()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(far, "LENGTHS", LENGTHS)  # fewer, since the longest texts take most of the time
        patch.setattr(far, "WARM_UP", 2)
        yield cache(run_anew)
    torch.set_num_threads(threads)


def run_anew(scheme: str, seed: int = 3, steps: int = 4) -> dict:
    said: list[tuple] = []
    names = {"print": lambda *parts: said.append(parts), "printed": said}
    exec(pytorch_far(scheme, seed, steps), names)  # noqa: S102 our own program
    return names


def scheme_of(line: str) -> str:
    return line.partition("_")[0]


def words(row: torch.Tensor) -> list[str]:
    return [grammar.VOCABULARY[id_] for id_ in row]


def test_each_question_that_nobody_learned_from_ends_a_text_of_learned_ones(ran):
    found = ran("none")["texts"]
    assert found.shape == (len(grammar.HELD_OUT), LENGTHS[-1] + 1)
    for row, item in zip(found, grammar.HELD_OUT, strict=True):
        said = words(row)
        assert tuple(said[-len(item) + 1 :]) == item[:-1]
        before = " ".join(said[: -len(item) + 1]).split(" . ")[1:]  # the first one is cut
        assert {tuple(f"{each} .".replace(" . .", " .").split()) for each in before} <= set(grammar.LEARNED)
    assert max(map(len, grammar.HELD_OUT)) < TRAINED


def test_answers_count_once_more_if_their_question_is_there_from_its_beginning(ran):
    """Of the last batch: from the tenth word on, no beginning is cut off."""
    windows, asked = (ran("none")[name] for name in ("windows", "asked"))
    questions = {item[:-2] for item in grammar.LEARNED}
    for row, places in zip(windows, asked, strict=True):
        said = words(row)
        for at in range(TRAINED):
            begun = max((n + 1 for n in range(at) if said[n] == "."), default=0)
            assert not places[at] or tuple(said[begun : at + 1]) in questions
            assert places[at] == (said[at] == "?" and at > 8)


def test_the_rate_rises_and_then_falls_to_a_tenth(ran):
    (group,) = ran("none")["optimizer"].param_groups
    assert group["lr"] == pytest.approx(far.LEARNING_RATE * (1 - 0.9 * 3 / 4))  # the fourth step of four
    (group,) = ran("none", 3, 1)["optimizer"].param_groups
    assert group["lr"] == pytest.approx(far.LEARNING_RATE / 2)  # the first of two that rise


@pytest.mark.parametrize("line", LINES)
def test_the_program_prints_what_the_model_says_of_each_text_alone(line, ran):
    names = ran(scheme_of(line))
    gpt, texts = names["gpt"].requires_grad_(False), names["texts"]
    gpt.stretch = line.partition("_")[2]
    printed = [(n, said) for of, n, said in names["printed"] if of == line]
    assert [n for n, _said in printed] == [n for n in LENGTHS if line != "learned" or n <= TRAINED]
    for n, said in printed:
        chances = [gpt(row[None, -n - 1 : -1])[0, -1].double().softmax(-1) for row in texts]
        answers = [int(row[-1]) for row in texts]
        hits = [int(each.argmax()) == answer for each, answer in zip(chances, answers, strict=True)]
        surprise = [-float(each[answer].log()) for each, answer in zip(chances, answers, strict=True)]
        # A text on the edge may fall to the other side.
        assert [*map(float, said.split())] == pytest.approx([np.mean(hits), np.mean(surprise)], abs=6e-3)


def test_a_program_runs_by_itself(run):
    lines = [line.split() for line in run(pytorch_far(steps=1))]
    names = ("rope", "rope_linear", "rope_ntk")
    assert [(line[0], int(line[1])) for line in lines] == [(name, n) for name in names for n in far.LENGTHS]


def test_a_training_is_the_same_again_and_another_seed_is_not(ran):
    one, again, other = (names["gpt"] for names in (ran("rope", 1, 3), run_anew("rope", 1, 3), ran("rope", 2, 3)))
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), again.parameters(), strict=True))
    assert not torch.equal(one.token_embedding.weight, other.token_embedding.weight)


def model(line: str, ran: Ran, shape: Shape = SHAPE) -> torch.nn.Module:
    """A model whose parameters are large enough, and unlike each other, for every part to show."""
    names = ran(scheme_of(line))
    sizes = vars(replace(shape, positions=scheme_of(line)))
    found = names["FarGPT"](names["Shape"](**sizes), torch.Generator().manual_seed(5))
    found.stretch = line.partition("_")[2]
    generator = torch.Generator().manual_seed(6)
    for weights in found.requires_grad_(False).parameters():
        weights.add_(torch.empty_like(weights).normal_(generator=generator), alpha=0.5)
    return found


def ids(n_rows: int, length: int) -> torch.Tensor:
    return torch.randint(11, (n_rows, length), generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("positions", ["none", "learned", "rope"])
def test_it_is_the_small_gpt_where_both_know_the_scheme(positions, ran):
    found = model(positions, ran)
    plain = GPT(replace(SHAPE, positions=positions), torch.Generator())
    plain.load_state_dict(found.state_dict())
    rows = ids(3, 7)
    torch.testing.assert_close(found(rows), plain(rows), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("positions", SCHEMES)
def test_all_first_numbers_are_those_of_the_small_gpt(positions, ran):
    names, shape = ran(positions), replace(SHAPE, positions=positions)
    ours = names["FarGPT"](names["Shape"](**vars(shape)), torch.Generator().manual_seed(3))
    plain = GPT(shape, torch.Generator().manual_seed(3))
    for name, values in plain.named_parameters():
        assert torch.equal(ours.get_parameter(name), values)
    more = {name for name, _values in ours.named_parameters()} - {name for name, _values in plain.named_parameters()}
    assert more == ({"biases"} if positions == "t5" else set())


def turned_by_hand(vector: np.ndarray, at: int, line: str) -> np.ndarray:
    """RoPE as complex numbers, k paired with k + d/2. Linear: positions are divided. NTK: the base grows."""
    pairs, size = vector[: len(vector) // 2] + 1j * vector[len(vector) // 2 :], len(vector)
    longer = max(LONGER / TRAINED, 1)
    base = 10000.0 * (longer ** (size / (size - 2)) if line == "rope_ntk" else 1)
    place = at / longer if line == "rope_linear" else at
    found = pairs * np.exp(1j * place * base ** (-np.arange(len(pairs)) / len(pairs)))
    return np.concatenate([found.real, found.imag])


def scores_by_hand(line: str, biases: np.ndarray, query: np.ndarray, key: np.ndarray, places: tuple) -> float:
    """The score of a token for an earlier one, by the formulas of the papers. biases: of T5 or ALiBi, of one head."""
    i, j = places
    if line.startswith("rope"):
        query, key = (turned_by_hand(vector, at, line) for vector, at in ((query, i), (key, j)))
    score = query @ key / np.sqrt(len(query))
    if line == "alibi":
        score -= biases * (i - j)
    if line == "t5":
        score += biases[t5.bucket(np.array(j - i), False, T5_BUCKETS, T5_MAX_DISTANCE)]
    return score


@pytest.mark.parametrize("line", [line for line in LINES if line != "learned"])
def test_texts_longer_than_trained_are_read_as_by_hand(line, ran, monkeypatch):
    """Two layers in float64, token by token, on a text of almost three times the trained length."""
    found, row = model(line, ran), ids(1, LONGER)[0]
    monkeypatch.setitem(ran(scheme_of(line)), "TRAINED", SHAPE.context_length)
    monkeypatch.setattr("tests.programs.test_far.TRAINED", SHAPE.context_length)
    w = {name: value.double().numpy() for name, value in found.state_dict().items()}
    x = w["token_embedding.weight"][row.numpy()]
    if line == "sinusoidal":
        for at in range(LONGER):
            for k in range(8):
                angle = at / 10000 ** (k / 8)
                x[at, 2 * k : 2 * k + 2] += SINUSOIDAL_SIZE * np.array([np.sin(angle), np.cos(angle)])

    def norm(x, name):
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    for n in range(2):
        q, k, v = np.split(linear(norm(x, f"blocks.{n}.norm_1"), f"blocks.{n}.queries_keys_values"), 3, axis=1)
        heads = np.zeros_like(q)
        for head in range(4):
            part = slice(4 * head, 4 * head + 4)
            own = w["biases"][:, head] if line == "t5" else 2.0 ** (-8 * (head + 1) / 4)
            for i in range(LONGER):
                scores = [scores_by_hand(line, own, q[i, part], k[j, part], (i, j)) for j in range(i + 1)]
                shares = np.exp(np.array(scores) - max(scores))
                heads[i, part] = shares / shares.sum() @ v[: i + 1, part]
        x = x + linear(heads, f"blocks.{n}.attended")
        wide = linear(norm(x, f"blocks.{n}.norm_2"), f"blocks.{n}.widen")
        x = x + linear(torch.nn.functional.gelu(torch.tensor(wide)).numpy(), f"blocks.{n}.narrow")
    expected = norm(x, "norm") @ w["token_embedding.weight"].T
    assert found(row[None])[0].numpy() == pytest.approx(expected, rel=1e-3, abs=1e-3)


def test_the_bundled_numbers_are_what_the_programs_print(ran, tmp_path, monkeypatch, capsys):
    """With few steps and two schemes: the file is what the programs print, and nothing else."""
    lines = ("learned", "rope", "rope_linear", "rope_ntk")
    monkeypatch.setattr(far, "STEPS", {"learned": 2, "rope": 2})
    monkeypatch.setattr(far, "SCHEMES", ("learned", "rope"))
    monkeypatch.setattr(far, "LINES", lines)
    monkeypatch.setattr(far, "SEEDS", (4,))
    monkeypatch.setattr(data_files, "DATA", tmp_path)
    monkeypatch.setattr(data_files, "seal", lambda: None)
    module.main("learned", "5")  # which is printed alone
    assert not [*tmp_path.iterdir()]
    assert capsys.readouterr().out.startswith("seed 5\nlearned 16 ")
    module.main()
    kept = json.loads((tmp_path / far.FILE).read_text())
    assert [*kept] == [*lines]
    for line in lines:
        printed = ran(scheme_of(line), 4, 2)["printed"]
        said = [[*map(float, each.split())] for of, _n, each in printed if of == line]
        for n, of in enumerate(("right", "loss")):
            (row,) = kept[line][of]
            assert row[: len(said)] == pytest.approx([each[n] for each in said], abs=6e-3)
            assert row[len(said) :] == [None] * (len(LENGTHS) - len(said))
    assert kept["learned"]["right"][0][2] is None
    assert "seed 4\nrope 16 " in capsys.readouterr().out
