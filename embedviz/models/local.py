"""A model's tables from a whole file that is already on this machine, in Hugging Face's own cache."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from huggingface_hub import try_to_load_from_cache
from safetensors import SafetensorError, safe_open

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.models.checkpoints import CONTEXT_LENGTH, FILE, VOCAB_SIZE, Checkpoint
from embedviz.models.header import check_tensor
from embedviz.models.store import runs


def path(checkpoint: Checkpoint) -> str | None:
    """The path of the file, or None if it is not on this machine."""
    found = (try_to_load_from_cache(repo, FILE) for repo in (checkpoint.repo, checkpoint.old_repo))
    return next((each for each in found if isinstance(each, str)), None)


def rows(file: str, checkpoint: Checkpoint, table: str, numbers: Sequence[int]) -> dict[int, np.ndarray]:
    """Rows of the table `wte` or `wpe`, float32 of shape (D,) each.

    Raises Unavailable for a file that is not the model's, broken or cut short.
    """
    with _opened(file) as opened:
        part = _tables(opened, checkpoint)[table]
        found: dict[int, np.ndarray] = {}
        for run in runs(numbers):
            found.update(zip(run, _finite(part[run.start : run.stop].to(torch.float32).numpy()), strict=True))
    return found


def whole(file: str, checkpoint: Checkpoint, table: str) -> np.ndarray:
    """The whole table, float32 of shape (V, D) or (L, D). Raises Unavailable as `rows` does."""
    with _opened(file) as opened:
        return _finite(_tables(opened, checkpoint)[table][:].to(torch.float32).numpy())


@contextmanager
def _opened(file: str) -> Iterator:
    try:
        with safe_open(file, framework="pt") as opened:
            yield opened
    except (SafetensorError, OSError) as error:
        raise Unavailable(
            _("the copy in this machine's Hugging Face cache is broken or cut short. Remove it, or download it again.")
        ) from error


def _tables(opened, checkpoint: Checkpoint) -> dict:
    """Both tables, which are not read yet. A file that lacks one of them is not the model's."""
    return {
        table: _slice(opened, f"{table}.weight", (n_rows, checkpoint.output_dim))
        for table, n_rows in (("wte", VOCAB_SIZE), ("wpe", CONTEXT_LENGTH))
    }


def _slice(opened, name: str, shape: tuple[int, int]):
    full = next((full for full in (name, f"transformer.{name}") if full in opened.keys()), None)  # noqa: SIM118
    if full is None:
        raise Unavailable(_("the file has no {name}.", name=name))
    part = opened.get_slice(full)
    check_tensor(name, part.get_dtype(), list(part.get_shape()), shape)
    return part


def _finite(rows: np.ndarray) -> np.ndarray:
    if not np.isfinite(rows).all():
        raise Unavailable(_("the file holds numbers that are not finite: it is broken."))
    return rows
