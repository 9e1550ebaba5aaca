"""The program of windows on the page "Attention", run for real, prints what the view shows."""

import numpy as np
import pytest

import embedviz as ev
from embedviz.attention.windows import NEVER, with_window
from embedviz.positions import SCHEMES
from embedviz.programs.attention import pytorch_window

CAT = "the cat sat on the mat"
LONG = " ".join(["it was the best of times and the worst of times"] * 4)


def embedded(text: str, **spec: object) -> ev.Embedded:
    return ev.embed(text, ev.Spec(**{"output_dim": 32, **spec}))


def check_window(run, a: ev.Embedded, head: int, window: int, n_layers: int) -> None:
    found = with_window(a, 4, window)
    lines = [line.split() for line in run(pytorch_window(a, found, head, n_layers))]
    n = len(a.tokens)
    np.testing.assert_allclose(np.array(lines[:n], float), found.alone.weights[head], rtol=0, atol=6e-5)
    shown = (found.needed != NEVER) & (found.needed <= n_layers)
    expected = [
        [str(needed) if seen else "-" for needed, seen in zip(*row, strict=True)]
        for row in zip(found.needed.tolist(), shown.tolist(), strict=True)
    ]
    assert lines[n:] == expected


@pytest.mark.parametrize("position", list(SCHEMES))
def test_window_under_every_scheme(position, run):
    check_window(run, embedded(CAT, position=position), 1, 3, 2)


@pytest.mark.parametrize(("text", "window", "n_layers"), [(CAT, 1, 3), (LONG, 2, 12), (LONG, 9, 12), ("the", 3, 1)])
def test_window_of_other_sizes(text, window, n_layers, run):
    check_window(run, embedded(text), 0, window, n_layers)
