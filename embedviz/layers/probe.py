"""How well a token's position can be read from its vector in MiniLM, layer by layer.

`python -m embedviz.layers.probe` measures again what `data/probe.json` holds, if MiniLM is on this machine.
"""

import json
from dataclasses import dataclass
from functools import cache

import numpy as np

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.layers import line
from embedviz.layers.windows import runs
from embedviz.vectors.probing import position_error

SOURCE = "sentence-transformers/all-MiniLM-L6-v2"
_FILE = "probe.json"
_TESTED = 3  # windows, the last of the text; the lines are fitted on those before
_DIGITS = 3


@dataclass(frozen=True)
class Probe:
    """By how many places a straight line is wrong that reads a position from a vector, on average.

    errors: as the model was trained, and off: with all tokens at one position, read-only float32 (n_layers + 1,) both,
    at the input and after each layer. guess: the same for whoever always says the middle.
    """

    errors: np.ndarray
    off: np.ndarray
    guess: float


@cache
def minilm() -> Probe:
    """What was measured with MiniLM. Raises EmbedvizError if the file with it is missing or damaged."""
    found = json.loads(data_files.read(_FILE))
    return Probe(*(read_only(np.array(found[name], np.float32)) for name in ("errors", "off")), found["guess"])


def measure(source: str = SOURCE) -> dict[str, object]:
    """Measure a model that takes positions, on windows of the text that we ship: the fields of a Probe."""
    vectors = {name: ran.hidden_states for name, ran in runs(line.find(source))}  # (n_layers + 1, W, T, D) each
    places = np.arange(vectors["text"].shape[2])
    return {
        "errors": [_error(each, places) for each in vectors["text"]],
        "off": [_error(each, places) for each in vectors["off"]],
        "guess": float(np.abs(places - places.mean()).mean()),
    }


def _error(vectors: np.ndarray, places: np.ndarray) -> float:
    """The error in windows of one stage, (W, T, D)."""
    fitted, tested = vectors[:-_TESTED], vectors[-_TESTED:]
    flat = [each.reshape(-1, each.shape[-1]) for each in (fitted, tested)]
    error = position_error(flat[0], np.tile(places, len(fitted)), flat[1], np.tile(places, len(tested)))
    return round(error, _DIGITS)


def main() -> None:
    """Measure MiniLM and write the file."""
    (data_files.DATA / _FILE).write_text(json.dumps(measure(), indent=2) + "\n", "utf-8")
    data_files.seal()


if __name__ == "__main__":
    main()
