"""Vectors of one's own alone: a file of 20 MiB read by us, and by pandas called by hand.

Ours checks every number besides, and knows the place of each. Runs in a process of its own; prints medians, in
seconds, as JSON.
"""

import io
import json
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from embedviz.programs.rows import Rows, csv
from embedviz.vectors.own.vector_files import read
from embedviz.vocabulary.projector_files import vectors_tsv

ROUNDS = 5
SHAPE = (6300, 300)  # nearly 20 MiB as a text


def main() -> None:
    table = np.random.default_rng(123).standard_normal(SHAPE, np.float32)
    words = [f"word {n}" for n in range(len(table))]
    content = vectors_tsv(table) if sys.argv[1] == "tsv" else csv([Rows({"token": words}, {"vectors": table})])
    how = {"sep": "\t", "header": None} if sys.argv[1] == "tsv" else {}
    contestants: dict[str, Callable[[], object]] = {
        "floor": lambda: pd.read_csv(io.BytesIO(content), **how),
        "ours": lambda: read(f"mine.{sys.argv[1]}", content),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(1 + ROUNDS):
        for name, run in contestants.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    print(json.dumps({name: statistics.median(each[1:]) for name, each in seconds.items()}))  # [0] warms up


if __name__ == "__main__":
    main()
