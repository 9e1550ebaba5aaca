"""What is measured of MiniLM and the small GPT: what the file says, and that it is measured as it says."""

import tomllib
from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torch.nn.functional import gelu, layer_norm

from embedviz.base import data_files
from embedviz.layers import probe as module
from embedviz.layers.probe import apart, of_model, of_run, probes
from embedviz.text.token_ids import encode
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.corpus import corpus
from embedviz.training.run import beginning
from embedviz.vectors.probing import fitted_network
from tests.models.shelf import on_shelf

NAME = "own/model"
WORDS = "the cat sat on the mat and a dog saw it"


def test_after_minilms_last_layer_a_line_hardly_reads_the_position_and_a_network_does():
    on, off = probes()["minilm"]
    assert on.guess == 8.0
    assert on.line.tested.shape == (1, 7)
    assert on.network.tested.shape == (3, 7)
    assert not on.line.tested.flags.writeable
    assert on.line.tested[0, 0] < 1
    assert on.line.tested[0, -1] > on.guess / 2
    assert on.network.tested.max() < on.guess / 3
    for each in (off.line, off.network):
        assert each.tested.min() > 0.95 * off.guess


def test_the_line_is_not_overfitted():
    """Else its error would say how short the text is, and not what the vectors hold."""
    on, _off = probes()["minilm"]
    assert on.n_fitted > 20_000
    assert on.n_tested > 5_000
    assert (on.line.tested - on.line.fitted).max() < 0.1 * on.guess


def by_hand(x: np.ndarray, places: np.ndarray, tested: np.ndarray, true: np.ndarray) -> dict[str, list[list[float]]]:
    """The errors of the line and of the networks, on what they were fitted on and where they were tested, (N, D)."""
    ridge = make_pipeline(StandardScaler(), Ridge(alpha=100.0)).fit(x.astype(float), places)
    readers = {
        "line": [lambda each: ridge.predict(each.astype(float))],
        "network": [fitted_network(x, places, seed) for seed in (0, 1, 2)],
    }
    return {
        name: [[np.abs(read(part) - at).mean() for part, at in ((x, places), (tested, true))] for read in some]
        for name, some in readers.items()
    }


def check(found: dict, stages: list[list[np.ndarray]], places: list[np.ndarray]) -> None:
    """Compare what was found with what two parts of hidden states give, each a list of stages (N, D)."""
    for n, (x, y) in enumerate(zip(*stages, strict=True)):
        for name, rows in by_hand(x, places[0], y, places[1]).items():
            for seed, (fitted, tested) in enumerate(rows):
                assert found[name]["fitted"][seed][n] == pytest.approx(fitted, abs=2e-3)
                assert found[name]["tested"][seed][n] == pytest.approx(tested, abs=2e-3)


def test_a_model_is_measured_in_windows_that_do_not_overlap_and_off_adds_nothing(models_folder):
    model = on_shelf("bert", models_folder / NAME, "the cat", hidden_size=4, num_hidden_layers=2).model
    text = " ".join([WORDS] * 12)
    found = of_model(NAME, text, 10)
    ids = encode(text, NAME).ids
    n_windows = len(ids) // 10
    cut = torch.tensor(ids[: 10 * n_windows].reshape(n_windows, 10))
    n_fitted = n_windows * 3 // 4
    places = [np.tile(np.arange(10), n) for n in (n_fitted, n_windows - n_fitted)]
    for name in ("on", "off"):
        if name == "off":
            with torch.no_grad():
                model.embeddings.position_embeddings.weight.zero_()
        stages = []
        for part in (cut[:n_fitted], cut[n_fitted:]):
            with torch.no_grad():
                states = model(part, output_hidden_states=True).hidden_states
            stages.append([each.reshape(-1, 4).numpy() for each in states])
        check(found[name], stages, places)
        assert found[name]["length"] == 10
        assert found[name]["n_fitted"] == len(places[0])
        assert found[name]["n_tested"] == len(places[1])


