"""How well a token's position can be read from its vector in MiniLM and in the small GPT, layer by layer.

`python -m embedviz.layers.probe` measures again what `data/probe.json` holds, if MiniLM is on this machine. That takes
a few minutes.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, cast

import numpy as np
import torch

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.layers import model_queue
from embedviz.layers.windows import LENGTH, windows
from embedviz.models.checkpoints import checkpoint
from embedviz.models.full_weights import FullWeights
from embedviz.text.token_ids import encode
from embedviz.training.bundled import BUNDLED, bundled
from embedviz.training.corpus import corpus
from embedviz.training.next_word import gpt
from embedviz.training.run import Run
from embedviz.vectors import probing
from embedviz.vectors.probing import Errors, Probe, Reader

SOURCE = "sentence-transformers/all-MiniLM-L6-v2"
TEXT = "texts/alice.txt"
SEEDS = (0, 1, 2)  # of the networks, all that were tried
GPTS = {"on": BUNDLED["learned"], "off": BUNDLED["none"]}
_FILE = "probe.json"
_AT_ONCE = 50  # windows in one run of the model
_DIGITS = 3


class Pair(NamedTuple):
    """What was read with positions and without them."""

    on: Probe
    off: Probe


@cache
def probes() -> Mapping[str, Pair]:
    """What was measured, of "minilm" and "gpt". Raises EmbedvizError if the file with it is missing or damaged.

    MiniLM was trained with positions, and "off" is the same model with nothing added. The small GPT without positions
    is another one, which was trained without them.
    """
    found = json.loads(data_files.read(_FILE))
    return {model: Pair(**{name: _probe(one) for name, one in both.items()}) for model, both in found.items()}


def _probe(arrays: dict[str, Any]) -> Probe:
    errors = {
        name: Errors(**{part: read_only(np.array(rows, np.float32)) for part, rows in arrays[name].items()})
        for name in ("line", "network")
    }
    return Probe(**{**arrays, **errors})


def of_model(source: str, text: str, length: int = LENGTH) -> dict[str, dict]:
    """Measure a model that adds positions: the fields of a Pair.

    The probes are fitted on the first three quarters of a text's windows, of `length` tokens each, and tested on the
    last. No two windows overlap.
    """
    whole, ids = model_queue.find(source), encode(text, checkpoint(source).tokenizer).ids
    cut = windows(ids, length, length)
    end = len(cut) * 3 // 4
    found = {}
    for name, scale in (("on", 1.0), ("off", 0.0)):
        states = _states(whole, cut, scale)
        found[name] = _measured(states[:, :end], states[:, end:])
    return found


def _states(whole: FullWeights, cut: np.ndarray, scale: float) -> np.ndarray:
    """The hidden states of windows (W, T), if positions are multiplied by this scale: (n_layers + 1, W, T, D)."""
    parts = [cut[start : start + _AT_ONCE] for start in range(0, len(cut), _AT_ONCE)]
    return np.concatenate([model_queue.run(whole, part, scale=scale).hidden_states for part in parts], axis=1)


def of_run(run: Run) -> dict[str, object]:
    """Measure a run of the small GPT at its last snapshot: the fields of a Probe.

    The probes are fitted on text that the run has learned from, and tested on the text that was held out.
    """
    settings = run.settings
    text = corpus(settings.text, settings.context_length, settings.seed, settings.shuffled)
    parts = (apart(ids, settings.context_length) for ids in (text.training, text.held_out))
    return _measured(*(_states_of_run(run, cut) for cut in parts))


def apart(ids: torch.Tensor, length: int) -> torch.Tensor:
    """Windows of the IDs (N,), which don't overlap, (W, length).

    As many words as chance will have it lie between two of them. Else sentences of one length would stand at the same
    place in each window, and the words themselves would tell the position.
    """
    gaps = torch.randint(length, (len(ids) // length,), generator=torch.Generator().manual_seed(0))
    ends = (length + gaps).cumsum(0)
    return ids[ends[ends <= len(ids), None] - torch.arange(length, 0, -1)]


@torch.no_grad()
def _states_of_run(run: Run, cut: torch.Tensor) -> np.ndarray:
    """The hidden states of windows (W, T), the last of them before the final norm: (n_layers + 1, W, T, D)."""
    model = gpt(run)
    x, angles = model.enter(cut, None)
    states = [x]
    for block in model.blocks:
        states.append(block(states[-1], angles))
    return torch.stack(states).numpy()


def _measured(fitted: np.ndarray, tested: np.ndarray) -> dict[str, object]:
    """The fields of a Probe of hidden states, (n_layers + 1, W, T, D) each."""
    length, dim = fitted.shape[2:]
    parts = [part.reshape(len(part), -1, dim) for part in (fitted, tested)]  # (n_layers + 1, W * T, D)
    places = [np.tile(np.arange(length), n_windows) for n_windows in (fitted.shape[1], tested.shape[1])]
    return {
        "line": _errors([probing.fitted_line], parts, places),
        "network": _errors([partial(probing.fitted_network, seed=seed) for seed in SEEDS], parts, places),
        "length": length,
        "n_fitted": len(places[0]),
        "n_tested": len(places[1]),
    }


def _errors(
    fits: Sequence[Callable[[np.ndarray, np.ndarray], Reader]],
    parts: Sequence[np.ndarray],
    places: Sequence[np.ndarray],
) -> dict[str, list[list[float]]]:
    """The fields of Errors of probes that are fitted on the first part, (n_layers + 1, N, D) with its places (N,)."""
    readers = [[fit(vectors, places[0]) for vectors in parts[0]] for fit in fits]
    return {
        name: [[_error(read(each), true) for read, each in zip(row, part, strict=True)] for row in readers]
        for name, part, true in zip(("fitted", "tested"), parts, places, strict=True)
    }


def _error(arrays: np.ndarray, places: np.ndarray) -> float:
    return round(float(np.abs(arrays - places).mean()), _DIGITS)


def main() -> None:
    """Measure both models and write the file."""
    torch.set_num_threads(1)  # the last digits depend on the number of threads
    found = {
        "minilm": of_model(SOURCE, data_files.read(TEXT).decode("utf-8")),
        "gpt": {name: of_run(cast("Run", bundled(settings))) for name, settings in GPTS.items()},
    }
    (data_files.DATA / _FILE).write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    data_files.seal()


if __name__ == "__main__":
    main()
