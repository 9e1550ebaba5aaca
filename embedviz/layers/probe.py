"""How well a token's position can be read from its vector in a real model, MiniLM, layer by layer.

`python -m embedviz.layers.probe` measures again what `data/probe.json` holds, if MiniLM is on this machine.
"""

import json
from collections.abc import Sequence
from functools import cache

import numpy as np

from embedviz.base import data_files
from embedviz.base.arrays import read_only
from embedviz.layers import line
from embedviz.layers.windows import LENGTH, text_ids, windows
from embedviz.models.whole import Whole
from embedviz.vectors.probing import Probe, guess_of, position_error

SOURCE = "sentence-transformers/all-MiniLM-L6-v2"
_FILE = "probe.json"
_STEP = 4  # tokens between two windows, so that most words stand at many positions and give none away
_PENALTY = 100.0
_DIGITS = 3


@cache
def minilm() -> Probe:
    """What was measured with MiniLM. Raises EmbedvizError if the file with it is missing or damaged."""
    found = json.loads(data_files.read(_FILE))
    errors, off = (read_only(np.array(found[name], np.float32)) for name in ("errors", "off"))
    return Probe(errors, found["guess"], off)


def measure(source: str = SOURCE, length: int = LENGTH) -> dict[str, object]:
    """Measure a model that takes positions: the fields of a Probe.

    The lines are fitted on windows of the first three quarters of the text that we ship, and tested on the last.
    """
    found, ids = line.find(source), text_ids(source)
    parts = [windows(part, length, _STEP) for part in np.split(ids, [len(ids) * 3 // 4])]
    places = np.arange(length)
    return {
        "errors": _errors(found, parts, places),
        "off": _errors(found, parts, 0 * places),
        "guess": guess_of(places),
    }


def _errors(whole: Whole, parts: Sequence[np.ndarray], positions: np.ndarray) -> list[float]:
    """The error at each stage, if the tokens of all windows, fitted and tested ones (W, T), have these positions."""
    places = [np.tile(np.arange(part.shape[1]), len(part)) for part in parts]
    vectors = [line.run(whole, part, positions).hidden_states for part in parts]  # (n_layers + 1, W, T, D)
    flat = [each.reshape(len(each), -1, each.shape[-1]) for each in vectors]  # (n_layers + 1, W * T, D)
    return [
        round(position_error(fitted, places[0], tested, places[1], _PENALTY), _DIGITS)
        for fitted, tested in zip(*flat, strict=True)
    ]


def main() -> None:
    """Measure MiniLM and write the file."""
    (data_files.DATA / _FILE).write_text(json.dumps(measure(), indent=2) + "\n", "utf-8")
    data_files.seal()


if __name__ == "__main__":
    main()
