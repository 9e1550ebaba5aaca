"""t-SNE and UMAP, which turn vectors into points. openTSNE and umap-learn are imported only when they are asked for.

When this file is run as a script, it is a process of its own. It maps `input.npy` of a folder as `settings.json` there
says, writes its progress into `progress.json`, and leaves `output.npy`. It imports nothing else of embedviz.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

Report = Callable[..., None]  # takes the share that is done, a text on what is being done, and the text's numbers
_EXAGGERATED = 250  # openTSNE's first iterations, in which clusters form
_EVERY = 10  # iterations from one report to the next


def N_(text: str) -> str:
    """Mark a text that is translated by the code that reads the progress; see `base/i18n.py`."""
    return text


def tsne(
    vectors: np.ndarray, *, perplexity: float, iterations: int, seed: int, report: Report, n_jobs: int = -1
) -> np.ndarray:
    """Turn N vectors, shape (N, D), into points by t-SNE, float32 of shape (N, 2)."""
    from openTSNE import TSNE  # noqa: PLC0415 takes a second

    total = _EXAGGERATED + iterations
    done = 0

    def tell(_: int, error: float, __: np.ndarray) -> None:
        nonlocal done
        done += _EVERY
        report(
            0.25 + 0.75 * done / total,
            N_("iteration {done} of {total}, divergence {error:.3f}"),
            done=done,
            total=total,
            error=float(error),
        )

    report(0.0, N_("finding neighbours"))
    found = TSNE(
        perplexity=perplexity,
        n_iter=iterations,
        early_exaggeration_iter=_EXAGGERATED,
        random_state=seed,
        n_jobs=n_jobs,
        callbacks=tell,
        callbacks_every_iters=_EVERY,
    ).fit(vectors)
    return np.asarray(found, np.float32)


def umap(
    vectors: np.ndarray, *, n_neighbors: int, min_dist: float, n: int, seed: int, report: Report
) -> np.ndarray:  # fmt: skip
    """Turn N vectors, shape (N, D), into points by UMAP, float32 of shape (N, n)."""
    report(0.0, N_("loading umap-learn"))
    from umap import UMAP  # noqa: PLC0415 takes many seconds: it is compiled

    class Bar:
        """A file for tqdm's progress bar, which writes nothing but `done total` into it."""

        def write(self, text: str) -> None:
            numbers = text.split()
            if len(numbers) == 2 and all(map(str.isdigit, numbers)) and numbers[1] != "0":
                done, total = map(int, numbers)
                report(0.6 + 0.4 * done / total, N_("epoch {done} of {total}"), done=done, total=total)

        def flush(self) -> None:
            """Do nothing, since nothing is kept back."""

    report(0.2, N_("finding neighbours"))
    bar = {"file": Bar(), "bar_format": "{n_fmt} {total_fmt} ", "mininterval": 0.2, "disable": False}
    mapped = UMAP(
        n_neighbors=n_neighbors, min_dist=min_dist, n_components=n, random_state=seed, n_jobs=1, tqdm_kwds=bar
    ).fit_transform(vectors)  # fmt: skip
    return np.asarray(mapped, np.float32)


METHODS: dict[str, Callable[..., np.ndarray]] = {"tsne": tsne, "umap": umap}


def _main(folder: Path) -> None:
    settings = json.loads((folder / "settings.json").read_text("utf-8"))
    vectors = np.load(folder / "input.npy", allow_pickle=False)

    def report(share: float, doing: str, **numbers: float) -> None:
        told = {"share": share, "doing": doing, "numbers": numbers}
        _replace(folder / "progress.json", json.dumps(told).encode())

    points = METHODS[settings.pop("method")](vectors, **settings, report=report)
    with (folder / "output.part").open("wb") as file:
        np.save(file, points, allow_pickle=False)
    os.replace(folder / "output.part", folder / "output.npy")


def _replace(path: Path, content: bytes) -> None:
    """Write a file so that a reader finds the old file or the new one, never half of it."""
    part = path.with_suffix(".part")
    part.write_bytes(content)
    with suppress(PermissionError):  # Windows refuses while somebody reads, and the next report comes soon
        os.replace(part, path)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
