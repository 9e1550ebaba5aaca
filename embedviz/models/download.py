"""The whole token table of a model from the Hub to the disk, chunk by chunk, or the part of it that is missing."""

import time
from collections.abc import Callable

from embedviz.base.errors import Unavailable
from embedviz.models.files import Files, read_rows
from embedviz.models.header import Tensor
from embedviz.models.hub.fetch_limiter import FetchLimiter
from embedviz.models.kept import store
from embedviz.models.kept.store import StoredRows, runs

CHUNK_ROWS = 1024  # 3 MB at 768 dimensions
CHUNK_SECONDS = 60.0

Progress = Callable[[int, int], None]


def download(tensor: Tensor, disk: StoredRows, hub: Files, gate: FetchLimiter, progress: Progress) -> None:
    """Download what is missing. progress: as in `Reader.download`. Raises Unavailable if it does not fit or come."""
    missing = disk.missing()
    done = tensor.nbytes - len(missing) * tensor.row_bytes
    store.check_room(tensor.nbytes - done)
    store.check_space(disk.folder, tensor.nbytes - done)
    progress(done, tensor.nbytes)
    for run in runs(missing):
        for first in range(run.start, run.stop, CHUNK_ROWS):
            chunk = range(first, min(first + CHUNK_ROWS, run.stop))
            _download(tensor, disk, hub, gate, chunk)
            done += len(chunk) * tensor.row_bytes
            progress(done, tensor.nbytes)


def _download(tensor: Tensor, disk: StoredRows, hub: Files, gate: FetchLimiter, chunk: range) -> None:
    try:
        data = read_rows(hub, tensor, chunk, time.monotonic() + CHUNK_SECONDS)
    except Unavailable as error:
        gate.failed(error)
        raise
    tensor.decode(data)  # raises Unavailable for infinity and for what is no number
    try:
        disk.write(chunk.start, data)
    except OSError as error:
        raise Unavailable("the disk does not take the table.") from error
