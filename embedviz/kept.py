"""Arrays kept on disk for the next visitor: plain .npy files, bounded, each written in one step."""

import os
import tempfile
import time
from pathlib import Path

import numpy as np

from embedviz.settings import configured, read

MAX_BYTES = configured().cache_mib * 2**20  # all files together; the one used longest ago goes first
_HOUR = 3600


def folder() -> Path:
    """EMBEDVIZ_CACHE, or `embedviz` in the user's cache directory."""
    return read().cache


def load(name: str, n_rows: int) -> np.ndarray | None:
    """The float32 array of `n_rows` rows kept under `name`, read-only; None if there is none that can be read."""
    path = folder() / f"{name}.npy"
    try:
        array = np.load(path, allow_pickle=False)
        os.utime(path)  # it was used now
    except (OSError, ValueError, EOFError):
        return None
    good = array.dtype == np.float32 and array.ndim == 2 and len(array) == n_rows and np.isfinite(array).all()
    if not good:
        return None
    array.flags.writeable = False
    return array


def save(name: str, array: np.ndarray) -> None:
    """Keep an array under `name`. Where nothing can be written, nothing is kept."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder(), suffix=".part", delete=False) as file:
            np.save(file, np.asarray(array, np.float32), allow_pickle=False)
        os.replace(file.name, folder() / f"{name}.npy")
        _forget()
    except OSError:
        return


def _forget() -> None:
    """Remove the files used longest ago until the rest fit, and what a crash left half written."""
    for part in folder().glob("*.part"):
        if time.time() - part.stat().st_mtime > _HOUR:
            part.unlink(missing_ok=True)
    files = sorted(folder().glob("*.npy"), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for path in files:
        total += path.stat().st_size
        if total > MAX_BYTES:
            path.unlink(missing_ok=True)
