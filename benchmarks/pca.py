"""Exact PCA alone: `embedviz.project` against scikit-learn called by hand, each from array to points.

Both in float64: in float32 scikit-learn is twice as fast, and on a table whose mean is large its points are wrong in
the second digit.

Runs in a process of its own, so that no other thread or memory has a part in it; prints two medians, in
seconds, as JSON.
"""

import json
import statistics
import time
from collections.abc import Callable

import numpy as np
from sklearn.decomposition import PCA

import embedviz

ROUNDS = 7
SHAPE = (50_257, 256)  # GPT-2's vocabulary


def main() -> None:
    table = np.random.default_rng(123).standard_normal(SHAPE, np.float32)
    contestants: dict[str, Callable[[], object]] = {
        "floor": lambda: PCA(n_components=2, svd_solver="covariance_eigh").fit_transform(table.astype(np.float64)),
        "ours": lambda: embedviz.project(table, n=2),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(1 + ROUNDS):
        for name, run in contestants.items():
            seconds[name].append(_time(run))
    print(json.dumps({name: statistics.median(each[1:]) for name, each in seconds.items()}))  # [0] warms up


def _time(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
