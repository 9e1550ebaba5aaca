"""The rows of all models that were used last, kept in memory within a limit of bytes."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import cachetools
import numpy as np

from embedviz.models.header import Tensor

MEMORY_BYTES = 2**26


class Memory:
    """Rows by version, table and number. The rows used longest ago are removed first."""

    def __init__(self, max_bytes: int = MEMORY_BYTES) -> None:
        self._rows = cachetools.LRUCache[Any, np.ndarray](max_bytes, getsizeof=lambda row: row.nbytes)
        self._lock = threading.Lock()

    def clear(self) -> None:
        """Forget all rows."""
        with self._lock:
            self._rows.clear()

    def find(self, tensor: Tensor, numbers: Sequence[int]) -> dict[int, np.ndarray]:
        """Those of the rows that are in memory."""
        with self._lock:
            found = {number: self._rows.get((tensor, number)) for number in numbers}
        return {number: row for number, row in found.items() if row is not None}

    def keep(self, tensor: Tensor, rows: dict[int, np.ndarray]) -> None:
        """Keep copies of the rows, since a view would keep everything in memory that was read with it."""
        with self._lock, suppress(ValueError):  # one row is larger than all of the memory
            for number, row in rows.items():
                self._rows[tensor, number] = row.copy()
