"""Which version of a model's file is in use, and where its tables lie. The Hub is asked once; the disk keeps it."""

import json
import os
import tempfile
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from huggingface_hub import cached_assets_path, constants

from embedviz.base.errors import Unavailable
from embedviz.base.i18n import _
from embedviz.models import hub, store
from embedviz.models.checkpoints import Checkpoint
from embedviz.models.header import MAX_HEADER_BYTES, Tables, find_tables, header_length

HEAD_BYTES = 2**15  # the header of GPT-2 fits, so that one request does
HEADER_SECONDS = 10.0
_MAX_BYTES = 2 * MAX_HEADER_BYTES

Opened = tuple[hub.Version, Tables]


def folder(checkpoint: Checkpoint, version: hub.Version) -> Path:
    """Where the rows of this version are kept. Raises Unavailable if nothing can be kept."""
    try:
        return store.folder(checkpoint.name, version)
    except (OSError, ValueError) as error:
        raise Unavailable(_("nothing can be kept in the folder HF_HOME.")) from error


def load(checkpoint: Checkpoint) -> Opened | None:
    """The version that was known last time for the Hub in use; None if there is none, or if it is damaged."""
    try:
        path = _path(checkpoint)
        if path.stat().st_size > _MAX_BYTES:
            return None
        known = json.loads(path.read_text(encoding="utf-8"))
        header = known.pop("header")
        version = hub.Version(**known)
        if version.endpoint != constants.ENDPOINT:
            return None
        return version, find_tables(header.encode(), version.size, checkpoint)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def ask(checkpoint: Checkpoint, known: Opened | None) -> Opened:
    """The version that the Hub has now. Its header is read if it is not the known version."""
    version = hub.newest(checkpoint)
    if known and known[0] == version:
        return known
    deadline = time.monotonic() + HEADER_SECONDS
    head = hub.read(checkpoint, version, 0, min(HEAD_BYTES, version.size), deadline)
    end = 8 + header_length(head, version.size)
    if end > len(head):
        head += hub.read(checkpoint, version, len(head), end - len(head), deadline)
    tables = find_tables(head[8:end], version.size, checkpoint)
    with suppress(OSError, ValueError):  # if the disk takes nothing, the next start asks again
        _save(checkpoint, version, head[8:end].decode())
    return version, tables


def _save(checkpoint: Checkpoint, version: hub.Version, header: str) -> None:
    path = _path(checkpoint)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        json.dump(asdict(version) | {"header": header}, file)
    os.replace(file.name, path)  # a reader sees the whole old file or the whole new one
    store.remove_others(store.folder(checkpoint.name, version), path.parent)


def _path(checkpoint: Checkpoint) -> Path:
    return cached_assets_path("embedviz", checkpoint.name, "version") / "version.json"