def states_by_hand(run, cut: torch.Tensor) -> list[np.ndarray]:
    """The states of windows (W, L) from the weights alone, without the final norm: n_layers + 1 of (W * L, D)."""
    w, settings = {name: torch.tensor(values) for name, values in run.weights.items()}, run.settings
    x = w["token_embedding.weight"][cut]
    if settings.positions == "learned":
        x = x + w["position_embedding.weight"]
    states = [x]
    for n in range(settings.n_layers):
        own = {name.removeprefix(f"blocks.{n}."): each for name, each in w.items() if name.startswith(f"blocks.{n}.")}
        dim = x.shape[-1]
        attended = torch.nn.MultiheadAttention(dim, 4, batch_first=True)
        attended.load_state_dict(
            {
                "in_proj_weight": own["queries_keys_values.weight"],
                "in_proj_bias": own["queries_keys_values.bias"],
                "out_proj.weight": own["attended.weight"],
                "out_proj.bias": own["attended.bias"],
            }
        )
        normed = layer_norm(x, (dim,), own["norm_1.weight"], own["norm_1.bias"])
        hidden = torch.ones(cut.shape[1], cut.shape[1]).triu(1).bool()
        with torch.no_grad():
            x = x + attended(normed, normed, normed, attn_mask=hidden, need_weights=False)[0]
        normed = layer_norm(x, (dim,), own["norm_2.weight"], own["norm_2.bias"])
        wide = gelu(normed @ own["widen.weight"].T + own["widen.bias"])
        x = x + wide @ own["narrow.weight"].T + own["narrow.bias"]
        states.append(x)
    return [each.reshape(-1, each.shape[-1]).numpy() for each in states]


@pytest.mark.parametrize("name", ["learned", "none_2_layers"])
def test_a_run_is_read_before_its_final_norm_and_tested_on_what_was_held_out(name, monkeypatch):
    run = bundled(BUNDLED[name])
    s = run.settings
    text = corpus(s.text, s.context_length, s.seed, s.shuffled)
    short = replace(text, training=text.training[:3000], held_out=text.held_out[:1000])
    monkeypatch.setattr(module, "corpus", lambda *_about: short)
    cut = [apart(ids, s.context_length) for ids in (short.training, short.held_out)]
    check(
        of_run(run),
        [states_by_hand(run, each) for each in cut],
        [np.tile(np.arange(s.context_length), len(each)) for each in cut],
    )


@pytest.mark.parametrize("length", [10, 16])
def test_windows_do_not_overlap_and_begin_at_all_places_of_sentences_of_one_length(length):
    for period in (length - 1, length, length + 1):
        ids = torch.arange(length * 1000)
        cut = apart(ids, length)
        assert (cut.diff(dim=1) == 1).all()
        assert (cut[1:, 0] > cut[:-1, -1]).all()
        counts = np.bincount(cut[:, 0] % period, minlength=period) / len(cut)
        assert counts.min() > 0.5 / period
        assert cut.max() < len(ids) <= cut.max() + 3 * length


def test_what_the_file_says_of_the_small_gpt_is_what_is_measured_here():
    for name, settings in module.GPTS.items():
        found, known = of_run(bundled(settings)), getattr(probes()["gpt"], name)
        for probe in ("line", "network"):
            for part in ("fitted", "tested"):
                np.testing.assert_allclose(found[probe][part], getattr(getattr(known, probe), part), atol=0.1)
        assert (found["length"], found["n_fitted"], found["n_tested"]) == (known.length, known.n_fitted, known.n_tested)


def test_the_small_gpt_without_positions_has_them_from_its_mask_alone():
    on, off = probes()["gpt"]
    assert on.network.tested.max() < on.guess / 2
    for each in (off.line, off.network):
        assert each.tested[:, 0].min() > 0.95 * off.guess
    assert off.network.tested[:, -1].max() < 0.75 * off.guess


def test_a_model_that_has_learned_nothing_has_no_position_that_can_be_read_at_the_input(monkeypatch):
    monkeypatch.setattr(module, "SEEDS", ())
    untrained = of_run(beginning(module.GPTS["off"]))
    guess = probes()["gpt"].off.guess
    assert untrained["line"]["tested"][0][0] == pytest.approx(guess, abs=0.1)


def test_the_lesson_says_the_numbers_that_were_measured():
    lesson = tomllib.loads(data_files.read("lessons/why-add.toml").decode())
    (station,) = (each for each in lesson["stations"] if "view=memory" in each["view"])
    on = probes()["minilm"].on
    line, net = on.line.tested[0], on.network.tested.mean(axis=0)
    assert f"straight line is wrong by {line[0]:.1f} places" in station["answer"]
    assert f"texts of {on.length} tokens, where guessing is wrong by {on.guess:.1f}" in station["answer"]
    assert f"After the last layer it is wrong by {line[-1]:.1f}" in station["answer"]
    assert f"small network by {net[-1]:.1f}" in station["answer"]
